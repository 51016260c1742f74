from collections.abc import Sequence
from typing import Any

import krippendorff
import numpy as np
import polars as pl
import pytest

from queries import votes
from tests import builders
from tests.builders import trial_number

Scores = Sequence[int | None]


def judged(trials: Sequence[Scores], items: Sequence[str] | None = None) -> dict[str, Any]:
    """Figures of one criterion from the scores of each trial; None is a vote without verdict."""
    items = ["item"] * len(trials) if items is None else items
    rows = [
        {"trial": trial_number(place), "vote": vote, "score": score}
        for place, scores in enumerate(trials)
        for vote, score in enumerate(scores, start=1)
    ]
    own = [{"trial": trial_number(place), "item": item} for place, item in enumerate(items)]
    [row] = votes.criteria(builders.votes(*rows), builders.trials(*own)).collect().to_dicts()
    return row


@pytest.mark.parametrize(
    ("scores", "majority"), [((2, 4), 2), ((4, 4, 2), 4), ((5, 1, 5, 1), 1), ((None, 3), 3)]
)
def test_the_majority_is_the_commonest_score_the_lower_on_a_tie(
    scores: Scores, majority: int
) -> None:
    assert judged([scores])["mean_score"] == majority


def test_a_judgement_without_verdict_counts_and_has_no_score() -> None:
    row = judged([(None, None)])

    assert (row["judged"], row["scored"], row["failed_votes"]) == (1, 0, 2)
    assert row["mean_score"] is None
    assert row["mean_vote_spread"] == 0
    assert row["alpha_reason"] == row["shares_reason"] == "no verdict"


def test_a_judgement_without_a_single_vote_counts() -> None:
    row = votes.criteria(builders.votes({"vote": None, "score": None}), builders.trials({}))

    assert row.select("judged", "votes", "failed_votes").collect().row(0) == (1, 0, 0)


def test_a_low_score_all_share_is_told_from_one_that_is_disputed() -> None:
    row = judged([(1, 1, 2), (1, 1, 5), (5, 5, 1), (4, 4, 3), (2,), (None,)])

    sides = ("below_shared", "below_split", "above_split", "above_shared")
    assert [row[name] for name in sides] == [2, 1, 1, 1]
    assert row["straddling"] == 2
    assert row["comparable"] == 4
    assert row["straddling_share"] == 0.5


def test_the_threshold_belongs_to_the_upper_side() -> None:
    ballots = builders.votes({"score": 2}, {"vote": 2, "score": 3}, {"vote": 3, "score": 3})

    split = [
        votes.criteria(ballots, builders.trials({}), threshold).collect()["straddling"].item()
        for threshold in (2, 3, 4)
    ]

    assert split == [0, 1, 0]


def test_agreement_is_the_share_of_verdicts_equal_to_the_majority_of_their_trial() -> None:
    assert judged([(4, 4, 2), (1, 3, None)])["agreement"] == 3 / 5


@pytest.mark.parametrize("size", [2, 3, 5])
def test_alpha_agrees_with_an_independent_implementation(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(20):
        base = rng.integers(1, 6, 12)[:, None]
        table = np.clip(base + rng.integers(-1, 2, (12, size)), 1, 5).astype(float)
        table[rng.random(table.shape) < 0.25] = np.nan
        table[0, :2] = (1, 5)
        scores = [[None if np.isnan(x) else int(x) for x in row] for row in table]

        reference = krippendorff.alpha(table.T, level_of_measurement="interval")

        assert judged(scores)["alpha"] == pytest.approx(reference, abs=1e-12)


def test_alpha_of_the_published_example() -> None:
    observers = (
        (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
        (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
        (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
        (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
    )

    assert judged(list(zip(*observers, strict=True)))["alpha"] == pytest.approx(0.849, abs=5e-4)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [([(3, 3), (3, 3)], "no variation"), ([(3,), (4,)], votes.ONE_VOTE)],
)
def test_what_cannot_be_said_has_a_reason(scores: list[Scores], reason: str) -> None:
    row = judged(scores)

    assert row["alpha"] is None
    assert row["alpha_reason"] == reason


def test_the_vote_variance_is_pooled_over_trials() -> None:
    trials = [(1, 2, 3), (2, 4)]
    squares = sum(np.var(scores, ddof=1) * (len(scores) - 1) for scores in trials)

    assert judged(trials)["vote_variance"] == pytest.approx(squares / 3)


def balanced(scores: np.ndarray) -> tuple[float, float, float]:
    """Variance between items, trials and votes of an array (items, trials, votes), by the book."""
    n, repetitions, size = scores.shape
    trial_means, item_means = scores.mean(axis=2), scores.mean(axis=(1, 2))
    vote = scores.var(axis=2, ddof=1).mean()
    trial = size * ((trial_means - item_means[:, None]) ** 2).sum() / (n * (repetitions - 1))
    item = repetitions * size * ((item_means - scores.mean()) ** 2).sum() / (n - 1)
    parts = (item - trial) / (repetitions * size), (trial - vote) / size, vote
    return max(0.0, parts[0]), max(0.0, parts[1]), parts[2]


def drawn(seed: int, shape: tuple[int, int, int]) -> np.ndarray:
    rng = np.random.default_rng(seed)
    n, repetitions, size = shape
    scores = (
        50
        + rng.normal(0, 7, (n, 1, 1))
        + rng.normal(0, 5, (n, repetitions, 1))
        + rng.normal(0, 4, (n, repetitions, size))
    )
    return scores.round().astype(int)


@pytest.mark.parametrize("shape", [(5, 3, 2), (8, 4, 3), (2, 2, 2)])
def test_the_shares_of_a_balanced_design_are_those_of_the_analysis_of_variance(
    shape: tuple[int, int, int],
) -> None:
    scores = drawn(3, shape)
    items = [f"item {item}" for item in range(shape[0]) for _ in range(shape[1])]
    parts = balanced(scores)

    row = judged(scores.reshape(-1, shape[2]).tolist(), items)

    shares = [row[f"{name}_share"] for name in ("item", "repetition", "vote")]
    assert shares == pytest.approx([part / sum(parts) for part in parts], abs=1e-10)
    assert sum(shares) == pytest.approx(1)


def test_the_shares_of_an_unbalanced_design_recover_what_was_drawn() -> None:
    rng = np.random.default_rng(11)
    scores = drawn(5, (400, 6, 4))
    trials, items = [], []
    for item, repetitions in enumerate(scores):
        for own in repetitions[: rng.integers(2, 7)]:
            trials.append(own[: rng.integers(2, 5)].tolist())
            items.append(f"item {item:03}")

    row = judged(trials, items)

    assert row["item_variance"] == pytest.approx(49, rel=0.15)
    assert row["trial_variance"] == pytest.approx(25, rel=0.1)
    assert row["vote_variance"] == pytest.approx(16, rel=0.1)


@pytest.mark.parametrize(
    ("scores", "items", "reason"),
    [
        ([(1,), (2,)], ["a", "b"], votes.ONE_VOTE),
        ([(1, 2), (2, 3)], ["a", "b"], votes.ONE_REPETITION),
        ([(1, 2), (2, 3)], ["a", "a"], votes.ONE_ITEM),
        ([(2, 2), (2, 2), (2, 2)], ["a", "a", "b"], votes.NO_VARIATION),
    ],
)
def test_a_split_that_needs_more_says_what(
    scores: list[Scores], items: list[str], reason: str
) -> None:
    row = judged(scores, items)

    assert row["shares_reason"] == reason
    assert row["item_share"] is None


def test_votes_on_one_item_say_nothing_about_another() -> None:
    ballots = builders.votes({"score": 1}, {"trial": trial_number(1), "score": 5})
    trials = builders.trials({"item": "a"}, {"trial": trial_number(1), "item": "b"})

    rows = votes.items(ballots, trials).select("item", "mean_score").collect()

    assert rows.equals(pl.DataFrame({"item": ["a", "b"], "mean_score": [1.0, 5.0]}))
