"""The list of failures that an address stands for: its runs, its hits, its trials in order."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from dashboard import casebook, choice, marks, triage
from dashboard.casebook import Failures
from dashboard.data import Source
from dashboard.link import FailuresLink
from dashboard.runtable import Run
from dashboard.triage import Lists
from ingest import subjects
from ingest.subjects import Notes


def lists(found: Failures, link: FailuresLink, runs: Sequence[Run], notes: Notes) -> Lists:
    """Return what every list holds under the filters and the mark of an address."""
    return marks.applied(triage.lists(found, link), runs, notes, link.mark)


def trials(at: Source, runs: pl.DataFrame, within: str | None) -> list[int]:
    """Return the trials of the list a case was opened from; none when there is no such list."""
    if not within:
        return []
    link = FailuresLink.from_text(within)
    picked = choice.of_runs(runs, link.run, suite=link.suite, subject=link.subject)
    if not picked.runs or link.tab == "suite":
        return []
    notes = subjects.read_notes(Path(at.path))
    hits = lists(casebook.failures(at, picked.ids, link.item), link, picked.runs, notes)
    return sorted(triage.of(hits, link.tab)["trial_number"].unique().to_list())
