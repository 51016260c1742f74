"""How often the intervals hold the rate they are about, by simulation: prints a Markdown table.

Every suite is drawn, counted and given its intervals by the code that the product uses. Items
differ in how often they pass (a beta distribution), repetitions of an item are independent.

    python -m benchmarks.coverage [--suites 4000] [--seed 20260901]
"""

import argparse
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from queries import cells, intervals

LEAST: Final = 0.94
"""What an interval of nominal 0.95 must reach in every setting."""


class Setting(NamedTuple):
    """Suites of ``items`` with this mean rate and correlation; repetitions from low to high."""

    items: int
    low: int
    high: int
    mean: float
    correlation: float

    def __str__(self) -> str:
        """Return how field studies write it: items x repetitions, mean, correlation."""
        repetitions = f"{self.low}" if self.low == self.high else f"{self.low}-{self.high}"
        return f"{self.items} x {repetitions}, {self.mean:.2f}, {self.correlation:.2f}"


SETTINGS: Final = (
    Setting(6, 5, 5, 0.80, 0.33),
    Setting(12, 3, 3, 0.80, 0.17),
    Setting(12, 5, 5, 0.80, 0.33),
    Setting(12, 10, 10, 0.90, 0.50),
    Setting(15, 2, 6, 0.80, 0.33),
    Setting(20, 5, 5, 0.90, 0.50),
    Setting(30, 5, 5, 0.80, 0.33),
    Setting(30, 5, 5, 0.90, 0.50),
    Setting(50, 4, 4, 0.95, 0.50),
)


class Coverage(NamedTuple):
    """Share of suites whose interval held the true rate."""

    again: float
    again_mean: float
    items: float
    pooled: float


def draw(setting: Setting, suites: int, rng: np.random.Generator) -> pl.DataFrame:
    """Return the cells of many suites, each with the rate it was drawn from."""
    concentration = 1 / setting.correlation - 1
    a, b = setting.mean * concentration, (1 - setting.mean) * concentration
    size = suites * setting.items
    rates = rng.beta(a, b, size)
    graded = rng.integers(setting.low, setting.high + 1, size)
    names = [f"item {item}" for item in range(setting.items)]
    return pl.DataFrame(
        {
            "suite": np.repeat(np.arange(suites), setting.items),
            "item": names * suites,
            "true": rates,
            "graded": graded,
            "passed": rng.binomial(graded, rates),
        }
    )


def measure(setting: Setting, suites: int, rng: np.random.Generator) -> Coverage:
    """Return how often each interval holds what it is about.

    ``again`` is about the rate these items would give in as many repetitions, ``again_mean`` about
    the mean of their rates, ``items`` about the rate of all items that could be drawn, which
    ``pooled``, Wilson's interval on all trials, is shown not to hold.
    """
    drawn = draw(setting, suites, rng)
    key = ("suite",)
    trials = pl.col("graded_all")
    rate = pl.col("graded_passed") / trials
    low, high = intervals.wilson(rate, trials)
    pooled = cells.shape(drawn.lazy(), key).select(*key, pooled_low=low, pooled_high=high)
    true = drawn.group_by(key).agg(
        again=(pl.col("true") * pl.col("graded")).sum() / pl.col("graded").sum(),
        again_mean=pl.col("true").mean(),
        items_mean=pl.lit(setting.mean),
    )
    found = (
        cells.with_intervals(cells.shape(drawn.lazy(), key))
        .join(pooled, on=key)
        .join(true.lazy(), on=key)
        .collect()
    )

    def held(interval: str, target: str) -> float:
        inside = pl.col(target).is_between(f"{interval}_low", f"{interval}_high")
        return float(found.select(inside.mean()).item())

    return Coverage(
        held("again", "again"),
        held("again", "again_mean"),
        held("items", "items_mean"),
        held("pooled", "items_mean"),
    )


def table(suites: int, seed: int) -> tuple[list[str], float]:
    """Return the lines of the table, and the lowest coverage of the product's intervals."""
    lines = [
        "| items x repetitions, mean, correlation | again | again, mean of item rates | items "
        "| pooled Wilson for the items question |",
        "|---|---|---|---|---|",
    ]
    worst = 1.0
    for place, setting in enumerate(SETTINGS):
        found = measure(setting, suites, np.random.default_rng([seed, place]))
        lines.append(f"| {setting} | " + " | ".join(f"{share:.3f}" for share in found) + " |")
        worst = min(worst, found.again, found.again_mean, found.items)
    return lines, worst


def main() -> int:
    """Print the table; fail when an interval holds its rate too rarely."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suites", type=int, default=4_000)
    parser.add_argument("--seed", type=int, default=20260901)
    arguments = parser.parse_args()
    lines, worst = table(arguments.suites, arguments.seed)
    print("\n".join(lines))  # noqa: T201
    print(f"\nlowest coverage {worst:.3f}, wanted {LEAST}")  # noqa: T201
    return int(worst < LEAST)


if __name__ == "__main__":
    raise SystemExit(main())
