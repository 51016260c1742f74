"""What paired cells say about the difference of two sides in one category.

The rate of a side is the mean of its cells' rates, so that every cell counts once; a function of
strata alone, in a fixed order, so that it comes out bit for bit the same.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from queries.intervals import t_quantile
from queries.paired_tests import Stratum, paired_test, variance

DETECTABLE: Final = 1.959963984540054 + 0.8416212335729143
"""Standard errors a difference must have to be found four times in five at the usual 5 %."""


class Difference(NamedTuple):
    """The figures of one category; None where the data cannot say."""

    cells: int
    base_passed: int
    base_trials: int
    current_passed: int
    current_trials: int
    base_rate: float
    current_rate: float
    difference: float
    base_size: float
    current_size: float
    items_low: float | None
    items_high: float | None
    test: str | None
    p: float | None
    both: int
    only_base: int
    only_current: int
    neither: int
    unstable: int
    detectable: float | None
    helps: str | None
    more_cells: int | None
    more_repetitions: int | None


class Interval(NamedTuple):
    """The lower and the upper end."""

    low: float
    high: float


class _Square(NamedTuple):
    both: int
    only_base: int
    only_current: int
    neither: int
    unstable: int


class _Plan(NamedTuple):
    detectable: float | None
    helps: str | None
    more_cells: int | None
    more_repetitions: int | None


class _Noise(NamedTuple):
    """The variance of a cell's difference, and how much of it repetitions explain."""

    total: float
    repetitions: float | None


def measure(strata: Sequence[Stratum]) -> Difference:
    """Return what these paired cells say; there is at least one."""
    ordered = sorted(strata)
    base, current = _mean(ordered, _base), _mean(ordered, _current)
    similar = _similar(ordered, current - base)
    # Where every cell's trials ended alike there is nothing to test, and no test to adjust for.
    tested = paired_test(ordered) if variance(ordered) else None
    square, plan = _square(ordered), _plan(ordered, current - base)
    return Difference(
        cells=_cells(ordered),
        base_passed=_total(ordered, 0),
        base_trials=_total(ordered, 1),
        current_passed=_total(ordered, 2),
        current_trials=_total(ordered, 3),
        base_rate=base,
        current_rate=current,
        difference=current - base,
        base_size=_effective(ordered, 1),
        current_size=_effective(ordered, 3),
        items_low=similar and similar.low,
        items_high=similar and similar.high,
        test=tested and tested.test,
        p=tested and tested.p,
        **square._asdict(),
        **plan._asdict(),
    )


def _base(each: Stratum) -> float:
    return each.base_passed / each.base_trials


def _current(each: Stratum) -> float:
    return each.current_passed / each.current_trials


def _change(each: Stratum) -> float:
    return _current(each) - _base(each)


def _cells(strata: Sequence[Stratum]) -> int:
    return sum(each.cells for each in strata)


def _total(strata: Sequence[Stratum], column: int) -> int:
    return sum(each[column] * each.cells for each in strata)


def _mean(strata: Sequence[Stratum], value: Callable[[Stratum], float]) -> float:
    whole = math.fsum(value(each) * each.cells for each in strata)
    return whole / _cells(strata)


def _effective(strata: Sequence[Stratum], column: int) -> float:
    """Trials that a mean over cells is worth: the cells times their harmonic mean of trials."""
    cells = _cells(strata)
    return cells * cells / math.fsum(each.cells / each[column] for each in strata)


def _spread(strata: Sequence[Stratum]) -> float | None:
    """Return the variance of the cells' differences; None for a single cell."""
    cells = _cells(strata)
    if cells < 2:
        return None
    mean = _mean(strata, _change)
    return math.fsum((_change(each) - mean) ** 2 * each.cells for each in strata) / (cells - 1)


def _similar(strata: Sequence[Stratum], difference: float) -> Interval | None:
    """Return the interval for other cells like these, from how the differences vary."""
    spread = _spread(strata)
    if not spread:
        return None
    cells = _cells(strata)
    half = t_quantile(0.975, cells - 1) * math.sqrt(spread / cells)
    return Interval(max(-1.0, difference - half), min(1.0, difference + half))


def _square(strata: Sequence[Stratum]) -> _Square:
    """Count cells by which side always passes; a cell that wavers on a side is apart."""

    def where(base: float, current: float) -> int:
        own = (each for each in strata if (_base(each), _current(each)) == (base, current))
        return sum(each.cells for each in own)

    both, only_base, only_current, neither = where(1, 1), where(1, 0), where(0, 1), where(0, 0)
    steady = both + only_base + only_current + neither
    return _Square(both, only_base, only_current, neither, _cells(strata) - steady)


def _noise(strata: Sequence[Stratum]) -> _Noise | None:
    spread = _spread(strata)
    if spread is None:
        return None
    if any(min(each.base_trials, each.current_trials) < 2 for each in strata):
        return _Noise(spread, None)
    repetitions = _mean(strata, _rerun_variance)
    return _Noise(max(spread, repetitions), repetitions)


def _rerun_variance(each: Stratum) -> float:
    """Return the variance of a cell's difference that comes from repeating it, unbiased."""
    base, current = _base(each), _current(each)
    return base * (1 - base) / (each.base_trials - 1) + current * (1 - current) / (
        each.current_trials - 1
    )


def _plan(strata: Sequence[Stratum], difference: float) -> _Plan:
    """Return the smallest difference these data could have shown, and what would show more.

    Unknown when nothing varies: then only the interval can say. Which of the two would help is
    unknown while a cell has a single trial on a side.
    """
    noise = _noise(strata)
    if noise is None or not noise.total:
        return _Plan(None, None, None, None)
    cells = _cells(strata)
    detectable = DETECTABLE * math.sqrt(noise.total / cells)
    helps = None
    if noise.repetitions is not None:
        helps = "repetitions" if noise.repetitions * 2 > noise.total else "cells"
    if not difference or detectable <= abs(difference):
        return _Plan(detectable, helps, None, None)
    wanted = (abs(difference) / DETECTABLE) ** 2
    more_cells = math.ceil(noise.total / wanted) - cells
    return _Plan(detectable, helps, more_cells, _more_repetitions(strata, noise, wanted * cells))


def _more_repetitions(strata: Sequence[Stratum], noise: _Noise, allowed: float) -> int | None:
    """Return how many repetitions more of every cell would do; None when none would."""
    if noise.repetitions is None:
        return None
    left = allowed - (noise.total - noise.repetitions)
    if left <= 0:
        return None
    cells = _cells(strata)
    now = min(_effective(strata, 1), _effective(strata, 3)) / cells
    return math.ceil(now * noise.repetitions / left - now)
