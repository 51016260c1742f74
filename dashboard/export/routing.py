"""The routing table: who has to act on what trial rows found, and on what evidence."""

from typing import Final

import polars as pl

from dashboard import battery, shapes, text, wording
from dashboard.errors import InputError
from dashboard.export import cells
from dashboard.export.about import Chosen
from dashboard.export.table import Column, Row, Shown, Table, at_once

COLUMNS: Final = (
    Column("route", "ticket: the tool must be mended; else what becomes of an agents' fault"),
    Column("version", "version of the reports: never put together", "count"),
    Column("dialect", "dialect of the reports: never put together"),
    Column("tool", "the tool; empty for an agents' fault, which is one over all tools"),
    Column("scenario", "the scenario of a ticket"),
    Column("check", "the check of a ticket"),
    Column("code", "the code of an agents' fault"),
    Column("channel", "the channel that may have misled the agents"),
    Column("trials", "trials with the fault", "count"),
    Column("checks", "failed checks", "count"),
    Column("models", "JSON: distinct models it happened on", "json"),
    Column("reasons", "JSON: what the reports say, or why it is routed so", "json"),
)
NOTES: Final = (
    "A tool's fault is a ticket for the tool. An agents' fault on enough distinct models is work "
    "on the channel that misled them; on fewer it is recorded.",
    "Trials that were cut short tell nothing of later steps: their later faults are no tickets.",
)


def _tool(row: Row) -> str:
    return text.shown(row["tool"] or ("" if row["code"] else "no tool"))


def _what(row: Row) -> str:
    if row["route"] == "ticket":
        return text.shown(f"{row['scenario']} / {row['check']}")
    return text.shown(row["code"] or "no code")


SHOWN: Final = (
    Shown("route", lambda row: wording.spoken(row["route"])),
    Shown("tool", _tool, quoted=True),
    Shown("scenario and check, or code", _what, quoted=True),
    Shown("channel", lambda row: row["channel"] or "", quoted=True),
    cells.count("trials", "trials"),
    Shown("models", lambda row: str(len(_values(row["models"]))), right=True),
    Shown("why", lambda row: "; ".join(map(str, _values(row["reasons"]))), quoted=True),
)


def _values(written: str) -> list[object]:
    values = shapes.payload(written)
    return values if isinstance(values, list) else []


def table(chosen: Chosen) -> Table:
    """Return what has to be done about the trial rows among the chosen runs.

    Raises:
        InputError: When categories are asked for.
    """
    if chosen.selection.categories:
        raise InputError("faults are routed whatever their category; export without --category")
    found = battery.route(
        chosen.db, chosen.runs, battery.channels(chosen.selection.channels), battery.now()
    )
    tickets = found.tickets.select(
        *("version", "dialect", "trials", "checks"),
        route=pl.lit("ticket"),
        tool="suite",
        scenario="item",
        check="criterion",
        models=_json("models"),
        reasons=_json("reasons"),
    )
    codes = found.channels.select(
        *("route", "version", "dialect", "code", "channel", "trials", "checks"),
        models=_json("models"),
        reasons=_json(pl.concat_list("reason")),
    )
    rows = pl.concat([tickets, codes], how="diagonal").with_columns(
        pl.col("version").cast(pl.Int64)
    )
    return Table(
        name="routing",
        title="Who has to act on what was found",
        says="One row is one check of a tool, or one code of agents' faults.",
        columns=COLUMNS,
        shown=SHOWN,
        parts=at_once(
            chosen.kept(rows, "scenario", chosen.selection.items).select(
                column.name for column in COLUMNS
            )
        ),
        about=chosen.about,
        notes=NOTES,
        by_run=False,
    )


def _json(texts: str | pl.Expr) -> pl.Expr:
    """Return a list of texts as a JSON list."""
    column = pl.col(texts) if isinstance(texts, str) else texts
    structs = column.list.drop_nulls().list.eval(pl.struct(x=pl.element()).struct.json_encode())
    bare = structs.list.eval(pl.element().str.strip_prefix('{"x":').str.strip_suffix("}"))
    return pl.format("[{}]", bare.list.join(", "))
