"""Which run a person means: ids, files and subjects as they come to hand.

The first way of naming that fits decides: an exact id always wins over the start of another.
"""

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any, Final

import polars as pl

from dashboard.errors import InputError
from dashboard.wording import file_name

MOST_NAMED: Final = 5
WAYS: Final = ("run", "native_run", "path", "stem", "subject", "start")
"""How a run can be named, the first that fits decides."""
OF_ONE_REPORT: Final = frozenset({"path", "stem"})


def one(runs: pl.DataFrame, name: str) -> dict[str, Any]:
    """Return the row of the one run that is meant.

    Args:
        runs: Columns run, report, path, native_run, suite, subject, superseded_by.
        name: What the person typed.

    Raises:
        InputError: When no run or more than one is meant.
    """
    found, _ = _meant(runs, name)
    if found.height > 1:
        raise InputError(_several(found, name))
    return found.row(0, named=True)


def several(runs: pl.DataFrame, names: Iterable[str] | None) -> list[str]:
    """Return the ids of the runs that are meant, in the order of `runs`.

    The name of a report's file means all its runs. Without names: every run that none replaces.

    Raises:
        InputError: When a name fits no run, or runs of more than one report.
    """
    wanted = list(names or ())
    if not wanted:
        return runs.filter(pl.col("superseded_by").is_null())["run"].to_list()
    chosen: set[str] = set()
    for name in wanted:
        found, way = _meant(runs, name)
        if found.height > 1 and not (way in OF_ONE_REPORT and found["report"].n_unique() == 1):
            raise InputError(_several(found, name))
        chosen.update(found["run"])
    return [run for run in runs["run"] if run in chosen]


def side(runs: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the rows of the runs that are meant as one side: a run, or all current of a subject.

    Raises:
        InputError: When a name fits no run.
    """
    found, _ = _meant(runs, name)
    return found


def report(runs: pl.DataFrame, reports: pl.DataFrame, name: str) -> dict[str, Any]:
    """Return the row of the one report that is meant by its hash, its file or one of its runs.

    Raises:
        InputError: When no report or more than one is meant.
    """
    meant = reports.filter(pl.col("report").str.starts_with(name)) if name else reports.clear()
    if meant.is_empty():
        meant = reports.filter(_is_path(name) | _is_stem(name))
    if meant.is_empty():
        found, _ = _meant(runs, name)
        meant = reports.filter(pl.col("report").is_in(found["report"].to_list()))
    if meant.height > 1:
        candidates = listed(f"{row['report'][:10]} ({row['path']})" for row in meant.to_dicts())
        raise InputError(f"{name!r} fits {meant.height} reports: {candidates}; give more of one")
    return meant.row(0, named=True)


def _meant(runs: pl.DataFrame, name: str) -> tuple[pl.DataFrame, str]:
    conditions = {
        "run": pl.col("run") == name,
        "native_run": pl.col("native_run") == name,
        "path": _is_path(name),
        "stem": _is_stem(name),
        "subject": pl.col("subject") == name,
        "start": pl.col("run").str.starts_with(name),
    }
    for way in WAYS:
        found = runs.filter(conditions[way]) if name else runs.clear()
        if found.height > 1 and way not in OF_ONE_REPORT:
            found = _current(found)
        if not found.is_empty():
            return found, way
    raise InputError(_unknown(runs, name))


def _is_path(name: str) -> pl.Expr:
    """A path may be given from another folder than it was when the report was loaded."""
    ending = f"/{PurePath(name).as_posix()}"
    loaded = pl.lit("/") + pl.col("path").str.strip_prefix("./")
    return (pl.col("path") == name) | loaded.str.ends_with(ending) | _ends_with(ending, loaded)


def _ends_with(whole: str, part: pl.Expr) -> pl.Expr:
    return pl.lit(whole).str.ends_with(part) & (part != "/")


def _is_stem(name: str) -> pl.Expr:
    file = pl.col("path").str.split("/").list.last()
    return file.str.replace(r"\.(json|jsonl|ndjson)(\.(gz|zst))?$", "") == name


def _current(found: pl.DataFrame) -> pl.DataFrame:
    """Snapshots and resumed parts share a name with the run that replaces them: mean that one."""
    current = found.filter(pl.col("superseded_by").is_null())
    return found if current.is_empty() else current


def _unknown(runs: pl.DataFrame, name: str) -> str:
    if runs.is_empty():
        return f"no run is named {name!r}: the store is empty; fill it: unaveraged ingest PATH…"
    there = listed(f"{row['run']} ({_described(row)})" for row in runs.to_dicts())
    return f"no run is named {name!r}; there is {there}; all of them: unaveraged runs"


def _several(found: pl.DataFrame, name: str) -> str:
    candidates = listed(
        f"{row['run']} ({_described(row)} in {file_name(row['path'])})" for row in found.to_dicts()
    )
    return f"{name!r} fits {found.height} runs: {candidates}; give the id of one"


def _described(run: dict[str, Any]) -> str:
    return f"{run['suite'] or 'no suite'} of {run['subject'] or 'no subject'}"


def listed(names: Iterable[str], most: int = MOST_NAMED) -> str:
    """Return the first of these names, and how many more there are."""
    every: Sequence[str] = list(names)
    more = len(every) - most
    return ", ".join(every[:most]) + (f" and {more} more" if more > 0 else "")
