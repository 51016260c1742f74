"""When a comparison gives a figure, and how far the unchanged system moves."""

import polars as pl
import pytest

from queries import comparison, noise, pairing
from tests import builders
from tests.builders import OTHER, RUN, trial_number
from tests.queries.paired import hand_made
from tests.queries.test_pairing import SIDES, both, listed, trial


def many(excluded: int, compared: int) -> pl.LazyFrame:
    states = ["excluded"] * excluded + ["compared"] * compared
    counts = {
        f"{side}_{name}": 2 if name != "passed" else 1
        for side in ("base", "current")
        for name in ("trials", "graded", "passed")
    }
    frame = pl.LazyFrame({"state": states}, schema={"state": pl.String})
    return frame.with_columns(
        unverified=pl.lit(value=False),
        all_trials=pl.lit(value=True),
        before=pl.lit(0.5),
        after=pl.lit(0.5),
        **{name: pl.lit(value, pl.Int64) for name, value in counts.items()},
    )


@pytest.mark.parametrize(
    ("excluded", "compared", "reason"),
    [
        (1, 9, None),
        (2, 8, "2 of 10 paired cells (20.0 %) are excluded, more than the 10 % allowed"),
        (3, 0, "all 3 paired cells are excluded"),
        (0, 0, "no item is on both sides"),
    ],
)
def test_a_headline_over_too_few_cells_is_withheld_with_its_reason(
    excluded: int, compared: int, reason: str | None
) -> None:
    row = comparison.headline(many(excluded, compared)).collect().row(0, named=True)

    assert row["withheld"] == (reason is not None)
    assert row["baseline"] == row["current"] == (None if reason else 0.5)
    assert (row["reason"] or "").startswith(reason or "")


def test_the_noise_floor_is_the_largest_movement_of_the_unchanged_system() -> None:
    votes = [
        {"run": run, "trial": trial_number(0, run), "criterion": "tone", "score": score}
        for run, score in ((RUN, 2), (OTHER, 5))
    ]
    tables = hand_made(
        runs=both("sample-report"),
        items=listed((RUN, "a"), (OTHER, "a"), (OTHER, "b")),
        trials=builders.trials(
            trial(RUN, "a", 0),
            trial(RUN, "a", 1),
            trial(OTHER, "a", 0),
            trial(OTHER, "a", 1, outcome="failed"),
            trial(OTHER, "b", 2),
        ),
        votes=builders.votes(*votes),
    )

    assert noise.floor(tables, SIDES, pairing.pairs(tables, SIDES)).collect().to_dicts() == [
        {
            "items_compared": 1,
            "unpaired_items": 1,
            "pass_rate": 0.5,
            "judge_score": 3.0,
            "suite_pass_rate": 0.5,
        }
    ]


def test_runs_of_two_suites_cannot_be_compared() -> None:
    rows = both("sample-report").collect().to_dicts()

    assert comparison.obstacle(rows) is None
    rows[1]["suite"] = None
    assert comparison.obstacle(rows) == "they differ in suite: none, suite"
