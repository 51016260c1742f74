"""Reports with something wrong in them: nothing traces, nothing is lost, nothing else changes.

Many mutants are loaded at once: what takes time is to open a store.
"""

import re
import tempfile
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ingest.errors import Rejection
from ingest.load import LoadResult
from ingest.store import open_reader
from tests.ingest.mutants import BASES, Mutant, spoiled
from tests.ingest.stores import ingest

MUTANTS: Final = 30

Record = tuple[Any, ...]


class Kept:
    """What a store holds of each file: its records by their places."""

    def __init__(self, records: dict[str, dict[str, Record]], rejected: dict[str, int]) -> None:
        self.records = records
        self.rejected = rejected


def kept(db: Path) -> Kept:
    """Return everything stored of every record, but for the names of its run and definitions."""
    with open_reader(db) as reader:
        reports = dict(reader.frame("report", ["report", "path"]).rows())
        loaded = reader.frame("run", ["run", "report", "rejected"])
        trials = reader.frame("trial").sort("trial")
        parts = [
            _by_trial(reader.frame(table).drop("definition", strict=False))
            for table in ("turn", "check", "vote", "discard")
        ]
    runs = {run: Path(reports[report]).name for run, report, _ in loaded.rows()}
    rejected: dict[str, int] = {}
    for run, _, number in loaded.rows():
        rejected[runs[run]] = rejected.get(runs[run], 0) + number
    found: dict[str, dict[str, Record]] = {}
    for row in trials.iter_rows(named=True):
        name, trial, place = runs[row.pop("run")], row.pop("trial"), row.pop("place")
        whole = (tuple(row.values()), *(part.get(trial, []) for part in parts))
        found.setdefault(name, {})[place] = whole
    return Kept(found, rejected)


def _by_trial(frame: pl.DataFrame) -> dict[int, list[Record]]:
    found: dict[int, list[Record]] = {}
    frame = frame.drop("run").filter(pl.col("trial").is_not_null())
    for trial, *row in frame.select("trial", pl.exclude("trial")).iter_rows():
        found.setdefault(trial, []).append(tuple(row))
    return {trial: sorted(rows, key=repr) for trial, rows in found.items()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("whole")
    for each in BASES:
        (folder / each.name).write_text(each.text, "utf-8")
    result = ingest(folder / "store.duckdb", folder)
    assert not result.rejected
    return kept(folder / "store.duckdb")


def covers(refused: Rejection, place: str) -> bool:
    """Return whether a rejection names a record, something in it, or what holds it."""
    if re.match(rf"{re.escape(place)}(?!\d)", refused.place):
        return True
    item = re.match(r"items\[\d+\](?!\.samples\[)", refused.place)
    if item:
        return place.startswith(item[0])
    return not re.match(r"cases\[|items\[|line |\[", refused.place)


def check_mutant(name: str, mutant: Mutant, now: Kept, before: Kept, told: LoadResult) -> None:
    found = now.records.get(name, {})
    refused = [each for each in told.rejected if Path(each.path).name == name]
    lost = {
        place
        for place in mutant.places - found.keys()
        if not any(covers(each, place) for each in refused)
    }
    assert not lost, (mutant.base.name, lost, refused)
    assert bool(refused) == bool(now.rejected.get(name, 1)), (mutant.base.name, refused)
    if mutant.touched is not None:
        original = before.records[mutant.base.name]
        changed = {place for place in found if found[place] != original.get(place)}
        assert len(changed) <= 1, (mutant.base.name, changed)
        assert mutant.touched == "?" or changed <= {mutant.touched}, (mutant.base.name, changed)


@settings(deadline=None, max_examples=8, phases=(Phase.explicit, Phase.generate))
@given(seeds=st.lists(st.integers(0, 2**32), min_size=MUTANTS, max_size=MUTANTS, unique=True))
def test_no_mutant_traces_loses_a_record_or_changes_another(whole: Kept, seeds: list[int]) -> None:
    mutants = {f"{n}.{mutant.ending}": mutant for n, mutant in enumerate(map(spoiled, seeds))}
    with tempfile.TemporaryDirectory() as folder:
        for name, mutant in mutants.items():
            (Path(folder) / name).write_text(mutant.text, "utf-8", newline="")
        db = Path(folder) / "store.duckdb"
        told = ingest(db, *(Path(folder) / name for name in mutants))
        now = kept(db)
    twice = {Path(each.path).name for each in told.unchanged}
    for name in mutants.keys() - twice:
        check_mutant(name, mutants[name], now, whole, told)
