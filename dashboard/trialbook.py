"""What was planned of some runs against what came out, cell by cell."""

from pathlib import Path
from typing import Final, NamedTuple

import polars as pl
import streamlit as st

from dashboard import celltable, wording
from dashboard import planned as reading
from dashboard.celltable import Strip
from dashboard.data import MOST_KEPT, Source
from dashboard.decisions import TrialsLink
from dashboard.runtable import Run
from ingest import store
from queries import marks

ROWS: Final = 80
SHOWN: Final = {
    "failed": "a repetition failed",
    "unmeasured": "errored, blocked or stopped",
    "skipped": "skipped",
    "waiting": "pending, running or absent",
    "missing": "planned, never ran",
    "duplicates": "recorded twice",
}
Ids = tuple[str, ...]


class Plan(NamedTuple):
    """One run: how many trials were planned and what became of them."""

    title: str
    detail: str
    place: int
    plan: str
    planned: int
    trials: int
    passed: int
    graded: int
    unmeasured: int
    skipped: int
    waiting: int
    missing: int
    duplicates: int


@st.cache_resource(max_entries=MOST_KEPT, show_spinner="Counting…")
def planned(at: Source, ids: Ids, _runs: pl.DataFrame) -> pl.DataFrame:
    """Return the cells of these runs, with those items of them that no trial was selected for."""
    return reading.cells(Path(at.path), _runs, ids)


def plans(runs: list[Run], cells: pl.DataFrame) -> list[Plan]:
    """Return a row for each run."""
    by_run = {row["run"]: row for row in reading.sums(cells).to_dicts()}
    return [
        Plan(
            run["subject"] or "no subject",
            wording.file_name(run["path"] or ""),
            place,
            reading.PLANS[run["format"]],
            *(by_run.get(run["run"], {}).get(name, 0) for name in reading.COUNTS),
        )
        for place, run in enumerate(runs)
    ]


def listed(cells: pl.DataFrame, link: TrialsLink) -> pl.DataFrame:
    """Return the cells an address asks for: ``item, variants``."""
    wanted = {
        "failed": pl.col("graded") > pl.col("passed"),
        **{name: pl.col(name) > 0 for name in SHOWN if name != "failed"},
    }.get(link.outcome or "", pl.lit(value=True))
    if link.q:
        sought = pl.concat_str("item", "variants", separator=" ").str.to_lowercase()
        cells = cells.filter(sought.str.contains(link.q.lower(), literal=True))
    return cells.filter(wanted).select("item", "variants").unique().sort("item", "variants")


def strips(at: Source, ids: Ids, cells: pl.DataFrame, shown: pl.DataFrame) -> list[Strip]:
    """Return the shown cells with a mark for each planned repetition of each run."""
    with store.open_reader(Path(at.path)) as reader:
        trials = marks.trials(reader.table("trial", runs=ids), shown.lazy()).collect()
    own = cells.join(shown, on=["item", "variants"], how="semi")
    expected = {
        (row["run"], row["item"], row["variants"]): row["planned"] for row in own.to_dicts()
    }
    return celltable.strips(shown.to_dicts(), [(run,) for run in ids], trials, expected=expected)
