"""How long an ingest takes beside parsing the same bytes, and how much memory: a Markdown table.

    python -m benchmarks.ingest [--rounds 5] [--scale 1.0] [--inspect-python PATH] [--folder PATH]

One report of 200 MB, 200 reports of 1 MB, 1,000,000 trial rows in one file, 20,000 files of one
row: generated from a seed. Every measurement is a process of its own; the methods take turns, so
that a busy minute meets all of them. Ratios are to ``orjson.loads`` with every object kept and the
collector on; the floor is the same with the collector off. ``samples_df`` reads a log of inspect_ai
with as many samples and messages; it has bytes of its own, so compare its MB/s.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from benchmarks.reports import MEGABYTE, trial_rows, write_evaluation_report, write_trial_rows

HERE: Final = Path(__file__).parent
LOG: Final = "2026-11-02T08-00-00+00-00_desk_log.json"
"""inspect_ai takes a file for a log by its name, and says nothing of others."""
METHODS: Final = ("ingest", "ingest-again", "orjson", "orjson-without-collector", "duckdb")
SLOW: Final = {("one row a file", "duckdb")}
"""DuckDB takes a hundred times as long as the ingest to look at 20,000 files."""


class Data(NamedTuple):
    """Something to read."""

    name: str
    path: Path

    @property
    def megabytes(self) -> float:
        """Its size."""
        files = self.path.iterdir() if self.path.is_dir() else [self.path]
        return sum(file.stat().st_size for file in files) / MEGABYTE


class Took(NamedTuple):
    """What one measurement said."""

    seconds: float
    processor: float
    peak: float


def generate(folder: Path, scale: float) -> Iterator[Data]:
    """Yield the data, generated unless it is there."""
    report = folder / "report.json"
    if not report.exists():
        write_evaluation_report(report, int(200 * MEGABYTE * scale))
    yield Data("one report", report)
    many = folder / "reports"
    if not many.exists():
        many.mkdir()
        for number in range(int(200 * scale)):
            write_evaluation_report(many / f"{number:03}.json", MEGABYTE, seed=number + 2)
    yield Data("many reports", many)
    rows = folder / "rows.jsonl"
    if not rows.exists():
        write_trial_rows(rows, int(1_000_000 * scale))
    yield Data("rows", rows)
    single = folder / "single"
    if not single.exists():
        single.mkdir()
        for number, row in enumerate(trial_rows(int(20_000 * scale), seed=2)):
            (single / f"{number:05}.json").write_bytes(msgspec.json.encode(row))
    yield Data("one row a file", single)


def measure(python: str, method: str, data: Data, store: Path) -> Took:
    """Run one method once."""
    if method != "ingest-again":
        store.unlink(missing_ok=True)
    command = [python, "-P", str(HERE / "one_read.py"), method, str(data.path), str(store)]
    done = subprocess.run(  # noqa: S603 - our own program
        command, capture_output=True, text=True, check=False, cwd=HERE.parent
    )
    if done.returncode:
        raise SystemExit(f"{method} on {data.name}:\n{done.stderr}")
    return Took(**json.loads(done.stdout.splitlines()[-1]))


def plan(given: list[Data], inspect: str | None, folder: Path) -> Iterator[tuple[str, str, Data]]:
    """Yield what is measured in one round: interpreter, method, data."""
    for data in given:
        for method in METHODS:
            if (data.name, method) not in SLOW:
                yield sys.executable, method, data
    if inspect is not None:
        log = folder / LOG
        if not log.exists():
            command = [inspect, "-P", str(HERE / "inspect_log.py"), str(given[0].path), str(log)]
            subprocess.run(command, check=True)  # noqa: S603 - our own program
        yield inspect, "samples-df", Data("the one report as a log", log)


def table(took: dict[tuple[Data, str], list[Took]]) -> Iterator[str]:
    """Yield the lines of the Markdown table: medians."""
    yield "| data | MB | method | s | CPU s | MB/s | x orjson | x floor | peak MB |"
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    middle = {
        key: Took(*map(statistics.median, zip(*runs, strict=True))) for key, runs in took.items()
    }
    for (data, method), each in middle.items():
        ratios = [
            f"{each.seconds / middle[data, other].seconds:.2f}" if (data, other) in middle else ""
            for other in ("orjson", "orjson-without-collector")
        ]
        size = data.megabytes
        cells = [
            *(data.name, f"{size:.0f}", method, f"{each.seconds:.2f}", f"{each.processor:.2f}"),
            *(f"{size / each.seconds:.0f}", *ratios, f"{each.peak:.0f}"),
        ]
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--inspect-python", help="an interpreter that has inspect_ai")
    parser.add_argument("--folder", type=Path, help="where to keep the data for another time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        given = list(generate(folder, options.scale))
        steps = list(plan(given, options.inspect_python, folder))
        took: dict[tuple[Data, str], list[Took]] = defaultdict(list)
        for _ in range(options.rounds):
            for python, method, data in steps:
                found = measure(python, method, data, Path(temporary) / "store.duckdb")
                took[data, method].append(found)
        sys.stdout.writelines(f"{line}\n" for line in table(took))


if __name__ == "__main__":
    main()
