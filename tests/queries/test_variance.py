import math
from itertools import combinations, product
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
import pytest

from queries import behaviour, breakdown, categories, reliability, variance
from tests import builders
from tests.builders import trial_number

BOOK = categories.shipped()
TARGET = '["facts"]'


def suite(results: dict[str, str], **more: Any) -> breakdown.Counts:
    """A run whose items demand one thing; ``PF.`` is a pass, a failure and an error."""
    outcomes = {"P": "passed", "F": "failed", ".": "error"}
    trials: list[dict[str, Any]] = []
    checks, definitions = [], []
    for place, (item, marks) in enumerate(results.items()):
        definitions.append({"item": item, "definition": place, "target": TARGET})
        for repetition, mark in enumerate(marks):
            trial = trial_number(len(trials))
            own = {"trial": trial, "outcome": outcomes[mark], "item": item}
            trials.append(own | {"repetition": repetition} | more)
            if mark != ".":
                checks.append({"trial": trial, "definition": place, "passed": mark == "P"})
    return reliability.counts(
        builders.runs({}),
        builders.items(*({"item": item} for item in results)),
        builders.trials(*trials),
        builders.checks(*checks),
        builders.definitions(*definitions),
        BOOK,
    )


def category(results: dict[str, str]) -> dict[str, Any]:
    [row] = variance.categories(suite(results)).collect().to_dicts()
    return row


def cells(trials: pl.LazyFrame, checks: pl.LazyFrame | None = None) -> list[dict[str, Any]]:
    frame = variance.cells(trials, builders.checks() if checks is None else checks)
    return frame.collect().to_dicts()


def repeated(outcomes: list[str], **more: Any) -> pl.LazyFrame:
    return builders.trials(
        *(
            {"trial": trial_number(place), "repetition": place, "outcome": outcome} | more
            for place, outcome in enumerate(outcomes)
        )
    )


def test_one_repetition_is_unknown_not_zero() -> None:
    [cell] = cells(repeated(["passed"]))
    row = category({"a": "P", "b": "PF"})

    assert cell["pair_disagreement"] is None
    assert cell["reason"] == "one repetition: noise unknown"
    assert row["rerun_error"] is None
    assert row["smallest_gap"] is None
    assert row["reason"] == "one repetition: noise unknown"


def test_pair_disagreement_counts_pairs_that_differ() -> None:
    outcomes = ["passed"] * 3 + ["failed"] * 2 + ["error"]
    graded = outcomes[:5]
    pairs = list(combinations(graded, 2))

    [cell] = cells(repeated(outcomes))

    assert cell["pair_disagreement"] == sum(a != b for a, b in pairs) / len(pairs)
    assert cell["ungraded"] == 1


def test_pair_disagreement_is_unbiased_whatever_the_number_of_repetitions() -> None:
    probability = 0.8
    for repetitions in (2, 3, 5):
        mean = 0.0
        for marks in product("PF", repeat=repetitions):
            passed = marks.count("P")
            chance = probability**passed * (1 - probability) ** (repetitions - passed)
            failed = repetitions - passed
            mean += chance * 2 * passed * failed / (repetitions * (repetitions - 1))
        assert mean == pytest.approx(2 * probability * (1 - probability))


def test_a_rate_is_of_graded_trials_but_of_all_where_the_format_says_so() -> None:
    outcomes = ["passed", "failed", "error", "passed"]

    [ours] = cells(repeated(outcomes))
    [theirs] = cells(repeated(outcomes, cards_created=0, acts_refused=0, discards=0))

    assert ours["pass_rate"] == 2 / 3
    assert theirs["pass_rate"] == 2 / 4
    assert (ours["pass_low"], ours["pass_high"]) == (2 / 4, 3 / 4)
    assert ours["refused_proposals"] is None
    assert theirs["refused_proposals"] == 0


def test_what_always_passed_is_only_stable_so_far() -> None:
    [cell] = cells(repeated(["passed"] * 5))

    assert cell["pair_disagreement"] == 0
    assert cell["stable_so_far"] == pytest.approx(1 - 0.05 ** (1 / 5))


@pytest.mark.parametrize("passed", [0, 1, 2, 9])
def test_a_run_that_mostly_failed_is_suspect_and_left_out_of_flake_scores(passed: int) -> None:
    suspect = passed < 2
    marks = "P" * passed + "F" * (9 - passed) + "."
    [cell] = cells(repeated(["passed"] * passed + ["failed"] * (9 - passed) + ["error"]))
    row = category({"a": marks})

    for found in (cell, row):
        assert found["suspect"] is suspect
        assert (found["pair_disagreement"] is None) is suspect
        assert (found["reason"] == variance.SUSPECT) is suspect


def signed(*behaviours: tuple[str, str, str]) -> pl.LazyFrame:
    """Trials that have an outcome, a signature and a masked signature."""
    names = ("outcome", "signature", "masked_signature")
    return builders.trials(
        *(
            {"trial": trial_number(place)} | dict(zip(names, each, strict=True))
            for place, each in enumerate(behaviours)
        )
    )


def test_behaviours_are_the_signatures_the_commonest_first() -> None:
    [cell] = cells(
        signed(
            ("failed", "wrote 1", "wrote #"),
            ("passed", "wrote 2", "wrote #"),
            ("failed", "asked", "asked"),
            ("passed", "wrote 2", "wrote #"),
        )
    )

    assert cell["distinct_behaviours"] == 3
    assert cell["distinct_behaviours_masked"] == 2
    assert [(each["count"], each["passed"]) for each in cell["behaviours"]] == [
        (2, True),
        (1, False),
        (1, False),
    ]
    assert cell["behaviours"][0]["trial"].endswith("-1")
    assert cell["behaviours"][1]["trial"].endswith("-2"), "asked comes before wrote 1"


def test_the_first_trial_with_a_signature_says_whether_it_passed() -> None:
    [cell] = cells(signed(("passed", "same", "same"), ("failed", "same", "same")))

    assert cell["behaviours"] == [
        {"count": 2, "passed": True, "trial": cell["behaviours"][0]["trial"]}
    ]


def traced(*trials: list[dict[str, Any]]) -> list[tuple[int, bool]]:
    """Behaviours of trials given by their checks."""
    rows = [
        {"trial": trial_number(place), "position": position} | check
        for place, checks in enumerate(trials)
        for position, check in enumerate(checks)
    ]
    outcomes = [
        "passed" if all(c.get("passed", True) for c in checks if "parent" not in c) else "failed"
        for checks in trials
    ]
    [cell] = cells(repeated(outcomes), builders.checks(*rows))
    return [(each["count"], each["passed"]) for each in cell["behaviours"]]


def test_without_a_signature_trials_that_came_to_the_same_did_the_same() -> None:
    good = [{"definition": 1}, {"definition": 2}]
    bad = [{"definition": 1, "passed": False, "decisive": True}, {"definition": 2}]
    worse = [{"definition": 1}, {"definition": 2, "passed": False, "decisive": True}]

    assert traced(good, good, bad) == [(2, True), (1, False)]
    assert sorted(traced(good, bad, worse)) == [(1, False), (1, False), (1, True)]


def test_without_a_signature_the_decisive_leaf_tells_behaviours_apart() -> None:
    def choice(decisive: int, aside: int | None = None) -> list[dict[str, Any]]:
        leaves = [
            {"parent": 0, "passed": False, "decisive": place == decisive, "negated": place == aside}
            for place in (1, 2)
        ]
        return [{"definition": 1, "kind": "all", "passed": False}, *leaves]

    assert traced(choice(1), choice(1)) == [(2, False)]
    assert traced(choice(1), choice(2)) == [(1, False), (1, False)]


def test_without_a_signature_a_criterion_that_was_not_evaluated_tells_behaviours_apart() -> None:
    both, one = [{"definition": 1}, {"definition": 2}], [{"definition": 1}]

    assert traced(both, one, []) == [(1, True), (1, True), (1, True)]


def test_an_ungraded_trial_shows_no_behaviour_without_a_signature() -> None:
    [cell] = cells(repeated(["error", "blocked"]))

    assert cell["distinct_behaviours"] == 0
    assert cell["behaviours"] == []
    assert cell["reason"] == "nothing graded"


def test_rerun_error_is_the_spread_of_the_mean_when_the_items_run_again() -> None:
    row = category({"a": "PPFF", "b": "PPPPF", "c": "PPP"})
    terms = [0.5 * 0.5 / 3, 0.8 * 0.2 / 4, 0]

    assert row["rerun_error"] == pytest.approx(math.sqrt(sum(terms)) / 3)
    assert row["smallest_gap"] == pytest.approx(1.959963984540054 * 2**0.5 * row["rerun_error"])
    assert (row["always_passed"], row["never_passed"], row["mixed"]) == (1, 0, 2)


def test_rerun_error_is_what_simulated_runs_spread_by() -> None:
    rng = np.random.default_rng(7)
    rates = rng.uniform(0.3, 1.0, 12)
    again = rng.binomial(5, rates, (4_000, 12)) / 5
    true = again.mean(axis=1).std()

    estimates = []
    for _ in range(60):
        marks = {
            f"i{i}": "".join(rng.choice(["P", "F"], 5, p=[p, 1 - p])) for i, p in enumerate(rates)
        }
        estimates.append(category(marks)["rerun_error"])

    assert np.sqrt(np.mean(np.square(estimates))) == pytest.approx(true, rel=0.06)


def test_chances_of_several_attempts_are_counted_without_replacement() -> None:
    marks = {"a": "PPPFF", "b": "PFFF"}
    chances: dict[int, list[tuple[float, float]]] = {k: [] for k in (1, 2, 3, 4)}
    for text in marks.values():
        for k in chances:
            draws = list(combinations(text, k))
            some = sum("P" in draw for draw in draws) / len(draws)
            every = sum("F" not in draw for draw in draws) / len(draws)
            chances[k].append((some, every))

    attempts = category(marks)["attempts"]

    assert [each["k"] for each in attempts] == [1, 2, 3, 4]
    for each in attempts:
        some, every = (sum(values) / 2 for values in zip(*chances[each["k"]], strict=True))
        assert each["any"] == pytest.approx(some, abs=1e-12)
        assert each["all"] == pytest.approx(every, abs=1e-12)


def anova_share(marks: list[str]) -> float:
    """ICC(1) by the sums of squares of a one-way analysis of variance."""
    values = [[float(mark == "P") for mark in text] for text in marks]
    flat = [value for group in values for value in group]
    n, total = len(values), len(flat)
    grand = sum(flat) / total
    means = [sum(group) / len(group) for group in values]
    between = sum(
        len(group) * (mean - grand) ** 2 for group, mean in zip(values, means, strict=True)
    ) / (n - 1)
    inside = sum(
        (value - mean) ** 2 for group, mean in zip(values, means, strict=True) for value in group
    ) / (total - n)
    size = (total - sum(len(group) ** 2 for group in values) / total) / (n - 1)
    return (between - inside) / (between + (size - 1) * inside)


@pytest.mark.parametrize("marks", [["PPPF", "FFFP", "PPPP"], ["PF", "FPF", "PPPPP"], ["PP", "FF"]])
def test_the_share_of_the_items_is_icc_1(marks: list[str]) -> None:
    found = category({f"item {place}": text for place, text in enumerate(marks)})

    assert found["item_share"] == pytest.approx(anova_share(marks))


@pytest.mark.parametrize("marks", [["PPP", "PPP"], ["P", "F"], ["PFP"]])
def test_without_variance_or_repetition_or_items_there_is_no_share(marks: list[str]) -> None:
    found = category({f"item {place}": text for place, text in enumerate(marks)})

    assert found["item_share"] is None


def test_the_two_digests_of_a_behaviour_tell_apart_what_one_would_confuse() -> None:
    facts = nw.from_native(pl.DataFrame({"fact": range(300)}))
    first, second = (
        facts.select(behaviour._digest(offset)).to_native().to_series().to_list()
        for offset in behaviour._OFFSETS
    )

    ratios = {
        b * pow(a, -1, behaviour._PRIME) % behaviour._PRIME
        for a, b in zip(first, second, strict=True)
    }
    assert len(set(first)) == len(set(second)) == len(ratios) == 300


def test_sets_with_equal_sums_of_powers_are_different_behaviours() -> None:
    def failing(criteria: set[int]) -> list[dict[str, Any]]:
        return [{"definition": n, "passed": n not in criteria} for n in range(12)]

    assert traced(failing({0, 4, 7, 11}), failing({1, 2, 9, 10})) == [(1, False), (1, False)]
