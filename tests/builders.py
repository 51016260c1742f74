"""Frames of every table of the store, typed by ``schema.sql``.

Where a test says nothing a column has a plain value.
"""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

import polars as pl

Schema = dict[str, pl.DataType | type[pl.DataType]]
Row = Mapping[str, Any]

RUN: Final = "00000000a1"
OTHER: Final = "00000000b2"

_DTYPES: Final[Mapping[str, Any]] = {
    "VARCHAR": pl.String,
    "VARCHAR[]": pl.List(pl.String),
    "BIGINT": pl.Int64,
    "INTEGER": pl.Int32,
    "BOOLEAN": pl.Boolean,
    "TIMESTAMP": pl.Datetime("us"),
}
_TABLE: Final = re.compile(
    r'^CREATE TABLE "?(\w+)"? \([^;\n]*\n(.*?)^\);', re.DOTALL | re.MULTILINE
)
_COLUMN: Final = re.compile(r"^\s+(\w+) ([A-Z]+(?:\[\])?)", re.MULTILINE)


def _tables() -> dict[str, Schema]:
    text = files("ingest").joinpath("schema.sql").read_text(encoding="utf-8")
    return {
        table: {column: _DTYPES[dtype] for column, dtype in _COLUMN.findall(body)}
        for table, body in _TABLE.findall(text)
    }


TABLES: Final[Mapping[str, Schema]] = _tables()


def trial_number(ordinal: int, run: str = RUN) -> int:
    """Number of the ``ordinal``-th trial (or definition) of a run."""
    return int(run, 16) << 22 | ordinal


def _frame(table: str, defaults: Row, rows: tuple[Row, ...]) -> pl.LazyFrame:
    schema = dict(TABLES[table])
    if table == "run_loaded":
        schema["superseded_by"] = pl.String
    unknown = {column for row in rows for column in row} - set(schema)
    if unknown:
        raise KeyError(f"{table} has no column {sorted(unknown)}")
    filled = [dict.fromkeys(schema) | dict(defaults) | dict(row) for row in rows]
    return pl.LazyFrame(filled, schema=schema)


def runs(*rows: Row) -> pl.LazyFrame:
    """Runs, as the view ``run`` gives them: evaluation reports unless said otherwise."""
    return _frame(
        "run_loaded",
        {
            "run": RUN,
            "report": "r" * 64,
            "position": 0,
            "format": "evaluation-report",
            "suite": "suite",
            "settled": 0,
            "turns": 0,
            "begun": 0,
            "rejected": 0,
        },
        rows,
    )


def items(*rows: Row) -> pl.LazyFrame:
    """Items without tags or steps."""
    defaults = {"run": RUN, "item": "item", "position": 0, "tags": [], "steps": []}
    return _frame("item", defaults, rows)


def parts(*rows: Row) -> pl.LazyFrame:
    """Authored parts of an item's fingerprint."""
    defaults = {
        "run": RUN,
        "item": "item",
        "part": "turn",
        "digest": "d" * 64,
        "provenance": "authored",
    }
    return _frame("part", defaults, rows)


def definitions(*rows: Row) -> pl.LazyFrame:
    """Criteria that are one leaf, in trial scope."""
    return _frame(
        "definition",
        {
            "run": RUN,
            "definition": 1,
            "position": 0,
            "leaf": True,
            "scope": "trial",
            "item": "item",
            "criterion": "criterion",
            "path": "criterion",
            "kind": "check",
        },
        rows,
    )


def trials(*rows: Row) -> pl.LazyFrame:
    """Trials that passed; ``graded`` follows from the outcome."""
    filled = [
        {"graded": row.get("outcome", "passed") in {"passed", "failed"}} | dict(row) for row in rows
    ]
    return _frame(
        "trial",
        {
            "run": RUN,
            "trial": trial_number(0),
            "item": "item",
            "variants": "{}",
            "repetition": 0,
            "outcome": "passed",
            "unfinished": False,
            "turns": 0,
            "place": "$.cases[0]",
        },
        tuple(filled),
    )


def sample_trials(*rows: Row) -> pl.LazyFrame:
    """Trials of a sample report: every counter is recorded."""
    counters = {
        "provider_failures": 0,
        "cards_created": 0,
        "acts_proposed": 0,
        "acts_refused": 0,
        "commands_journaled": 0,
        "abandoned": False,
        "discards": 0,
    }
    return trials(*(counters | dict(row) for row in rows))


def turns(*rows: Row) -> pl.LazyFrame:
    """Turns with an observation."""
    defaults = {"run": RUN, "trial": trial_number(0), "turn": 0, "observed": True, "bytes": 2}
    return _frame("turn", defaults, rows)


def checks(*rows: Row) -> pl.LazyFrame:
    """Criteria of graded trials that passed; ``path`` and ``id`` follow from the criterion."""
    filled = []
    for row in rows:
        path = row.get("path", row.get("criterion", "criterion"))
        filled.append({"path": path, "id": path.rsplit("/")[-1]} | dict(row))
    return _frame(
        "check",
        {
            "run": RUN,
            "trial": trial_number(0),
            "definition": 1,
            "position": 0,
            "scope": "trial",
            "criterion": "criterion",
            "kind": "check",
            "passed": True,
            "errored": False,
            "decisive": False,
            "negated": False,
            "graded": True,
            "unfinished": False,
        },
        tuple(filled),
    )


def votes(*rows: Row) -> pl.LazyFrame:
    """First votes on tone, score 3."""
    return _frame(
        "vote",
        {
            "run": RUN,
            "trial": trial_number(0),
            "criterion": "tone",
            "position": 0,
            "vote": 1,
            "score": 3,
        },
        rows,
    )


def discards(*rows: Row) -> pl.LazyFrame:
    """Discarded answers."""
    defaults = {"run": RUN, "trial": trial_number(0), "position": 0, "code": "schema"}
    return _frame("discard", defaults, rows)
