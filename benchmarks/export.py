"""How long the export of a long list of failures takes, and how much memory: a Markdown table.

    python -m benchmarks.export [--failures 1000000] [--store PATH]

The store is made of trial rows of one run, with two failing checks each, and read like any report.
Each format is written by the command, in a process of its own.
"""

import argparse
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from ingest.load import load_paths

FORMATS: Final = ("parquet", "csv", "json")
FULL: Final = 1_000_000
CHECKS: Final = 2
SEED: Final = 20260901
CODES: Final = ("ERR_STATE_MACHINE_VIOLATION", "ERR_DOC_DRIFT_BLINDNESS", "ERR_NEW")
WORDS: Final = ("closed", "the", "drawer", "before", "asking", "whether", "it", "was", "empty")


class Measured(NamedTuple):
    """What one export cost."""

    form: str
    seconds: float
    peak_mb: float
    size_mb: float


def rows(failures: int) -> Iterator[str]:
    """Yield trial rows, as JSON lines, that hold this many failing checks."""
    draw = random.Random(SEED)  # noqa: S311 (no secret)
    for number in range(failures // CHECKS):
        checks = [
            {
                "name": f"check-{place}",
                "status": "failed",
                "fault": "agent",
                "code": draw.choice(CODES),
                "reason": " ".join(draw.choices(WORDS, k=24)),
            }
            for place in range(CHECKS)
        ]
        yield json.dumps(
            {
                "report_version": 1,
                "name": f"scenario-{number % 1000:04}",
                "tool": "tool",
                "status": "failed",
                "model": "model",
                "repetition": number // 1000,
                "checks": checks,
                "bounds": {"max_turns": 10, "timeout_secs": 90, "token_budget": 16000},
            }
        )


def make(db: Path, failures: int) -> None:
    """Make a store with this many failures."""
    with tempfile.TemporaryDirectory(dir=db.parent) as folder:
        report = Path(folder) / "rows.jsonl"
        with report.open("w", encoding="utf-8") as file:
            file.writelines(f"{row}\n" for row in rows(failures))
        load_paths([str(report)], db)


def measure(db: Path, form: str, folder: Path) -> Measured:
    """Export the failures of a store in a process of its own."""
    out = folder / f"failures.{form}"
    words = [sys.executable, "-m", "dashboard.cli", "export", "failures"]
    command = [*words, "--format", form, "--out", str(out), "--db", str(db)]
    started = time.monotonic()
    process = subprocess.Popen(command)  # noqa: S603
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{form} was not written")
    return Measured(form, seconds, usage.ru_maxrss / 1024, out.stat().st_size / 1e6)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--failures", type=int, default=FULL)
    parser.add_argument("--store", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        db = asked.store or Path(folder) / "store.duckdb"
        if not db.exists():
            # In a process of its own: a process starts with the peak of the one that made it.
            making = multiprocessing.get_context("spawn").Process(
                target=make, args=(db, asked.failures)
            )
            making.start()
            making.join()
        print("| format | seconds | peak MB | file MB |\n|---|---:|---:|---:|")  # noqa: T201
        for form in FORMATS:
            found = measure(db, form, Path(folder))
            told = f"{found.seconds:.1f} | {found.peak_mb:.0f} | {found.size_mb:.0f}"
            print(f"| {form} | {told} |")  # noqa: T201


if __name__ == "__main__":
    main()
