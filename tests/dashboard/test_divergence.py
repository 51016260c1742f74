"""A failing case beside a repetition that passed, from the first turn that differs."""

import re
from pathlib import Path

import pytest

from dashboard import jsontree, lines, masks, sidebyside
from dashboard.masks import Mask
from dashboard.sidebyside import Shown
from ingest.records import trial_name
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import links, markup, text
from tests.dashboard.stored import rows, run_of

PATIENT = "library-desk.patient-model.json"
ONE, TWO = "0f8b2c1d3e4f5a6b", "1a2b3c4d5e6f7a8b"


@pytest.fixture
def case(samples: Path) -> str:
    """The one failed repetition of a cell whose others passed."""
    run = run_of(samples, PATIENT)
    failed = rows(samples, "trial", run=run, item="renew-loan", variants='{"ask":"plain"}')
    (number,) = [row["trial"] for row in failed if row["outcome"] == "failed"]
    return trial_name(number)


def test_a_failing_case_says_where_it_left_the_way(
    opened: Opened, samples: Path, case: str
) -> None:
    page = opened(samples, "case", case=case)

    assert "first differs from ✓ repetition 1 at turn 2 (confirm), observation" in text(page)
    assert links(page, f"divergence?case={case}")


def test_the_first_turn_that_differs_is_shown_beside_the_one_that_passed(
    opened: Opened, samples: Path, case: str
) -> None:
    page = opened(samples, "divergence", case=case)
    shown = text(page)

    assert not page.exception
    assert "First difference: turn 2 (confirm)" in shown
    assert "observation /effects/0" in shown
    assert "renewed-once ✓ passed ✗ failed" in shown
    assert 'title="/response/message"' in markup(page)
    assert "360f93" not in shown


def test_ids_usage_and_equal_lines_are_shown_when_asked(
    opened: Opened, samples: Path, case: str
) -> None:
    page = opened(samples, "divergence", case=case, ids="1", spent="1", equal="1")
    shown = text(page)

    assert not page.exception
    assert "360f93" in shown
    assert "inputTokens" in shown
    assert not re.search(r"\d+ equal lines", shown)


def test_another_turn_and_another_sibling_can_be_chosen(
    opened: Opened, samples: Path, case: str
) -> None:
    run = case.partition("-")[0]
    others = rows(samples, "trial", run=run, item="renew-loan", variants='{"ask":"plain"}')
    other = max(row["trial"] for row in others)
    page = opened(samples, "divergence", case=case, other=trial_name(other), turn="1")

    assert not page.exception
    assert "repetition 3" in text(page)
    assert "Equal." in text(page)


def test_a_case_without_a_like_has_nothing_beside_it(opened: Opened, samples: Path) -> None:
    cells: dict[tuple[str, str], list[int]] = {}
    for row in rows(samples, "trial"):
        cells.setdefault((row["item"], row["variants"]), []).append(row["trial"])
    (alone, *_) = [trials[0] for trials in cells.values() if len(trials) == 1]

    page = opened(samples, "divergence", case=trial_name(alone))

    assert "There is nothing to compare with" in text(page)


def test_a_gone_case_offers_the_nearest(opened: Opened, samples: Path) -> None:
    page = opened(samples, "divergence", case="0000000000-1")

    assert "This case is not in the store" in text(page)


def compare(left: str, right: str, shown: Shown | None = None) -> sidebyside.Comparison:
    both = jsontree.parse(left), jsontree.parse(right)
    return sidebyside.compare(*both, shown or Shown(), (Mask(), Mask()), ())


def test_ids_are_masked_by_the_place_they_first_stand_at() -> None:
    equal = f'{{"a": "{ONE}", "b": "{ONE}"}}', f'{{"a": "{TWO}", "b": "{TWO}"}}'
    other = f'{{"a": "{ONE}", "b": "{ONE}"}}', f'{{"a": "{TWO}", "b": "{ONE}"}}'

    assert compare(*equal).differences == 0
    assert compare(*equal, Shown(ids=True)).differences == 2
    assert compare(*other).differences == 1


def test_durations_and_usage_are_left_out_until_asked_for() -> None:
    pair = '{"durationMs": 1, "usage": {"inputTokens": 3}}', '{"durationMs": 2, "usage": {}}'

    assert compare(*pair).differences == 0
    assert compare(*pair, Shown(spent=True)).differences > 0


def test_members_are_compared_by_name_and_a_comma_is_no_difference() -> None:
    told = compare('{"a": 1, "b": 2}', '{"b": 2, "a": 1, "c": 3}')

    assert [row.right.path for row in told.rows if row.differs and row.right] == ["/c"]


def test_of_a_large_value_only_what_differs_is_written_out() -> None:
    many = ", ".join(f'{{"n": {number}}}' for number in range(4000))
    left, right = (f'{{"list": [{many}], "a": {{"b": {value}}}}}' for value in (1, 2))
    both = jsontree.parse(left), jsontree.parse(right)
    told = sidebyside.compare(*both, Shown(), (Mask(), Mask()), ["/a/b"])

    assert told.differences == 1
    assert len(told.rows) < 10
    assert "Large" in told.note


def test_a_line_knows_its_path() -> None:
    found = lines.Writer().lines(jsontree.parse('{"a/b": [1, {"c": null}], "d": {}}'))

    assert [(line.path, line.depth, line.text) for line in found] == [
        ("", 0, "{"),
        ("/a~1b", 1, '"a/b": ['),
        ("/a~1b/0", 2, "1,"),
        ("/a~1b/1", 2, "{"),
        ("/a~1b/1/c", 3, '"c": null'),
        ("/a~1b/1", 2, "}"),
        ("/a~1b", 1, "],"),
        ("/d", 1, '"d": {}'),
        ("", 0, "}"),
    ]


def test_texts_that_differ_in_ids_alone_are_alike() -> None:
    assert masks.alike(f"order {ONE}", f"order {TWO}")
    assert not masks.alike("L-2041", "L-2044")
