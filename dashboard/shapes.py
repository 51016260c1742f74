"""The JSON shapes that programs rely on: keys stay, more may be added.

Counts are integers, rates floats of full precision, what is unknown is null.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from dashboard.figures import Reliability, Runs
from ingest.records import OUTCOMES
from queries.cells import INTERVALS

Record = dict[str, Any]

_RUN: Final = (
    *("run", "report", "path", "format", "dialect", "version", "suite", "subject"),
    *("subject_fingerprint", "subject_source", "labels", "status", "superseded", "superseded_by"),
    *("native_run", "resumed_from", "arm", "started_at", "finished_at"),
    *("items", "items_without_trials", "cells", "repetitions", "trials", "turns", "rejected"),
)
_CATEGORY: Final = (
    *("run", "category", "trials", "graded", "covered", "failing_trials", "failures"),
    *("rate", "low", "high", "failure_rate"),
    *("ungraded", "ungraded_relevant", "outcomes", "errored_criteria", "failures_ungraded"),
    *("unfinished_trials", "unfinished_failures", "stopped_trials", *INTERVALS),
)
_RATE: Final = ("run", "name", "count", "trials", "rate")
_VOTE: Final = (
    *("run", "criterion", "judged", "mean_score", "min_score", "max_score", "mean_vote_spread"),
    *("failed_votes", "votes", "scored"),
)
_COUNT: Final = ("run", "count", "measured")
_TASK: Final = ("run", "task", "passed", "scored")
_FAILURE: Final = (
    *("run", "item", "variants", "repetition", "trial", "scope", "turn", "step", "criterion"),
    *("errored", "category", "rule", "decisive", "fault", "code", "expected", "actual", "reason"),
    *("label", "kind", "evaluator", "error_code", "unfinished", "outcome", "cause"),
    *("mark", "mark_text"),
)
_SUITE: Final = (
    *("criterion", "errored", "decisive", "expected", "actual", "label", "kind", "error_code"),
)


def runs(found: Runs) -> list[Record]:
    """Return the shape of `runs --json`."""
    counts = _by_run(found.outcomes)
    unmet = _by_run(found.suite_failures)
    listed = []
    for row in with_flags(found.overview).to_dicts():
        ended = {each["outcome"]: each["trials"] for each in counts.get(row["run"], ())}
        listed.append(
            {name: row[name] for name in _RUN}
            | {
                "incomplete": row["rejected"] > 0,
                "labels": payload(row["labels"]),
                "outcomes": {name: ended[name] for name in OUTCOMES if name in ended},
                "criteria": _part(row, "criteria", "failing", "errored"),
                "suite_criteria": _part(row, "suite", "passed", "failed", "errored"),
                "suite_failures": [_evidence(each, _SUITE) for each in unmet.get(row["run"], ())],
                "measured": row["measured"],
                "passed": row["passed"],
            }
        )
    return listed


def with_flags(runs: pl.DataFrame) -> pl.DataFrame:
    """Add whether a later report replaces a run."""
    return runs.with_columns(superseded=pl.col("superseded_by").is_not_null())


def reliability(found: Reliability) -> dict[str, list[Record]]:
    """Return the shape of `reliability --json`."""
    categories = category_rows(found.categories.select(_CATEGORY))
    discarded = found.discarded_answers.select(*_COUNT, "codes").to_dicts()
    for row in discarded:
        row["codes"] = [[each["code"], each["answers"]] for each in row["codes"]]
    return {
        "categories": categories,
        "rates": found.rates.select(_RATE).to_dicts(),
        "votes": found.votes.select(_VOTE).to_dicts(),
        "refused_proposals": found.refused_proposals.select(_COUNT).to_dicts(),
        "discarded_answers": discarded,
        "tasks": found.tasks.select(_TASK).to_dicts(),
    }


def incomplete(runs: pl.DataFrame) -> list[str]:
    """Return the runs of which something could not be loaded."""
    return runs.filter(pl.col("rejected") > 0)["run"].to_list()


def category_rows(found: pl.DataFrame) -> list[Record]:
    """Return rows of a category table, their ungraded outcomes as an object."""
    rows = found.to_dicts()
    for row in rows:
        row["outcomes"] = {each["outcome"]: each["trials"] for each in row["outcomes"]}
    return rows


def failures(
    found: pl.DataFrame, diverged: Mapping[int, Record | None] | None = None
) -> list[Record]:
    """Return the shape of `failures --json`; with divergences, where each trial's first one is."""
    rows = [_evidence(row, _FAILURE) for row in found.select(_FAILURE).to_dicts()]
    if diverged is None:
        return rows
    first = (diverged.get(trial) for trial in found["trial_number"])
    return [row | {"first_divergence": each} for row, each in zip(rows, first, strict=True)]


def payload(text: str | None) -> object:
    """Return the value that JSON text of a report stands for, or the text where Python has none."""
    if text is None:
        return None
    try:
        value = json.loads(text, parse_float=_finite)
    except (ValueError, RecursionError):
        return text
    return value


def _finite(written: str) -> float:
    number = float(written)
    if math.isinf(number):
        raise ValueError(written)
    return number


def _evidence(row: Record, columns: Sequence[str]) -> Record:
    shape = {name: row[name] for name in columns}
    for name in ("variants", "expected", "actual"):
        if name in shape:
            shape[name] = payload(shape[name])
    return shape


def _part(row: Record, prefix: str, *names: str) -> dict[str, int]:
    return {name: row[f"{prefix}_{name}"] for name in names}


def _by_run(frame: pl.DataFrame) -> dict[str, list[Record]]:
    grouped: dict[str, list[Record]] = {}
    for row in frame.to_dicts():
        grouped.setdefault(row["run"], []).append(row)
    return grouped
