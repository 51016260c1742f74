"""Finds a text in the payloads of trials: which of them hold it, and the words around it.

The database scans; nothing is read that does not match. A scan is cut into ranges of trials, so
that whoever asks can show what is found, stop in between and go on.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol

import polars as pl

RANGE_BYTES: Final = 128_000_000
"""Bytes of payloads that one step scans, about: some tenths of a second."""
CONTEXT: Final = 110
"""Characters shown before and after what is found."""

Parameters = dict[str, Any]

_TRIALS: Final = """
SELECT trial.trial FROM trial LEFT JOIN item USING (run, item)
WHERE trial.run IN (SELECT unnest($runs::VARCHAR[])) AND trial.trial BETWEEN $low AND $high
  AND ($item IS NULL OR trial.item = $item) AND ($outcome IS NULL OR outcome = $outcome)
  AND ($tag IS NULL OR list_contains(tags, $tag))
"""
_PLACES: Final = (
    ("turn", "input", "turn", "NULL"),
    ("turn", "observation", "turn", "NULL"),
    ("turn", "checkpoint", "turn", "NULL"),
    ("check", "reason", "turn", "position"),
    ("trial", "reason", "NULL", "NULL"),
    ("vote", "reason", "NULL", "position"),
    ("vote", "error", "NULL", "position"),
)
"""Table, column, and what says where in the trial it stands."""


class Text(NamedTuple):
    """What to look for: a text in any case, or a regular expression."""

    text: str
    regex: bool = False


class Among(NamedTuple):
    """Which trials to look into."""

    runs: tuple[str, ...]
    item: str | None = None
    outcome: str | None = None
    tag: str | None = None


class Range(NamedTuple):
    """A part of the trials, and how many bytes of payloads it has."""

    low: int
    high: int
    bytes: int


class Asked(Protocol):
    """A store that answers questions."""

    def ask(self, sql: str, parameters: Parameters) -> pl.DataFrame:
        """Return the rows of an answer."""


def ranges(store: Asked, runs: Sequence[str]) -> list[Range]:
    """Return the trials of these runs in parts that are quick to scan."""
    sizes = store.ask(
        """
        SELECT trial, sum(bytes)::BIGINT AS bytes FROM turn
        WHERE run IN (SELECT unnest($runs::VARCHAR[])) GROUP BY trial
        UNION ALL SELECT trial, 0 FROM trial
        WHERE run IN (SELECT unnest($runs::VARCHAR[])) AND turns = 0
        """,
        {"runs": list(runs)},
    )
    parted = sizes.sort("trial").with_columns(part=pl.col("bytes").cum_sum() // RANGE_BYTES)
    found = parted.group_by("part", maintain_order=True).agg(
        low=pl.col("trial").min(), high=pl.col("trial").max(), bytes=pl.col("bytes").sum()
    )
    return [Range(*row) for row in found.select("low", "high", "bytes").iter_rows()]


def holding(store: Asked, text: Text, among: Among, part: Range, most: int) -> pl.DataFrame:
    """Return what holds the text in a part of the trials: trial, turn, place, position.

    Raises:
        ValueError: When the regular expression is none.
    """
    sql = " UNION ALL ".join(_scan(*place, regex=text.regex) for place in _PLACES)
    parameters = among._asdict() | {
        "runs": list(among.runs),
        "low": part.low,
        "high": part.high,
        "text": text.text if text.regex else text.text.lower(),
        "escaped": text.text if text.regex else _escaped(text.text),
        "most": most,
    }
    found = store.ask(f"WITH own AS ({_TRIALS}) {sql} LIMIT $most", parameters)
    return found.sort("trial", "turn", "place", "position", nulls_last=True)


def _scan(table: str, column: str, turn: str, position: str, *, regex: bool) -> str:
    if regex:
        test = f"regexp_matches({column}, $text, 'i')"
    else:
        lower = f"lower({column})"
        test = f"(contains({lower}, $text) OR contains({lower}, $escaped))"
    return (
        f"SELECT trial, {turn}::INTEGER AS turn, '{table} {column}' AS place, "  # noqa: S608
        f"{position}::INTEGER AS position, $text AS text, $escaped AS escaped "
        f'FROM "{table}" SEMI JOIN own USING (trial) WHERE trial BETWEEN $low AND $high AND {test}'
    )


def _escaped(text: str) -> str:
    """Return a text as JSON writes it, without its quotes."""
    return json.dumps(text.lower(), ensure_ascii=False)[1:-1]


class Excerpt(NamedTuple):
    """What was found, with what stands before and after it."""

    before: str
    found: str
    after: str


def excerpts(store: Asked, text: Text, hits: pl.DataFrame) -> Iterator[Excerpt | None]:
    """Yield the first match in each of these places, null where it is gone."""
    for row in hits.iter_rows(named=True):
        table, _, column = row["place"].partition(" ")
        found = store.ask(_excerpt(table, column, regex=text.regex), _where(row, text))
        told = found.row(0) if found.height else None
        yield Excerpt(*told) if told and told[1] is not None else None


def _where(row: dict[str, Any], text: Text) -> Parameters:
    lower, escaped = text.text.lower(), _escaped(text.text)
    return {
        "trial": row["trial"],
        "turn": row["turn"],
        "position": row["position"],
        "text": text.text if text.regex else lower,
        "escaped": text.text if text.regex else escaped,
        "context": CONTEXT,
    }


def _excerpt(table: str, column: str, *, regex: bool) -> str:
    turn = "turn = $turn" if table == "turn" else "$turn IS NOT DISTINCT FROM $turn"
    position = "position = $position" if table in ("check", "vote") else "$position IS NULL"
    found = "regexp_extract(value, $text, 0, 'i')"
    start = f"strpos(value, {found})"
    if not regex:
        start = "greatest(strpos(lower(value), $text), strpos(lower(value), $escaped))"
        length = (
            "CASE WHEN contains(lower(value), $text) THEN length($text) ELSE length($escaped) END"
        )
        found = f"substr(value, {start}, {length})"
    return (
        f'WITH own AS (SELECT {column} AS value FROM "{table}" WHERE trial = $trial AND {turn} '  # noqa: S608
        f"AND {position} AND {column} IS NOT NULL), "
        f"hit AS (SELECT value, {found} AS found, {start} AS start, $escaped AS escaped FROM own) "
        "SELECT substr(value, greatest(1, start - $context)::BIGINT, "
        "least(start - 1, $context)::BIGINT), found, "
        "substr(value, (start + length(found))::BIGINT, $context) FROM hit WHERE start > 0 LIMIT 1"
    )
