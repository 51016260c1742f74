"""What counts as a change of a cell, and which of it is noise."""

from typing import Any

import polars as pl
import pytest

from queries import categories, changes, pairing
from tests import builders
from tests.builders import OTHER, RUN, trial_number
from tests.queries.paired import hand_made

BOOK = categories.shipped()
SIDES = pl.LazyFrame({"run": [RUN, OTHER], "side": ["base", "current"]})


def sample(
    base: str, current: str, votes: tuple[pl.LazyFrame, ...] = (), failing: tuple[str, ...] = ()
) -> pairing.Tables:
    """One item of a sample report on two sides: ``p`` passed, ``f`` failed, ``e`` errored."""
    outcomes = {"p": "passed", "f": "failed", "e": "error"}
    rows, checks, definitions = [], [], []
    for run, letters in ((RUN, base), (OTHER, current)):
        for place, letter in enumerate(letters):
            trial = trial_number(place, run)
            rows.append({"run": run, "trial": trial, "outcome": outcomes[letter]})
            expectation = "acts" if run == RUN or not failing else failing[place % len(failing)]
            if letter == "f":
                checks.append({"run": run, "trial": trial, "definition": trial, "passed": False})
                definitions.append({"run": run, "definition": trial, "expectation": expectation})
    return hand_made(
        runs=builders.runs(
            {"run": RUN, "format": "sample-report"}, {"run": OTHER, "format": "sample-report"}
        ),
        items=builders.items({"run": RUN}, {"run": OTHER}),
        trials=builders.trials(*rows),
        checks=builders.checks(*checks),
        definitions=builders.definitions(*definitions),
        votes=pl.concat(votes) if votes else builders.votes(),
    )


def found(
    tables: pairing.Tables,
    floor: tuple[float, float | None] | None = None,
    tolerances: changes.Tolerances = changes.Tolerances(),  # noqa: B008 (a tuple)
) -> list[dict[str, Any]]:
    pairs = pairing.pairs(tables, SIDES)
    known = None
    if floor is not None:
        schema = {"pass_rate": pl.Float64, "judge_score": pl.Float64}
        known = pl.LazyFrame([floor], schema=schema, orient="row")
    return changes.changes(tables, SIDES, pairs, BOOK, tolerances, known).collect().to_dicts()


def tone(run: str, *scores: int | None) -> pl.LazyFrame:
    return builders.votes(
        *(
            {"run": run, "trial": trial_number(place, run), "score": score}
            for place, score in enumerate(scores)
        )
    )


def test_a_regression_names_what_fails_now_and_never_failed_before() -> None:
    change = found(sample("ppf", "fff", failing=("commands", "acts", "brand_new")))[0]

    assert change["kind"] == "deterministic_regression"
    assert (change["before"], change["after"]) == (2 / 3, 0.0)
    assert change["newly_failing"] == ["brand_new", "commands"]
    assert change["categories"] == ["side_effect_integrity", "unmapped"]
    assert change["noise"] == "unmeasured"


def test_an_improvement_names_no_criterion() -> None:
    change = found(sample("pf", "pp"))[0]

    assert (change["kind"], change["newly_failing"]) == ("deterministic_improvement", None)


def test_an_equal_rate_of_other_counts_is_no_change() -> None:
    assert found(sample("pf", "pfpf")) == []


@pytest.mark.parametrize(("tolerance", "expected"), [(0.0, 1), (0.5, 0), (0.49, 1)])
def test_a_movement_up_to_the_tolerance_is_no_change(tolerance: float, expected: int) -> None:
    assert len(found(sample("pp", "pf"), tolerances=changes.Tolerances(tolerance))) == expected


@pytest.mark.parametrize(
    ("floor", "noise"),
    [
        (None, "unmeasured"),
        ((0.5, None), "within_noise"),
        ((0.25, None), "exceeds_noise"),
        # 2/3 - 1/3 and 1 - 2/3 are one number, whatever floating point makes of them.
        ((2 / 3 - 1 / 6, None), "within_noise"),
    ],
)
def test_a_change_is_weighed_against_the_noise_floor(
    floor: tuple[float, None] | None, noise: str
) -> None:
    assert found(sample("pp", "pf"), floor)[0]["noise"] == noise


def test_scores_drift_only_beyond_the_tolerance() -> None:
    assert found(sample("pp", "pp", (tone(RUN, 3, 3), tone(OTHER, 3, 3)))) == []
    four = (tone(RUN, 3, 3, 3, 3), tone(OTHER, 3, 3, 3, 4))
    assert found(sample("pppp", "pppp", four)) == []
    drift = found(sample("pp", "pp", (tone(RUN, 3, 3), tone(OTHER, 3, 4))), (0.0, 0.5))

    assert [(row["kind"], row["criterion"], row["noise"]) for row in drift] == [
        ("judge_drift", "tone", "within_noise")
    ]
    assert (drift[0]["before"], drift[0]["after"]) == (3.0, 3.5)


def test_a_drift_without_a_judge_in_the_control_is_unmeasured() -> None:
    drift = found(sample("p", "p", (tone(RUN, 1), tone(OTHER, 5))), (0.0, None))

    assert drift[0]["noise"] == "unmeasured"


def test_a_judge_that_never_scored_on_one_side_does_not_drift() -> None:
    assert found(sample("p", "p", (tone(RUN, None), tone(OTHER, 5)))) == []


def test_one_item_can_regress_and_drift() -> None:
    rows = found(sample("p", "f", (tone(RUN, 5), tone(OTHER, 1))))

    assert [row["kind"] for row in rows] == ["deterministic_regression", "judge_drift"]


def test_a_step_criterion_is_named_with_its_step() -> None:
    tables = hand_made(
        runs=builders.runs({"run": RUN}, {"run": OTHER}),
        items=builders.items({"run": RUN}, {"run": OTHER}),
        trials=builders.trials(
            {"run": RUN, "trial": trial_number(0, RUN)},
            {"run": OTHER, "trial": trial_number(0, OTHER), "outcome": "failed"},
        ),
        checks=builders.checks(
            {"run": OTHER, "trial": trial_number(0, OTHER), "scope": "turn", "passed": False}
        ),
        definitions=builders.definitions(
            {"run": OTHER, "scope": "turn", "step": "search", "target": '["facts"]'}
        ),
    )

    assert found(tables)[0]["newly_failing"] == ["search/criterion"]
    assert found(tables)[0]["categories"] == ["side_effect_integrity"]
