"""Two machines that fill one lake, killed and started again: every run whole, none twice."""

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

from ingest.store import lake, open_reader
from tests.ingest.stores import ROOT, Row, ingest, rows, write
from tests.ingest.test_trial_row import CONTRACT

KILLS: Final = 8
REPORTS: Final = 36
TRIALS: Final = 20
PATIENCE: Final = 60.0
MACHINE: Final = """
import sys
from pathlib import Path
from ingest.load import load_paths
from ingest.store import lake, open_reader
db, folder, *paths = sys.argv[1:]
for path in paths:
    load_paths([path], Path(db))
    lake.sync(Path(db), Path(folder), 30, {})
"""


def report(number: int) -> list[Row]:
    return [
        CONTRACT | {"name": f"scenario-{number}", "model": f"model-{number}", "repetition": each}
        for each in range(TRIALS)
    ]


def start(db: Path, folder: Path, paths: list[Path]) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-c", MACHINE, str(db), str(folder), *map(str, paths)]
    return subprocess.Popen(words, cwd=ROOT)


def assert_whole(folder: Path) -> None:
    """Assert that every run of the lake has all its trials, checks and its report, once."""
    with open_reader(folder) as reader:
        reports = reader.frame("report")["report"].to_list()
        runs = reader.frame("run")["run"].to_list()
        trials = Counter(reader.frame("trial")["run"])
        checks = Counter(reader.frame("check")["run"])
    assert len(runs) == len(set(runs)) == len(reports) == len(set(reports))
    assert trials == dict.fromkeys(runs, TRIALS)
    assert checks == dict.fromkeys(runs, TRIALS * len(CONTRACT["checks"]))


def wait_for(folder: Path, reports: int) -> None:
    """Wait until the lake has more reports than that, however slow the machine is."""
    deadline = time.monotonic() + PATIENCE
    while len(list((folder / "manifest").glob("*.json"))) <= reports:
        assert time.monotonic() < deadline, "the machines write nothing"
        time.sleep(0.01)


def test_machines_that_are_killed_share_a_lake(tmp_path: Path) -> None:
    folder = tmp_path / "lake"
    paths = [write(tmp_path, f"{each}.jsonl", report(each)) for each in range(REPORTS)]
    # A third of the reports reaches both machines.
    shares = {tmp_path / "one.duckdb": paths[:24], tmp_path / "two.duckdb": paths[12:]}
    chance = random.Random(20261130)  # noqa: S311 (moments, not secrets)
    running = {db: start(db, folder, share) for db, share in shares.items()}
    interrupted = 0
    for number in range(KILLS):
        wait_for(folder, number)
        time.sleep(chance.uniform(0.0, 0.2))
        db = chance.choice(sorted(shares))
        interrupted += running[db].poll() is None
        running[db].kill()
        running[db].wait()
        assert_whole(folder)
        running[db] = start(db, folder, shares[db])
    assert [process.wait(PATIENCE * 2) for process in running.values()] == [0, 0]

    assert_whole(folder)
    everything = tmp_path / "all.duckdb"
    ingest(everything, *paths)
    assert rows(folder, "trial") == rows(everything, "trial")
    assert rows(folder, "check") == rows(everything, "check")
    assert len(lake.entries(folder)) == REPORTS
    assert interrupted > KILLS // 2
