"""Routing over a store: who has to act on what trial rows found."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from dashboard.errors import InputError
from ingest import store
from queries import routing
from queries.channels import Channels, ChannelsError

_DATE: Final = r"(\d{4}-\d{2}-\d{2})"


class Routed(NamedTuple):
    """The figures about a battery, each at its own key."""

    tickets: pl.DataFrame
    channels: pl.DataFrame
    cut_short: pl.DataFrame
    never_failing: pl.DataFrame
    coverage: pl.DataFrame
    ablation: pl.DataFrame


def channels(path: Path | None) -> Channels | None:
    """Return what a file of channels says; None without one.

    Raises:
        InputError: When the file cannot be read or says something it may not.
    """
    if path is None:
        return None
    try:
        return Channels.read(path.read_text("utf-8"), str(path))
    except (OSError, UnicodeDecodeError, ChannelsError) as error:
        raise InputError(f"these channels cannot be used: {error}") from error


def route(db: Path, runs: pl.DataFrame, known: Channels | None, now: datetime) -> Routed:
    """Return the figures about the trial rows among these runs."""
    dated = runs.filter(pl.col("format") == "trial-row").with_columns(seen_at=_seen_at())
    names = dated["run"].to_list()
    with store.open_reader(db) as reader:
        trials = reader.table("trial", runs=names)
        checks = reader.table("check", runs=names)
        definitions = reader.frame("definition", runs=names).lazy()
        rows = dated.lazy()
        faults = routing.faults(rows, trials, checks).collect().lazy()
        figures = (
            routing.tickets(faults),
            routing.channels(faults, known),
            routing.cut_short(faults),
            routing.never_failing(rows, definitions, checks),
            routing.coverage(rows, trials, known, now),
            routing.ablation(rows, trials),
        )
        return Routed(*pl.collect_all(figures))


def now() -> datetime:
    """Return the time in UTC, as the store writes it."""
    return datetime.now(UTC).replace(tzinfo=None)


def _seen_at() -> pl.Expr:
    """Rows have no time: the date in the file's name says when they ran, else when it was read."""
    name = pl.col("path").str.split("/").list.last()
    written = name.str.extract(_DATE).str.to_datetime("%Y-%m-%d", strict=False, time_unit="us")
    return pl.coalesce(written, pl.col("ingested_at"))
