"""Every command and every page on a large store: prints Markdown tables with limits.

    python -m benchmarks.scale [--store PATH] [--size small] [--runs 500] [--checks N] [--tries 3]

The default store has 1,080,000 trials, 10,600,000 checks, 3,200,000 turns with payloads and
1,080,000 votes in 500 runs; ``--size small`` a thousandth of it. Commands run in processes of their
own, output to a file: seconds of the clock, of the processor, and the most memory. *First* is the
first call on this store, which counts everything; *then* the least of the others, for which the
figures of the runs were kept (:mod:`dashboard.kept`).
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import pages
from benchmarks.generate import Size, asked, sized
from benchmarks.limits import installed, verdict

SECONDS: Final = 2.0
"""Seconds that a command may take, its start included."""
SMALL: Final = Size(runs=10, items=4, repetitions=5)


class Command(NamedTuple):
    """A command; ``listing`` when it prints rows by the ten thousand, which no limit is about."""

    words: tuple[str, ...]
    listing: bool = False

    def __str__(self) -> str:
        """Return how one would type it."""
        return " ".join(self.words)


class Taken(NamedTuple):
    """What one call took: seconds, processor seconds, megabytes, and the lines or bytes it gave."""

    wall: float
    busy: float
    peak: float
    size: int


def commands(store: Path, folder: Path) -> list[Command]:
    """Return what is measured."""
    at = pages.chosen(store)
    one = ("--run", at.run)
    whole = [
        *(("--help",), ("runs",), ("runs", "--json"), ("reliability",), ("votes",), ("routing",)),
        *(("reliability", "--by", by) for by in ("tag", "axis")),
        *(("reliability", *one), *(("reliability", "--by", by, *one) for by in ("item", "tag"))),
        *(("variance", *one), ("votes", "--run", at.samples), ("failures", *one)),
        *(("failures", *one, "--item", at.item), ("failures", *one, "--divergence")),
        *(
            ("compare", at.run, at.other),
            ("gate", at.run),
            ("gate", at.run, "--baseline", at.other),
        ),
        *(("brief", at.run), ("show", at.case), ("show", at.case, "--turn", "0")),
        ("stats", "--sizes"),
        ("forget", "--older-than", "36500d", "--dry-run"),
    ]
    exports = [
        ("export", table, "--format", form, "--out", str(folder / f"{table}.{form}"), *named)
        for table, form, named in (
            ("reliability", "csv", ()),
            ("reliability", "xlsx", one),
            ("reliability-items", "json", one),
            ("variance", "parquet", one),
            ("votes", "md", ("--run", at.samples)),
            ("failures", "csv", one),
        )
    ]
    rows = [
        ("reliability", "--by", "item"),
        ("variance",),
        ("failures",),
        ("stats",),
        ("export", "failures", "--format", "parquet", "--out", str(folder / "all.parquet")),
    ]
    told = [Command(words) for words in (*whole, *exports)]
    return told + [Command(words, listing=True) for words in rows]


def measure(store: Path, command: Command, folder: Path) -> Taken:
    """Call a command in a process of its own."""
    db = () if command.words == ("--help",) else ("--db", str(store))
    words = [sys.executable, "-m", "dashboard.cli", *command.words, *db]
    out = folder / "out"
    started = time.perf_counter()
    with out.open("wb") as written:
        process = subprocess.Popen(words, stdout=written, env=installed())  # noqa: S603
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3):
        raise RuntimeError(f"{command} ended with {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    peak = usage.ru_maxrss * unit / 1e6
    with out.open("rb") as written:
        lines = sum(1 for _ in written)
    return Taken(wall, usage.ru_utime + usage.ru_stime, peak, lines)


def table(store: Path, tries: int) -> Iterator[str]:
    """Yield the lines of the table of commands as they are measured."""
    yield from (
        "| command | first, s | processor | then, s | processor | peak MB | lines | limit, s | |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|",
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure(store, Command(("show", pages.chosen(store).case)), folder)  # compiles
        for command in commands(store, folder):
            row = _row(command, [measure(store, command, folder) for _ in range(tries)])
            yield row.replace(f"{name}/", "")


def _row(command: Command, taken: Sequence[Taken]) -> str:
    first, others = taken[0], taken[1:] or taken
    wall, busy = (min(each[place] for each in others) for place in range(2))
    peak = max(each.peak for each in taken)
    told = "listing" if command.listing else verdict((wall, busy, SECONDS))
    limit = "–" if command.listing else f"{SECONDS:g}"  # noqa: RUF001
    return (
        f"| {command} | {first.wall:.2f} | {first.busy:.2f} | {wall:.2f} | {busy:.2f} "
        f"| {peak:.0f} | {first.size:,} | {limit} | {told} |"
    )


def make(store: Path, size: Size) -> None:
    """Make a store in a process of its own: a process starts with the peak of its maker."""
    words = [f"--{name}={getattr(size, name)}" for name in ("runs", "items", "repetitions")]
    words += [] if size.payloads else ["--no-payloads"]
    command = [sys.executable, "-m", "benchmarks.generate", str(store), *words]
    subprocess.run(command, check=True)  # noqa: S603


def main() -> None:
    """Make the store unless there is one, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, help="measure this store, made when it is not there")
    parser.add_argument("--size", choices=["small", "full"], default="full")
    parser.add_argument("--tries", type=int, default=3)
    sized(parser)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = given.store or Path(folder) / "scale.duckdb"
        if not store.exists():
            make(store, SMALL if given.size == "small" else asked(given))
        for line in chain(table(store, given.tries), [""], pages.table(store, given.tries)):
            print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
