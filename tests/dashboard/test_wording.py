"""Numbers and outcomes read as people say them."""

import pytest

from dashboard import wording
from ingest.records import OUTCOMES


@pytest.mark.parametrize(
    ("rate", "shown"),
    [
        (None, wording.NOTHING),
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.5, "50 %"),
        (227 / 228, "99.6 %"),
        (1 / 228, "0.4 %"),
        (999_999 / 1_000_000, ">99.9 %"),
        (1 / 1_000_000, "<0.1 %"),
    ],
)
def test_a_rate_says_all_or_none_only_where_it_is(rate: float | None, shown: str) -> None:
    assert wording.percent(rate) == shown


def test_every_outcome_has_its_own_mark() -> None:
    marks = [wording.sign(outcome).mark for outcome in OUTCOMES]

    assert len(set(marks)) == len(OUTCOMES)


def test_an_outcome_nobody_knows_is_still_counted() -> None:
    counts = {"failed": 2, "odd": 1, "passed": 3, "error": 0}

    assert wording.in_order(counts) == [("passed", 3), ("failed", 2), ("odd", 1)]


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (12345, "12\u202f345 cells")],
)
def test_singular_and_plural_agree(number: int, shown: str) -> None:
    assert wording.plural(number, "cell") == shown


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [(None, ""), (0, "0 ms"), (999, "999 ms"), (1500, "1.5 s"), (600_000, "10 min")],
)
def test_a_duration_has_the_unit_people_use(milliseconds: int | None, shown: str) -> None:
    assert wording.duration(milliseconds) == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2026-11-02T09:12:33.123Z", "2026-11-02 09:12"),
        ("2026-11-09T08:00:00.123456789Z", "2026-11-09 08:00"),
        ("yesterday", "yesterday"),
        (None, wording.NOTHING),
    ],
)
def test_a_time_is_shown_to_the_minute(written: str | None, shown: str) -> None:
    assert wording.moment(written) == shown
