"""The way into the store: in order, some parts ahead of it, and nothing after something failed."""

import threading
from pathlib import Path
from typing import Any, cast

import polars as pl
import pytest

from ingest.batch import Batch, Source
from ingest.load import _absolute
from ingest.parcel import Frames, without
from ingest.pipeline import Pipeline
from ingest.records import Flag, Run, Trial
from ingest.store import Writer


class Recorder:
    """Stands in for a writer: notes what it is asked for; there is no room for parts."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.all_queued = threading.Event()

    def spill(self, *_: object) -> None:
        self.asked.append("spill")
        self.all_queued.wait()
        raise OSError("no room")

    def __getattr__(self, name: str) -> Any:
        def note(*_: object) -> set[str]:
            self.asked.append(name)
            return set()

        return note


def store(report: Batch, writer: Recorder) -> None:
    """Store a report in two parts, and commit it; the first part fails when all is queued."""
    with Pipeline(cast(Writer, writer)) as pipeline:
        pipeline.spill(report)
        pipeline.keep(report)
        threading.Timer(0.2, writer.all_queued.set).start()
        pipeline.finish([])


def test_nothing_is_stored_after_a_part_that_failed() -> None:
    writer = Recorder()
    report = Batch(Source("path", "report", 1, []), "trial-row")
    with pytest.raises(OSError, match="no room"):
        store(report, writer)
    assert writer.asked == ["commit", "spill", "abandon"]


def test_reports_another_ingest_has_stored_are_taken_out_of_every_table() -> None:
    frames: Frames = {
        Run: pl.DataFrame({"run": ["r1", "r2"], "report": ["a", "b"]}),
        Trial: pl.DataFrame({"run": ["r1", "r2", "r2"]}),
        Flag: pl.DataFrame({"report": ["a", "b"], "run": [None, "r2"]}),
    }
    kept = without(frames, {"a"})
    assert {table: frame["run"].to_list() for table, frame in kept.items()} == {
        Run: ["r2"],
        Trial: ["r2", "r2"],
        Flag: ["r2"],
    }


@pytest.mark.parametrize("path", ["a/b.json", "./a.json", "a//b", "a/./b", "../a", "/a/b", "/a//b"])
def test_files_are_known_by_their_absolute_path(path: str) -> None:
    assert _absolute(path) == str(Path(path).absolute())
