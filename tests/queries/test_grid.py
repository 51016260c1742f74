"""What was planned against what came out."""

import polars as pl
from polars.testing import assert_frame_equal

from queries import grid
from tests.builders import items, trial_number, trials


def test_a_cell_shows_every_repetition_and_the_holes() -> None:
    planned = items({"item": "never"}, {"item": "tried"})
    ran = trials(
        {"item": "tried", "repetition": 3, "outcome": "failed", "trial": trial_number(2)},
        {"item": "tried", "repetition": 0, "trial": trial_number(0)},
        {"item": "tried", "repetition": 1, "outcome": "error", "trial": trial_number(1)},
    )
    found = grid.grid(planned, ran).drop("run", "name", "tags").collect()

    assert_frame_equal(
        found,
        pl.DataFrame(
            {
                "item": ["never", "tried"],
                "variants": [None, "{}"],
                "repetitions": [0, 3],
                "passed": [0, 1],
                "failed": [0, 1],
                "ungraded": [0, 1],
                "missing": [0, 1],
                "results": [[], ["passed", "error", "failed"]],
            }
        ),
    )


def test_rows_without_a_repetition_miss_none() -> None:
    ran = trials({"repetition": None}, {"repetition": None, "trial": trial_number(1)})

    assert grid.grid(items({}), ran).collect()["missing"].to_list() == [0]
