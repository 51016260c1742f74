"""The grid of a comparison: which cells are listed, in which order, and what each row says."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard.celltable import Strip
from dashboard.contrast import Contrast
from dashboard.decisions import CompareLink
from queries import status

ROWS: Final = 60
SHOWN: Final = {
    "changed": "changed",
    **{word: word for word in status.WORDS},
    "unstable": "unstable",
}
SORTS: Final = {
    "change": "changed cells first",
    "regression": "largest regression first",
    "improvement": "largest improvement first",
    "instability": "least stable first",
    "name": "by name",
}
_CHANGED: Final = ("regressed", "fixed", "improved")


class Word(NamedTuple):
    """What a comparison says of a cell."""

    text: str
    tone: str
    title: str


class Row(NamedTuple):
    """One cell with its repetitions on every side."""

    strip: Strip
    words: list[list[Word]]
    newly: list[str]
    href: str
    opened: bool


def listed(statuses: Sequence[pl.DataFrame], tags: pl.DataFrame, link: CompareLink) -> pl.DataFrame:
    """Return the cells an address asks for, in the order it asks for."""
    if not statuses:
        return pl.DataFrame(schema={"item": pl.String, "variants": pl.String})
    sort = link.sort if link.sort in SORTS else "change"
    cells = status.ranked(pl.concat(statuses).lazy(), sort).filter(_wanted(link.show))
    if link.q:
        sought = pl.concat_str("item", "variants", separator=" ").str.to_lowercase()
        cells = cells.filter(sought.str.contains(link.q.lower(), literal=True))
    if link.tag is not None:
        own = tags.filter(pl.col("tags") == link.tag)
        cells = cells.join(own.lazy(), on="item", how="semi")
    return cells.collect()


def _wanted(show: str | None) -> pl.Expr:
    words = pl.col("words")
    if show == "changed":
        return pl.any_horizontal(words.list.contains(word) for word in _CHANGED)
    if show == "unstable":
        return pl.col("unstable")
    if show in status.WORDS:
        return words.list.contains(show)
    return pl.lit(value=True)


def rows(
    strips: Sequence[Strip],
    cells: pl.DataFrame,
    statuses: Sequence[pl.DataFrame],
    changes: Sequence[pl.DataFrame],
    link: CompareLink,
) -> list[Row]:
    """Return the rows as they are drawn; ``strips`` are of ``cells``, in their order."""
    keys = list(cells.select("item", "variants").iter_rows())
    wanted = cells.select("item", "variants")
    said = [_by_cell(one.join(wanted, on=["item", "variants"], how="semi")) for one in statuses]
    moved = [
        _by_cell(
            one.filter(pl.col("kind").str.starts_with("deterministic")).join(
                wanted, on=["item", "variants"], how="semi"
            )
        )
        for one in changes
    ]
    drawn = []
    for key, strip in zip(keys, strips, strict=True):
        own = [one.get(key) for one in said]
        change = [one.get(key) for one in moved] or [None] * len(own)
        names = tuple(side.first for side in strip.sides if side.first)[:2]
        drawn.append(
            Row(
                strip,
                [_words(row, one) for row, one in zip(own, change, strict=True)],
                sorted({name for one in change if one for name in one["newly_failing"] or ()}),
                f"{link.but(cell=names).href}#open",
                opened=bool(set(names) & set(link.cell)),
            )
        )
    return drawn


def _by_cell(frame: pl.DataFrame) -> dict[tuple[str, str], Mapping[str, Any]]:
    return {(row["item"], row["variants"]): row for row in frame.to_dicts()}


def _words(row: Mapping[str, Any] | None, change: Mapping[str, Any] | None) -> list[Word]:
    if row is None:
        return []
    noise = change["noise"] if change else None
    word = row["word"]
    beyond = noise == "exceeds_noise"
    tone = (
        {"regressed": "fail", "fixed": "pass", "improved": "pass"}.get(word, "") if beyond else ""
    )
    said = [Word("" if word == "same" else word, tone, "")]
    if noise is not None and word in _CHANGED:
        said.append(
            Word(
                {"exceeds_noise": "beyond noise", "within_noise": "within noise"}.get(
                    noise, "noise unmeasured"
                ),
                "dim",
                "",
            )
        )
    if row["base_unstable"] or row["current_unstable"]:
        both = row["base_unstable"] and row["current_unstable"]
        text = "unstable" if both or row["current_unstable"] else "was unstable"
        said.append(Word(text, "dim", "repetitions ended differently"))
    return [one for one in said if one.text]


def sides(contrast: Contrast) -> list[tuple[str, ...]]:
    """Return the runs of each column."""
    return [side.ids for side in contrast.all]
