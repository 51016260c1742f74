"""How far a rate could lie from the counted one, and which question each interval answers.

Two questions, two intervals. ``again``: these items, run again. ``items``: other items like these.
A suite of a few items says much about itself and little about items it does not hold.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import polars as pl

QUESTIONS: Final = {
    "again": "would these items give this rate if they ran again?",
    "items": "what is the rate on other items like these?",
}
LEVEL: Final = 0.95
FEW_ITEMS: Final = 100
LEAST_CORRELATION: Final = 0.3
"""Suites of few items under-estimate how alike the repetitions of an item are: assume this much.

Fifty items at 0.95 that are alike by 0.5 would be held in 0.93 of suites without it."""

_TINY: Final = 1e-300
_CLOSE: Final = 4e-16
_STEPS: Final = 10_000
_LARGE: Final = 20


def normal_quantile(probability: float) -> float:
    """Return the value a standard normal stays below with this probability."""
    return NormalDist().inv_cdf(probability)


def _fraction(a: float, b: float, x: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function (modified Lentz)."""
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    result = d
    for step in range(1, _STEPS):
        m, twice = step, 2 * step
        even = m * (b - m) * x / ((a + twice - 1) * (a + twice))
        odd = -(a + m) * (a + b + m) * x / ((a + twice) * (a + twice + 1))
        for term in (even, odd):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            result *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return result


def _away(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def _log_beta(a: float, b: float) -> float:
    """Return log B(a, b); where one is large, without subtracting two large logarithms."""
    small, large = sorted((a, b))
    if large < _LARGE:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    both = small + large
    ratio = (both - 0.5) * math.log1p(small / large) + small * math.log(large) - small
    return math.lgamma(small) - ratio + _stirling(large) - _stirling(both)


def _stirling(x: float) -> float:
    """Return what Stirling's formula leaves of log gamma."""
    square = x * x
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / x


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function: P(Beta(a, b) <= x)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(a * math.log(x) + b * math.log1p(-x) - _log_beta(a, b))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


@lru_cache(maxsize=100_000)
def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the value a Beta(a, b) variable stays below with this probability.

    Newton's steps on the distribution function, kept inside a bracket that bisection shrinks.
    """
    if probability <= 0 or probability >= 1:
        return float(probability >= 1)
    low, high, x = 0.0, 1.0, a / (a + b)
    log = -_log_beta(a, b)
    for _ in range(200):
        error = beta_cdf(x, a, b) - probability
        low, high = (low, x) if error > 0 else (x, high)
        slope = math.exp(log + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))
        step = x - error / slope if slope > 0 else low
        moved = step if low < step < high else (low + high) / 2
        if abs(moved - x) <= 1e-16 + 1e-14 * x or moved in (0.0, 1.0):
            return moved
        x = moved
    return x


@lru_cache(maxsize=10_000)
def t_quantile(probability: float, freedom: float) -> float:
    """Return the value Student's t of this freedom stays below, for a probability above a half."""
    share = beta_quantile(2 * (1 - probability), freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - share) / share)


def clopper_pearson(passed: float, size: float, level: float = LEVEL) -> tuple[float, float]:
    """Return the exact interval of a rate from ``passed`` of ``size``; neither need be whole."""
    tail = (1 - level) / 2
    low = beta_quantile(tail, passed, size - passed + 1) if passed > 0 else 0.0
    high = beta_quantile(1 - tail, passed + 1, size - passed) if passed < size else 1.0
    return low, high


def wilson(
    rate: pl.Expr, size: pl.Expr, z: pl.Expr | float | None = None
) -> tuple[pl.Expr, pl.Expr]:
    """Return the ends of Wilson's interval of a rate observed on ``size`` trials.

    ``size`` may be an effective one, and ``z`` a quantile of Student's t. Null where nothing was
    observed. The ends never leave 0 to 1 and always hold the rate, however it was rounded.
    """
    z = normal_quantile((1 + LEVEL) / 2) if z is None else z
    size = pl.when(size > 0).then(size.cast(pl.Float64))
    square = (pl.lit(z) if isinstance(z, float) else z).pow(2) / size
    centre = (rate + square / 2) / (1 + square)
    half = (square * (rate * (1 - rate) + square / 4)).sqrt() / (1 + square)
    low = pl.when(rate <= 0).then(centre * 0).otherwise((centre - half).clip(0, rate))
    high = pl.when(rate >= 1).then(centre * 0 + 1).otherwise((centre + half).clip(rate, 1))
    return low, high


def t_of(items: pl.Expr, level: float = LEVEL) -> pl.Expr:
    """Return Student's quantile for a mean of this many items; null below two."""
    probability = (1 + level) / 2
    return _each(items, lambda count: t_quantile(probability, count - 1) if count > 1 else None)


def exact(passed: pl.Expr, size: pl.Expr, level: float = LEVEL) -> tuple[pl.Expr, pl.Expr]:
    """Return the ends of the Clopper-Pearson interval; null where nothing was observed."""
    counts = pl.struct(passed.cast(pl.Float64).alias("x"), size.cast(pl.Float64).alias("m"))

    def end(which: int) -> Callable[[dict[str, float]], float | None]:
        return lambda count: (
            clopper_pearson(count["x"], count["m"], level)[which] if count["m"] else None
        )

    return _each(counts, end(0)), _each(counts, end(1))


def _each(column: pl.Expr, compute: Callable[..., float | None]) -> pl.Expr:
    """Compute a number from each value of a small column."""

    def batch(values: pl.Series) -> pl.Series:
        results = [None if value is None else compute(value) for value in values]
        return pl.Series(values.name, results, dtype=pl.Float64)

    return column.map_batches(batch, return_dtype=pl.Float64)


def stable_so_far(passed: pl.Expr, repetitions: pl.Expr) -> pl.Expr:
    """Return the highest failure rate that still often passes this many times in a row.

    The one-sided 95 % limit, for what passed every time; null for the rest.
    """
    limit = 1 - (1 - LEVEL) ** (1 / repetitions)
    return pl.when((repetitions > 0) & (passed == repetitions)).then(limit)


def correlation(within: pl.Expr, total: pl.Expr, passed: pl.Expr, items: pl.Expr) -> pl.Expr:
    """Return how alike the trials of an item are, 0 to 1 (Fleiss and Cuzick).

    Args:
        within: Sum over items of c (R - c) / R.
        total: Sum of R.
        passed: Sum of c.
        items: Number of items.
    """
    spread = (total - items) * passed * (total - passed)
    alike = 1 - within * total.cast(pl.Float64).pow(2) / spread
    one_outcome = (passed == 0) | (passed == total)
    return pl.when(one_outcome | (spread <= 0)).then(1.0).otherwise(alike.clip(0, 1))


def assumed(correlation: pl.Expr, items: pl.Expr) -> pl.Expr:
    """Return the correlation to reckon with: a suite of few items is not believed a low one."""
    least = pl.when(items < FEW_ITEMS).then(LEAST_CORRELATION).otherwise(0.0)
    return pl.max_horizontal(correlation, least)


def effective(total: pl.Expr, squares: pl.Expr, correlation: pl.Expr) -> pl.Expr:
    """Return how many independent trials ``total`` alike ones are worth; ``squares`` sums R²."""
    return total / (1 + (squares / total - 1) * correlation)
