"""The figures that stand beside the categories, worked out by hand."""

from inspect import signature
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from queries import reliability
from tests import builders
from tests.builders import RUN, trial_number

Rows = list[dict[str, Any]]


def test_votes_cannot_enter_a_category() -> None:
    for figure in (reliability.categories, reliability.rates, reliability.refused):
        assert "votes" not in signature(figure).parameters


def test_rates_are_over_all_trials_of_formats_that_count() -> None:
    trials: Rows = [
        {"trial": trial_number(0), "cards_created": 2, "abandoned": True},
        {"trial": trial_number(1), "outcome": "error", "provider_failures": 3},
        {"trial": trial_number(2), "outcome": "failed", "cards_created": 1},
        {"trial": trial_number(3)},
    ]

    assert_frame_equal(
        reliability.rates(builders.sample_trials(*trials)).collect(),
        pl.DataFrame(
            {
                "run": [RUN] * 3,
                "name": ["clarification", "abandonment", "provider_failure"],
                "count": [2, 1, 1],
                "trials": [4] * 3,
                "rate": [0.5, 0.25, 0.25],
            }
        ),
    )


@pytest.mark.parametrize("figure", [reliability.rates, reliability.refused, reliability.tasks])
def test_formats_that_count_nothing_have_no_such_rows(figure: Any) -> None:
    assert figure(builders.trials({})).collect().is_empty()


def test_refusals_and_discards_are_of_measured_trials() -> None:
    trials = builders.sample_trials(
        {"trial": trial_number(0), "acts_refused": 2, "discards": 3},
        {"trial": trial_number(1), "acts_refused": 1, "discards": 1, "outcome": "error"},
        {"trial": trial_number(2), "discards": 1},
    )
    discards = builders.discards(
        *({"position": n, "code": code} for n, code in enumerate(("b", "a", "b"))),
        {"trial": trial_number(1), "code": "lost"},
        {"trial": trial_number(2), "code": "a"},
    )

    assert reliability.refused(trials).collect().to_dicts() == [
        {"run": RUN, "count": 1, "measured": 2}
    ]
    assert reliability.discards(trials, discards).collect().to_dicts() == [
        {
            "run": RUN,
            "count": 2,
            "measured": 2,
            "codes": [{"code": "a", "answers": 2}, {"code": "b", "answers": 2}],
        }
    ]


def test_a_task_counts_measured_trials_that_it_scores() -> None:
    trials = builders.sample_trials(
        {"trial": trial_number(0), "task_route": True, "task_extract": False},
        {"trial": trial_number(1), "task_route": False},
        {"trial": trial_number(2), "task_route": True, "outcome": "error"},
    )

    assert_frame_equal(
        reliability.tasks(trials).collect(),
        pl.DataFrame(
            {
                "run": [RUN] * 4,
                "task": ["segment", "route", "locate", "extract"],
                "passed": [0, 1, 0, 0],
                "scored": [0, 2, 0, 1],
            }
        ),
    )


def judged(scores: list[int | None], trial: int = 0, criterion: str = "tone") -> Any:
    return [
        {"trial": trial_number(trial), "criterion": criterion, "vote": vote, "score": score}
        for vote, score in enumerate(scores, start=1)
    ]


@pytest.mark.parametrize(
    ("scores", "majority"),
    [([4, 4, 2], 4), ([5, 1], 1), ([2, 2, 3, 3, 5], 2), ([None, 3], 3), ([None], None)],
)
def test_the_majority_is_the_commonest_score_and_the_lower_on_a_tie(
    scores: list[int | None], majority: int | None
) -> None:
    (row,) = reliability.votes(builders.votes(*judged(scores))).collect().to_dicts()

    assert (row["min_score"], row["max_score"]) == (majority, majority)
    assert row["mean_score"] == majority


def test_votes_are_summed_per_criterion_in_the_contracts_order() -> None:
    votes = builders.votes(
        *judged([5, 3, None], trial=0),
        *judged([2], trial=1),
        *judged([None, None], trial=2),
        {"trial": trial_number(3), "vote": None, "score": None},
        *judged([4], criterion="language_quality"),
        *judged([4], criterion="brevity"),
    )

    found = reliability.votes(votes).collect()

    assert found["criterion"].to_list() == ["language_quality", "tone", "brevity"]
    assert found.row(1, named=True) == {
        "run": RUN,
        "criterion": "tone",
        "judged": 4,
        "votes": 6,
        "failed_votes": 3,
        "scored": 2,
        "mean_score": 2.5,
        "min_score": 2,
        "max_score": 3,
        "mean_vote_spread": 2 / 4,
    }
