"""Tests and intervals for two sides measured on the same cells, from counts alone.

Everything is a function of strata: how many cells have these passes of these trials on either side.
Cells stay apart (a cell is compared with itself); pooling them would be too timid about the same
cells and too bold about others.
"""

import math
import operator
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import polars as pl

from queries.intervals import wilson

ENOUGH_VARIANCE: Final = 5.0
"""From this much variance on the normal approximation of the stratified test holds."""
_CLOSE: Final = 1e-9
_NORMAL: Final = NormalDist()


class Stratum(NamedTuple):
    """``cells`` cells, each with these passes of these trials on either side."""

    base_passed: int
    base_trials: int
    current_passed: int
    current_trials: int
    cells: int = 1


class Tested(NamedTuple):
    """Which test, and its two-sided p: how likely a difference like this is between equals."""

    test: str
    p: float


def paired_test(strata: Sequence[Stratum]) -> Tested:
    """Test whether the current side passes more or less often than the base, cell by cell.

    Cochran-Mantel-Haenszel without continuity correction; where its variance is too small for
    the normal approximation, the distribution over all ways of relabelling the trials of each cell;
    with one trial a cell and side, exact McNemar.
    """
    if all(stratum.base_trials == stratum.current_trials == 1 for stratum in strata):
        base_only = sum(each.cells for each in strata if each.base_passed > each.current_passed)
        current_only = sum(each.cells for each in strata if each.base_passed < each.current_passed)
        return Tested("exact McNemar", mcnemar(base_only, current_only))
    if variance(strata) >= ENOUGH_VARIANCE:
        return Tested("Cochran-Mantel-Haenszel", cmh(strata))
    return Tested("permutation, mid-p", permutation(strata))


def mcnemar(base_only: int, current_only: int) -> float:
    """Return the exact two-sided p of McNemar's test from the discordant cells."""
    discordant = base_only + current_only
    fewer = min(base_only, current_only)
    term = tail = math.exp(-discordant * math.log(2) + _log_choose(discordant, fewer))
    for passed in range(fewer, 0, -1):
        term *= passed / (discordant - passed + 1)
        tail += term
    return min(1.0, 2 * tail)


def cmh(strata: Sequence[Stratum]) -> float:
    """Return the two-sided p of Cochran-Mantel-Haenszel; 1 when no cell could tell."""
    spread = variance(strata)
    if spread <= 0:
        return 1.0
    return 2 * _NORMAL.cdf(-abs(_surplus(strata)) / math.sqrt(spread))


def permutation(strata: Sequence[Stratum]) -> float:
    """Return the two-sided mid-p over all relabellings of the trials inside each cell.

    The passes of the base side of a cell are then hypergeometric; their sum over the cells is the
    convolution of those distributions, which random draws would only approximate. Outcomes exactly
    as far from what is expected as the one seen count half: with few outcomes the full p finds too
    little, this one about as often as its level says.
    """
    chances = [1.0]
    start = 0
    for stratum in _informative(strata):
        low, own = _hypergeometric(stratum)
        for _ in range(stratum.cells):
            chances = _convolved(chances, own)
            start += low
    expected = math.fsum(_expected(each) * each.cells for each in _informative(strata))
    surplus = abs(_surplus(strata))
    if surplus <= _CLOSE:
        return 1.0
    further = [abs(start + place - expected) - surplus for place in range(len(chances))]
    weights = [0.0 if far < -_CLOSE else 0.5 if far <= _CLOSE else 1.0 for far in further]
    return min(1.0, math.fsum(map(operator.mul, weights, chances)))


def variance(strata: Sequence[Stratum]) -> float:
    """Return the variance of the base's passes, given how many each cell has in all."""
    return math.fsum(_variance(each) * each.cells for each in strata)


def newcombe(
    base: pl.Expr, base_size: pl.Expr, current: pl.Expr, current_size: pl.Expr
) -> tuple[pl.Expr, pl.Expr]:
    """Return the ends of the interval of current minus base, from Wilson's of each rate.

    It keeps its width where every cell agrees with itself, which standard errors do not.
    """
    base_low, base_high = wilson(base, base_size)
    low, high = wilson(current, current_size)
    difference = current - base
    return (
        (difference - _hypotenuse(current - low, base_high - base)).clip(-1, 1),
        (difference + _hypotenuse(high - current, base - base_low)).clip(-1, 1),
    )


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return the p values adjusted for how many tests stand on one page; None stays None."""
    ranked = sorted((p, place) for place, p in enumerate(values) if p is not None)
    adjusted: list[float | None] = [None] * len(values)
    highest = 0.0
    for rank, (p, place) in enumerate(ranked):
        highest = max(highest, min(1.0, (len(ranked) - rank) * p))
        adjusted[place] = highest
    return adjusted


def _hypotenuse(one: pl.Expr, other: pl.Expr) -> pl.Expr:
    return (one * one + other * other).sqrt()


def _informative(strata: Sequence[Stratum]) -> Iterator[Stratum]:
    """Cells whose trials did not all end alike: the others say nothing about a difference."""
    for each in strata:
        passed = each.base_passed + each.current_passed
        if 0 < passed < each.base_trials + each.current_trials:
            yield each


def _expected(each: Stratum) -> float:
    passed = each.base_passed + each.current_passed
    return passed * each.base_trials / (each.base_trials + each.current_trials)


def _variance(each: Stratum) -> float:
    passed = each.base_passed + each.current_passed
    trials = each.base_trials + each.current_trials
    if trials < 2:
        return 0.0
    ways = each.base_trials * each.current_trials * passed * (trials - passed)
    return ways / (trials * trials * (trials - 1))


def _surplus(strata: Sequence[Stratum]) -> float:
    """How many more passes the base has than its share of each cell's."""
    return math.fsum((each.base_passed - _expected(each)) * each.cells for each in strata)


def _hypergeometric(each: Stratum) -> tuple[int, list[float]]:
    """The fewest passes the base of a cell may have, and the chance of that many and more."""
    passed = each.base_passed + each.current_passed
    trials = each.base_trials + each.current_trials
    low = max(0, passed - each.current_trials)
    high = min(each.base_trials, passed)
    ways = math.comb(trials, passed)
    chances = [
        math.comb(each.base_trials, mine) * math.comb(each.current_trials, passed - mine) / ways
        for mine in range(low, high + 1)
    ]
    return low, chances


def _convolved(left: Sequence[float], right: Sequence[float]) -> list[float]:
    total = [0.0] * (len(left) + len(right) - 1)
    for place, chance in enumerate(left):
        for offset, other in enumerate(right):
            total[place + offset] += chance * other
    return total


def _log_choose(whole: int, part: int) -> float:
    return math.lgamma(whole + 1) - math.lgamma(part + 1) - math.lgamma(whole - part + 1)
