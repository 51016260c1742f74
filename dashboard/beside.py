"""What stands beside the category rows: figures that are no category, and judges' opinions."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from dashboard import wording
from dashboard.figures import Reliability
from dashboard.ratetable import Line
from dashboard.runtable import Run


class Figure(NamedTuple):
    """A count out of a count, with its rate and the codes it is made of."""

    number: int
    of: int
    rate: float | None
    codes: list[tuple[str, int]]


class Opinion(NamedTuple):
    """What a judge said about one criterion of a run."""

    mean: float | None
    judged: int
    low: int | None
    high: int | None
    spread: float | None
    failed: int


def figures(runs: Sequence[Run], found: Reliability) -> list[Line]:
    """Return the figures that stand beside the pass rate, for the runs whose format counts them."""
    rows = {
        f"{wording.category(name)} (of all trials)": found.rates.filter(pl.col("name") == name)
        for name in found.rates["name"].unique(maintain_order=True)
    }
    refused, discarded = found.refused_proposals, found.discarded_answers
    rows["refused proposals (of measured trials)"] = refused.rename({"measured": "of"})
    rows["discarded answers (of measured trials)"] = discarded.rename({"measured": "of"})
    for task in found.tasks["task"].unique(maintain_order=True):
        scored = found.tasks.filter(pl.col("task") == task)
        rows[f"task {task} (of trials it scores)"] = scored.rename(
            {"passed": "count", "scored": "of"}
        )
    lines = [_line(name, frame, runs) for name, frame in rows.items()]
    return [line for line in lines if any(cell is not None for cell in line.cells)]


def _line(name: str, frame: pl.DataFrame, runs: Sequence[Run]) -> Line:
    by_run = {row["run"]: row for row in frame.iter_rows(named=True)}
    return Line(name, "", [_figure(by_run.get(run["run"])) for run in runs])


def _figure(row: Mapping[str, Any] | None) -> Figure | None:
    if row is None:
        return None
    of = row["of"] if "of" in row else row["trials"]
    codes = [(one["code"], one["answers"]) for one in row.get("codes", ())]
    return Figure(row["count"], of, row.get("rate"), codes)


def judges(runs: Sequence[Run], found: Reliability) -> list[Line]:
    """Return the judges' opinions, a row a judge criterion."""
    rows = {(row["run"], row["criterion"]): row for row in found.votes.iter_rows(named=True)}
    names = found.votes["criterion"].unique(maintain_order=True)
    return [
        Line(name, "", [_opinion(rows.get((run["run"], name))) for run in runs]) for name in names
    ]


def _opinion(row: Mapping[str, Any] | None) -> Opinion | None:
    if row is None:
        return None
    return Opinion(
        row["mean_score"],
        row["judged"],
        row["min_score"],
        row["max_score"],
        row["mean_vote_spread"],
        row["failed_votes"],
    )
