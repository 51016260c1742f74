"""Makes a large store of plausible runs: the same seed gives the same store.

Of ten runs seven are evaluation reports, two sample reports and one is of trial rows; they are of
several suites and subjects, eight hours apart. One run in fifty is five times as large as the
others. The rows go straight into the tables: reading reports is measured elsewhere.

    python -m benchmarks.generate STORE [--runs 500] [--items 100] [--repetitions 20]
        [--checks 100000000] [--no-payloads]
"""

import argparse
import hashlib
import math
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl

from benchmarks.drawn import FORMATS, Columns, Part, cases, rows, samples
from ingest.records import Run
from ingest.store import Writer

SEED: Final = 20260901
SUITES: Final = ("desk", "travel", "library", "billing")
KINDS: Final = {"evaluation-report": "{}", "sample-report": "{}-samples", "trial-row": "{}-tool"}
SUBJECTS: Final = tuple(f"vendor-{name}/model-{size}" for name in "abcd" for size in (8, 70))
AREAS: Final = ("loans", "refunds", "renewals", "holds", "fines", "cards", "rooms", "events")
LARGE: Final = 5
_EVERY: Final = 51
_START: Final = datetime(2026, 6, 1)  # noqa: DTZ001 (written with a Z)
_DRAW: Final = {"evaluation-report": cases, "trial-row": rows, "sample-report": samples}


class Size(NamedTuple):
    """How many runs, items of a run and repetitions of an item; with payloads or without."""

    runs: int = 500
    items: int = 100
    repetitions: int = 20
    payloads: bool = True

    def part(self, number: int, seed: int) -> Part:
        """Return what is drawn of one run."""
        times = LARGE if number % _EVERY == 0 else 1
        rng = np.random.default_rng([seed, number])
        suite = _suite(number)
        names = [f"{suite}.item-{item:03}" for item in range(self.items)]
        run = hashlib.sha256(b"run %d" % number).hexdigest()[:10]
        return Part(run, names, self.repetitions * times, self.payloads, rng)


FULL: Final = Size()
"""1,080,000 trials, 10,800,000 checks, 3,200,000 turns, 1,080,000 votes, in 500 runs."""
CHECKS_A_TRIAL: Final = 10
"""About: what a number of checks is divided by."""


def of_checks(checks: int, size: Size = FULL) -> Size:
    """Return a size with about this many checks."""
    trials = size.items * size.repetitions * (1 + (LARGE - 1) / _EVERY)
    return size._replace(runs=max(1, math.ceil(checks / CHECKS_A_TRIAL / trials)))


def generate(path: Path, size: Size = FULL, seed: int = SEED) -> None:
    """Write a store of this size to ``path``, which must not exist."""
    writer = Writer(path)
    connection = writer._begin()
    for number in range(size.runs):
        part = size.part(number, seed)
        form = FORMATS[number % len(FORMATS)]
        tables = _run(number, form, part) | _DRAW[form](part)
        for table, columns in tables.items():
            _insert(connection, table, columns)
    writer._end(commit=True)


def _insert(connection: Any, table: str, columns: Columns) -> None:
    connection.register("incoming", pl.DataFrame(columns))
    connection.execute(f'INSERT INTO "{table}" BY NAME SELECT * FROM incoming').fetchall()  # noqa: S608
    connection.unregister("incoming")


def _suite(number: int) -> str:
    """Return the suite of a run; no two formats have one in common."""
    suite = SUITES[number // 10 % len(SUITES)]
    return KINDS[FORMATS[number % len(FORMATS)]].format(suite)


def _run(number: int, form: str, part: Part) -> dict[str, Columns]:
    """Return the run, its report and its items."""
    suite, report = _suite(number), f"{part.run}{number:054x}"
    began = _START + timedelta(hours=8 * number)
    written = f"{began.isoformat()}.000Z"
    trials = part.trials
    rows = form == "trial-row"
    run: dict[str, Any] = dict.fromkeys(Run._fields) | {
        "run": part.run,
        "report": report,
        "position": 0,
        "format": form,
        "dialect": "live-runner" if rows else None,
        "version": None if form == "sample-report" else 1,
        "suite": suite,
        "suite_digest": None if rows else hashlib.sha256(suite.encode()).hexdigest(),
        "subject": SUBJECTS[number // 40 % len(SUBJECTS)],
        "native_run": f"native-{number}",
        "arm": ("full", "ablated")[number // 10 % 2] if rows else None,
        "status": "completed" if form == "evaluation-report" else None,
        "started_at": None if rows else written,
        **dict.fromkeys(("settled", "turns", "begun"), trials),
        "rejected": 0,
    }
    items = np.arange(len(part.items))
    ingested = began + timedelta(hours=1)
    return {
        "report": {
            "report": [report],
            "path": [f"nightly/{began:%Y-%m-%d}/{suite}-{number:04}.json"],
            "format": [form],
            "version": pl.Series([run["version"]], dtype=pl.Int32),
            "bytes": [trials * 3000],
            "ingested_at": [ingested],
        },
        "run_loaded": {name: [value] for name, value in run.items() if value is not None},
        "item": {
            "run": [part.run] * len(items),
            "item": part.items,
            "position": items,
            "name": [f"Item {item}" for item in items],
            "tags": [
                [("it", "en")[item % 2], AREAS[item % 7], *(["smoke"] if item % 5 == 0 else [])]
                for item in items
            ],
            "steps": [["step-0", "step-1"]] * len(items),
            "digest": [hashlib.sha256(name.encode()).hexdigest() for name in part.items],
        },
    }


def sized(parser: argparse.ArgumentParser) -> None:
    """Add the options of a size to a program."""
    for name in ("runs", "items", "repetitions"):
        parser.add_argument(f"--{name}", type=int, default=getattr(FULL, name))
    parser.add_argument("--checks", type=int, help="as many runs as have about this many checks")
    parser.add_argument("--no-payloads", action="store_true", help="no texts: counts only")


def asked(given: argparse.Namespace) -> Size:
    """Return the size that was asked for."""
    size = Size(given.runs, given.items, given.repetitions, not given.no_payloads)
    return size if given.checks is None else of_checks(given.checks, size)


def main() -> None:
    """Make a store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    sized(parser)
    given = parser.parse_args()
    generate(given.store, asked(given))


if __name__ == "__main__":
    main()
