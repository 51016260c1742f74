"""How often the paired tests cry wolf, and their interval holds, by simulation: a Markdown table.

Two sides that are equal item by item are drawn and tested by the code the product uses; a test at
5 % should find a difference in about that share of suites. Exact McNemar, with few cells that
differ, finds fewer, never more. The next column shows how often a real drop is found.

    python -m benchmarks.coverage_paired [--suites 4000] [--seed 20260901]
"""

import argparse
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from queries import difference, paired_tests
from queries.paired_tests import Stratum

LEVEL: Final = 0.05
LEAST: Final = 0.03
MOST: Final = 0.06
DROP: Final = 0.15
EXACT: Final = "exact McNemar"


class Setting(NamedTuple):
    """Suites of ``items`` repeated on either side, with this mean rate and correlation."""

    items: int
    base: int
    current: int
    mean: float
    correlation: float

    def __str__(self) -> str:
        """Return items x repetitions of either side, mean, correlation."""
        shape = f"{self.items} x {self.base}+{self.current}"
        return f"{shape}, {self.mean:.2f}, {self.correlation:.2f}"


SETTINGS: Final = (
    Setting(20, 5, 5, 0.80, 0.33),
    Setting(20, 5, 5, 0.50, 0.33),
    Setting(30, 3, 3, 0.80, 0.33),
    Setting(30, 5, 2, 0.80, 0.33),
    Setting(50, 4, 4, 0.90, 0.50),
    Setting(100, 1, 1, 0.60, 0.33),
    Setting(200, 1, 1, 0.70, 0.33),
    Setting(400, 1, 1, 0.80, 0.33),
    Setting(8, 5, 5, 0.80, 0.33),
    Setting(10, 3, 3, 0.70, 0.33),
)


class Found(NamedTuple):
    """Shares of suites: equal ones found different, dropped ones found, intervals that held."""

    tests: str
    false_alarms: float
    power: float
    held: float


def draw(
    setting: Setting, suites: int, drop: float, rng: np.random.Generator
) -> Iterator[tuple[list[Stratum], float]]:
    """Yield the strata of each suite, and its true mean difference."""
    concentration = 1 / setting.correlation - 1
    a, b = setting.mean * concentration, (1 - setting.mean) * concentration
    for _ in range(suites):
        base = rng.beta(a, b, setting.items)
        current = np.clip(base - drop, 0, 1)
        passed = rng.binomial(setting.base, base), rng.binomial(setting.current, current)
        strata = [
            Stratum(one, setting.base, other, setting.current)
            for one, other in zip(passed[0].tolist(), passed[1].tolist(), strict=True)
        ]
        yield strata, float((current - base).mean())


def measure(setting: Setting, suites: int, rng: np.random.Generator) -> Found:
    """Return what the tests and the interval do in one setting."""
    tests, rows = set(), []
    for strata, true in draw(setting, suites, 0.0, rng):
        found = difference.measure(strata)
        rows.append((found, true))
        tests.add(found.test or "none")
    alarms = _found([found.p for found, _ in rows])
    dropped = [difference.measure(strata) for strata, _ in draw(setting, suites, DROP, rng)]
    names = ", ".join(sorted(tests - {"none"}))
    return Found(names, alarms, _found([found.p for found in dropped]), _held(rows))


def _found(values: Sequence[float | None]) -> float:
    return sum(p is not None and p < LEVEL for p in values) / len(values)


def _held(rows: Sequence[tuple[difference.Difference, float]]) -> float:
    names = ("base_rate", "base_size", "current_rate", "current_size")
    low, high = paired_tests.newcombe(*map(pl.col, names))
    frame = pl.DataFrame(
        [[getattr(found, name) for name in names] + [true] for found, true in rows],
        schema=[*names, "true"],
        orient="row",
    )
    return float(frame.select(pl.col("true").is_between(low, high).mean()).item())


def table(suites: int, seed: int) -> tuple[list[str], bool]:
    """Return the lines of the table, and whether every test finds as many as its level says."""
    lines = [
        "| items x repetitions base+current, mean, correlation | tests made | found of equal sides "
        f"| found of a drop of {DROP} | interval held |",
        "|---|---|---|---|---|",
    ]
    held = True
    for place, setting in enumerate(SETTINGS):
        found = measure(setting, suites, np.random.default_rng([seed, place]))
        shares = " | ".join(f"{share:.3f}" for share in found[1:])
        lines.append(f"| {setting} | {found.tests} | {shares} |")
        least = 0.0 if found.tests == EXACT else LEAST
        held = held and least <= found.false_alarms <= MOST
    return lines, held


def main() -> int:
    """Print the table; fail when a test finds differences of equal sides too often or rarely."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suites", type=int, default=4_000)
    parser.add_argument("--seed", type=int, default=20260901)
    arguments = parser.parse_args()
    lines, held = table(arguments.suites, arguments.seed)
    print("\n".join(lines))  # noqa: T201
    print(f"\nof equal sides {LEAST} to {MOST} are to be found, by {EXACT} no more")  # noqa: T201
    return int(not held)


if __name__ == "__main__":
    raise SystemExit(main())
