"""`unaveraged stats`: how large the store is, and what takes long on it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text, wording
from dashboard.commands import options

TABLES: Final = (
    text.Column("table", whole=True),
    text.Column("rows", right=True),
    text.Column("on disk", right=True),
    text.Column("of it texts", right=True),
)
COUNTS: Final = (
    text.Column("count", whole=True),
    text.Column("seconds", right=True),
    text.Column("processor", right=True),
    text.Column("rows", right=True),
)


@click.command
@click.option("--sizes", "only_sizes", is_flag=True, help="Only the sizes; nothing is timed.")
@options.store
@options.json_output
def stats(*, only_sizes: bool, db: Path, as_json: bool) -> None:
    """Say what takes room and time in the store.

    Sizes of tables are rounded: they share blocks of the file. The counts are made once, each over
    every run that no later report replaces, and nothing kept of an earlier count is used.
    """
    from dashboard import measured

    found = measured.sizes(db)
    counts = [] if only_sizes else measured.counts(db)
    if as_json:
        text.say_json(found | {"counts": counts})
        return
    text.say(_file(found))
    text.say_table(TABLES, map(_table, found["tables"]))
    if counts:
        text.say()
        text.say_table(COUNTS, map(_count, _slowest_first(counts)))


def _file(found: Mapping[str, Any]) -> str:
    runs = text.plural(found["runs"], "run")
    replaced = f"{found['superseded']} of them replaced"
    payloads = f"payloads {wording.size(found['payloads'])} before packing"
    parts = [
        f"{wording.size(found['file'])}, of which {wording.size(found['free'])} free",
        text.plural(found["reports"], "report"),
        f"{runs}, {replaced}",
        payloads,
    ]
    if found["texts_share"] is not None:
        parts[-1] += f", texts {wording.percent(found['texts_share'])} of the tables on disk"
    return f"{text.shown(found['path'])}: {'; '.join(parts)}"


def _table(row: Mapping[str, Any]) -> tuple[str, ...]:
    texts = wording.NOTHING if row["texts"] is None else wording.size(row["texts"])
    return (row["table"], str(row["rows"]), wording.size(row["bytes"]), texts)


def _slowest_first(counts: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(counts, key=lambda row: -row["seconds"])


def _count(row: Mapping[str, Any]) -> tuple[str, ...]:
    return (row["count"], f"{row['seconds']:.2f}", f"{row['processor']:.2f}", str(row["rows"]))
