"""How long each figure takes on a large store, and how much memory: prints a Markdown table.

    python -m benchmarks.figures [--runs 100] [--items 200] [--repetitions 50] [--store PATH]

The default size is 1,000,000 trials, 10,000,000 checks and 1,000,000 votes. Each figure is made in
a process of its own, from the closed store to the finished frames. Wall-clock time depends on who
else uses the machine; processor time over the number of cores says what it would be alone.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import polars as pl

from benchmarks.generate import FULL, Size, generate
from ingest.store import Reader, open_reader
from queries import (
    breakdown,
    categories,
    changes,
    comparison,
    pairing,
    reliability,
    runs,
    variance,
    votes,
)

Figure = Callable[[Reader], list[pl.LazyFrame]]
TIMES: Final = 3


def _counts(reader: Reader) -> breakdown.Counts:
    found, items = reader.frame("run", ("run", "format", "dialect", "suite")), reader.frame("item")
    return reliability.counts(
        found.lazy(),
        items.lazy(),
        reader.table("trial"),
        reader.table("check"),
        reader.frame("definition").lazy(),
        categories.shipped(),
    )


def _axis(reader: Reader) -> pl.LazyFrame:
    found = reader.frame("run", ("run", "format"))
    definitions = reader.frame("definition").lazy()
    return reliability.by_axis(
        found.lazy(), reader.table("trial"), reader.table("check"), definitions
    )


def _by_tag(reader: Reader) -> pl.LazyFrame:
    return reliability.by_tag(_counts(reader), reader.frame("item").lazy())


def _variance(reader: Reader) -> list[pl.LazyFrame]:
    cells = variance.cells(reader.table("trial"), reader.table("check"))
    return [cells, variance.categories(_counts(reader))]


def _votes(reader: Reader) -> list[pl.LazyFrame]:
    tables = reader.table("vote"), reader.table("trial")
    return [votes.criteria(*tables), votes.items(*tables)]


def _comparison(reader: Reader) -> list[pl.LazyFrame]:
    """Compare one half of the evaluation reports with the other: all their trials and checks."""
    found = reader.frame("run").filter(pl.col("format") == "evaluation-report").sort("run")
    halves = found.with_row_index().select(
        "run",
        side=pl.when(pl.col("index") % 2 == 0).then(pl.lit("base")).otherwise(pl.lit("current")),
    )
    names = halves["run"].to_list()
    tables = pairing.Tables(
        runs=found.lazy(),
        items=reader.frame(
            "item", ("run", "item", "position", "digest", "tags"), runs=names
        ).lazy(),
        parts=reader.frame("part", runs=names).lazy(),
        trials=reader.table("trial", runs=names),
        checks=reader.table("check", runs=names),
        definitions=reader.frame("definition", runs=names).lazy(),
        votes=reader.table("vote", runs=names),
    )
    sides = halves.lazy()
    pairs = pairing.pairs(tables, sides).collect().lazy()
    book = categories.shipped()
    headline = comparison.headline(pairs)
    rows = comparison.categories(tables, sides, pairs, book)
    return [
        headline,
        comparison.on_one_page(rows, headline),
        changes.changes(tables, sides, pairs, book, changes.Tolerances(), None),
    ]


def _runs(reader: Reader) -> list[pl.LazyFrame]:
    found, items = reader.frame("run", ("run",)), reader.frame("item", ("run", "item"))
    trials, checks = reader.table("trial"), reader.table("check")
    return [runs.overview(found.lazy(), items.lazy(), trials, checks), runs.outcomes(trials)]


FIGURES: Final[Mapping[str, Figure]] = {
    "runs": _runs,
    "reliability": lambda reader: [reliability.by_category(_counts(reader))],
    "reliability by item": lambda reader: [reliability.by_item(_counts(reader))],
    "reliability by tag": lambda reader: [_by_tag(reader)],
    "reliability by native axis": lambda reader: [_axis(reader)],
    "variance": _variance,
    "votes": _votes,
    "comparison": _comparison,
}
"""What is measured, by name: a function from an open store to the frames to collect."""


def measure(store: Path, name: str) -> dict[str, float]:
    """Make one figure in this process; return seconds, processor seconds and peak gigabytes."""
    taken, rows = [], 0
    for _ in range(TIMES):
        wall, busy = time.perf_counter(), time.process_time()
        with open_reader(store) as reader:
            frames = pl.collect_all(FIGURES[name](reader))
        rows = sum(frame.height for frame in frames)
        taken.append((time.perf_counter() - wall, time.process_time() - busy))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    unit = 1 if sys.platform == "darwin" else 1024
    return {
        "rows": rows,
        "seconds": min(taken)[0],
        "busy": min(busy for _, busy in taken),
        "peak": peak * unit / 1e9,
    }


def table(store: Path) -> list[str]:
    """Return the lines of the table; each figure in a process of its own."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    lines = [
        f"| figure | rows | seconds | processor seconds | over {cores} cores | peak GB |",
        "|---|---|---|---|---|---|",
    ]
    for name in FIGURES:
        command = [sys.executable, "-m", "benchmarks.figures", "--store", str(store), "--one", name]
        done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
        found = json.loads(done.stdout)
        alone = found["busy"] / (cores or 1)
        lines.append(
            f"| {name} | {found['rows']:,.0f} | {found['seconds']:.2f} | {found['busy']:.2f} "
            f"| {alone:.2f} | {found['peak']:.2f} |"
        )
    return lines


def main() -> None:
    """Make the store unless there is one, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in FULL._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--one", choices=FIGURES, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(arguments.store, arguments.one)))  # noqa: T201
        return
    with tempfile.TemporaryDirectory() as directory:
        store = arguments.store or Path(directory) / "store.duckdb"
        if not store.exists():
            generate(store, Size(arguments.runs, arguments.items, arguments.repetitions))
        print("\n".join(table(store)))  # noqa: T201


if __name__ == "__main__":
    main()
