"""The tests of two sides agree with scipy and statsmodels."""

import itertools
import random

import polars as pl
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import StratifiedTable, mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from queries import paired_tests
from queries.paired_tests import Stratum

SOME = [Stratum(5, 5, 3, 5), Stratum(4, 5, 4, 5), Stratum(2, 6, 1, 4, 3), Stratum(9, 9, 2, 7)]


def tables(strata: list[Stratum]) -> list[list[list[int]]]:
    return [
        [
            [each.base_passed, each.base_trials - each.base_passed],
            [each.current_passed, each.current_trials - each.current_passed],
        ]
        for each in strata
        for _ in range(each.cells)
    ]


def drawn(seed: int, cells: int, repetitions: int) -> list[Stratum]:
    draw = random.Random(seed)  # noqa: S311 (no secret)
    return [
        Stratum(
            draw.randint(0, repetitions), repetitions, draw.randint(0, repetitions), repetitions
        )
        for _ in range(cells)
    ]


@pytest.mark.parametrize("strata", [SOME, drawn(1, 20, 5), drawn(2, 40, 3)])
def test_cmh_is_that_of_statsmodels(strata: list[Stratum]) -> None:
    theirs = StratifiedTable([list(zip(*t, strict=True)) for t in tables(strata)])

    assert paired_tests.cmh(strata) == pytest.approx(
        theirs.test_null_odds(correction=False).pvalue, rel=1e-9
    )


@pytest.mark.parametrize(("b", "c"), [(0, 0), (0, 1), (1, 9), (5, 5), (12, 30), (400, 301)])
def test_mcnemar_is_that_of_statsmodels(b: int, c: int) -> None:
    theirs = mcnemar([[3, b], [c, 4]], exact=True).pvalue

    assert paired_tests.mcnemar(b, c) == pytest.approx(theirs, rel=1e-9)
    strata = [Stratum(1, 1, 0, 1, b), Stratum(0, 1, 1, 1, c), Stratum(1, 1, 1, 1, 3)]
    assert paired_tests.paired_test(strata).p == pytest.approx(theirs, rel=1e-9)


def test_mcnemar_of_a_million_cells_ends() -> None:
    assert 0 < paired_tests.mcnemar(500_500, 499_500) < 1


def test_cmh_at_one_repetition_is_mcnemar_without_correction() -> None:
    strata = [Stratum(1, 1, 0, 1, 20), Stratum(0, 1, 1, 1, 9)]
    theirs = mcnemar([[0, 20], [9, 0]], exact=False, correction=False).pvalue

    assert paired_tests.cmh(strata) == pytest.approx(theirs, rel=1e-9)


def relabelled(strata: list[Stratum]) -> float:
    """The share of relabellings further from what is expected, and half of those as far."""
    wanted, ways = [], []
    for each in strata:
        passed = each.base_passed + each.current_passed
        trials = each.base_trials + each.current_trials
        own = stats.hypergeom(trials, passed, each.base_trials)
        mean = passed * each.base_trials / trials
        support = range(min(each.base_trials, passed) + 1)
        ways.append([(mine - mean, own.pmf(mine)) for mine in support])
        wanted.append(each.base_passed - mean)
    if abs(sum(wanted)) < 1e-9:
        return 1.0
    total = 0.0
    for combination in itertools.product(*ways):
        further = abs(sum(value for value, _ in combination)) - abs(sum(wanted))
        if further >= -1e-9:
            chance = 0.5 if further < 1e-9 else 1.0
            for _, own_chance in combination:
                chance *= own_chance
            total += chance
    return total


@pytest.mark.parametrize("seed", range(5))
def test_the_permutation_counts_every_relabelling(seed: int) -> None:
    strata = drawn(seed, 4, 4)

    assert paired_tests.permutation(strata) == pytest.approx(relabelled(strata), rel=1e-9)


def test_the_permutation_of_one_cell_is_fishers_test_less_half_of_what_was_seen() -> None:
    """With equal trials the distribution is symmetric, where Fisher's test agrees."""
    full = stats.fisher_exact([[9, 1], [4, 6]]).pvalue
    seen = stats.hypergeom(20, 13, 10).pmf(9)

    assert paired_tests.permutation([Stratum(9, 10, 4, 10)]) == pytest.approx(full - seen, rel=1e-9)


@pytest.mark.parametrize(
    ("strata", "name"),
    [
        ([Stratum(1, 1, 0, 1)], "exact McNemar"),
        ([Stratum(2, 3, 1, 3)], "permutation, mid-p"),
        (drawn(3, 30, 5), "Cochran-Mantel-Haenszel"),
    ],
)
def test_the_test_fits_the_data(strata: list[Stratum], name: str) -> None:
    assert paired_tests.paired_test(strata).test == name


def test_cells_are_not_pooled() -> None:
    """Two cells that moved opposite ways differ from two that stayed."""
    moved = [Stratum(10, 10, 0, 10), Stratum(0, 10, 10, 10)]

    assert paired_tests.paired_test(moved).p == pytest.approx(1.0)
    assert paired_tests.variance(moved) > paired_tests.variance([Stratum(10, 20, 10, 20)])


def test_nothing_discordant_is_no_evidence() -> None:
    assert paired_tests.cmh([Stratum(3, 3, 3, 3)]) == 1.0


def newcombe(*values: float) -> tuple[float, float]:
    names = ("base", "base_size", "current", "current_size")
    frame = pl.DataFrame([values], schema=list(names), orient="row")
    low, high = paired_tests.newcombe(*map(pl.col, names))
    row: tuple[float, float] = frame.select(low.alias("low"), high.alias("high")).row(0)
    return row


def test_newcombe_is_hypot_of_the_wilson_limits_of_statsmodels() -> None:
    base_low, base_high = proportion_confint(45, 60, method="wilson")
    low, high = proportion_confint(30, 50, method="wilson")
    found = newcombe(45 / 60, 60, 30 / 50, 50)
    difference = 30 / 50 - 45 / 60

    assert found[0] == pytest.approx(
        difference - ((0.6 - low) ** 2 + (base_high - 0.75) ** 2) ** 0.5, abs=1e-9
    )
    assert found[1] == pytest.approx(
        difference + ((high - 0.6) ** 2 + (0.75 - base_low) ** 2) ** 0.5, abs=1e-9
    )


def test_newcombe_stays_wide_where_every_cell_agrees() -> None:
    low, high = newcombe(1.0, 30, 1.0, 30)

    assert low < -0.05
    assert high > 0.05


@pytest.mark.parametrize("seed", range(3))
def test_holm_is_that_of_statsmodels(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 (no secret)
    values = [draw.random() ** 3 for _ in range(7)]

    assert paired_tests.holm(values) == pytest.approx(
        list(multipletests(values, method="holm")[1]), rel=1e-12
    )


def test_a_test_that_was_not_made_is_not_adjusted_for() -> None:
    assert paired_tests.holm([0.02, None, 0.03]) == [0.04, None, 0.04]
