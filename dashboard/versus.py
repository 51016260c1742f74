"""The controls and words around a comparison: who is compared, and how to choose others."""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl
import streamlit as st

from dashboard import cellgrid, contrast, notices, parts, runtable, sides, wording
from dashboard.celltable import COVERING, InCategory
from dashboard.contrast import Contrast
from dashboard.data import Source
from dashboard.decisions import CompareLink
from dashboard.parts import Badge, Pick, Piece
from queries import status
from queries.rules import CATEGORIES

MOST_OFFERS: Final = 8
_ALIKE: Final = ("format", "version", "dialect", "suite")


def carried(found: Contrast | None, link: CompareLink) -> tuple[str, ...]:
    """Return the runs that links to other pages keep."""
    if found is None:
        return link.run
    return tuple(run for side in found.all for run in side.ids)


def says(found: Contrast | None) -> list[Piece]:
    """Return who is compared with whom."""
    if found is None:
        return []
    names = [Piece(found.base.title, strong=True), Piece("baseline", tone="dim")]
    names.extend(Piece(f"→ {side.title}", strong=True, title=side.detail) for side in found.others)
    names.append(Piece(runtable.suite(found.base.row)))
    return names


def badges(found: Contrast | None) -> list[Badge]:
    """Return what must be known of the compared runs before their figures are read."""
    if found is None:
        return []
    return [
        badge._replace(text=f"{side.title}: {badge.text}")
        for side in found.all
        for badge in runtable.status(side.row)
        if badge.tone == "warn"
    ]


def picks(found: Contrast | None, link: CompareLink) -> list[Pick]:
    """Return what the address selects, each with the address without it."""
    chosen: list[Pick] = []
    if found is not None:
        base = found.base
        rest = link.but(base=link.run[0] if link.run else None, run=link.run[1:])
        chosen.append(Pick("baseline", base.title, rest.href, base.detail, base.href))
        for side in found.others:
            without = link.but(run=tuple(name for name in link.run if name != side.name))
            chosen.append(Pick("against", side.title, without.href, side.detail, side.href))
    if link.control:
        pair = (found and found.control) or ()
        names = [wording.file_name(runs["path"][0] or runs["run"][0]) for runs in pair]
        chosen.append(Pick("control", " and ".join(names) or "pair", link.but(control=()).href))
    for name in ("suite", "category", "tag", "show", "q"):
        value = getattr(link, name)
        if value is not None:
            text = wording.category(value) if name == "category" else value
            label = {"q": "text", "show": "cells"}.get(name, name)
            chosen.append(Pick(label, text, link.but(**{name: None, "page": 1}).href))
    return chosen


def chooser(runs: pl.DataFrame, link: CompareLink) -> None:
    """Draw the choice of the baseline, of what is held against it, and of a control pair."""
    if runs.is_empty():
        return
    with st.popover("Choose sides", icon=":material/compare_arrows:", width="content"):
        st.caption("The baseline stays in the address. Only runs of its suite can be compared.")
        current = runs.filter(pl.col("superseded_by").is_null())
        parts.choose("all suites", "suite", link.suite, runtable.choices(current, "suite"))
        current = runtable.narrowed(current, link.suite, None)
        parts.choose("Baseline", "base", link.base, _options(current))
        alike = _options(_alike(runs, current, link.base))
        parts.choose_several("Against", "run", link.run, alike, contrast.MOST_SIDES)
        st.caption("Control pair: two runs of one unchanged system, which measure the noise.")
        parts.choose_several("Control pair", "control", link.control, alike, 2)


def _alike(runs: pl.DataFrame, current: pl.DataFrame, base: str | None) -> pl.DataFrame:
    """Return the runs that a baseline, a run or a subject, can be compared with."""
    wanted = pl.lit(base or "")
    own = runs.filter(pl.col("run") == wanted)
    own = current.filter(pl.col("subject") == wanted) if own.is_empty() else own
    if own.is_empty():
        return current
    row = own.row(0, named=True)
    return current.filter(pl.col(name).eq_missing(row[name]) for name in _ALIKE)


def _options(current: pl.DataFrame) -> Mapping[str, str]:
    """Return subjects with several runs of one side, then single runs."""
    one_side = pl.all_horizontal(pl.col(name).n_unique() == 1 for name in sides.ONE_SIDE)
    several = (
        current.drop_nulls("subject")
        .group_by("subject", maintain_order=True)
        .agg(runs=pl.len(), suite=pl.col("suite").first(), one=one_side)
        .filter(pl.col("one"), pl.col("runs") > 1)
    )
    subjects = {
        row["subject"]: f"{row['subject']} · all its {row['runs']} runs of {row['suite']}"
        for row in several.to_dicts()
    }
    return subjects | runtable.options(current)


def nothing(at: Source, runs: pl.DataFrame, link: CompareLink, found: Contrast | None) -> None:
    """Say why nothing is compared, and offer pairs of runs that can be."""
    if runs.is_empty():
        notices.empty_store(at.path)
        return
    lines = ["Choose a baseline and one or more runs of the same suite to hold against it."]
    if link.base is not None and found is None:
        lines = [f"The address names the baseline {link.base}, which is not in the store."]
    elif found is not None and found.problems:
        lines = [f"These cannot be compared. {problem}" for problem in found.problems]
    notices.notice(
        "Nothing is compared yet",
        lines,
        offer="Pairs that can be compared",
        links=_pairs(runs, link),
    )


def _pairs(runs: pl.DataFrame, link: CompareLink) -> list[notices.Offer]:
    """Return the newest runs of each suite beside the one before them, or beside the baseline."""
    current = runs.filter(pl.col("superseded_by").is_null())
    own = current.filter(pl.col("run") == (link.base or ""))
    offers = []
    for part in current.partition_by(_ALIKE, maintain_order=True):
        rows = part.to_dicts()
        if own.is_empty():
            pairs = [(rows[1], rows[0])] if len(rows) > 1 else []
        else:
            base = own.row(0, named=True)
            mine = base["run"] in part["run"]
            pairs = [(base, row) for row in rows if mine and row["run"] != base["run"]]
        offers += [_offer(base, other) for base, other in pairs]
    return offers[:MOST_OFFERS]


def _offer(base: runtable.Run, other: runtable.Run) -> notices.Offer:
    names = (run["subject"] or wording.file_name(run["path"] or "") for run in (base, other))
    address = CompareLink(base=base["run"], run=(other["run"],)).href
    return notices.Offer(" → ".join(names), address, runtable.caption(other))


def statuses(pairs: Sequence[sides.Paired]) -> list[pl.DataFrame]:
    """Return what became of every cell, for each side against the baseline."""
    return [status.of_cells(one.pairs.lazy()).collect() for one in pairs]


def category(link: CompareLink) -> str | None:
    """Return the category that cells are looked at in; null where the address names none."""
    return link.category if link.category in CATEGORIES else None


def in_category(
    at: Source, found: Contrast, pairs: Sequence[sides.Paired], link: CompareLink
) -> list[pl.DataFrame]:
    """Return what became of every cell in the chosen category; nothing where none is chosen."""
    name = category(link)
    if name is None:
        return []
    made = []
    for side, one in zip(found.others, pairs, strict=True):
        cells = contrast.measured(at, found.sides(side), one.pairs)
        own = status.in_category(one.pairs.lazy(), cells.lazy(), name)
        made.append(status.of_cells(own).collect())
    return made


def control(at: Source, found: Contrast) -> sides.Compared | None:
    """Return the control pair compared with itself, as any other two sides are."""
    if found.control is None:
        return None
    return contrast.compared(at, sides.Sides(*found.control, None))


def ids(found: Contrast) -> tuple[str, ...]:
    """Return every run that a column shows."""
    return tuple(dict.fromkeys(run for side in found.all for run in side.ids))


def marked(found: Contrast, judged: pl.DataFrame | None) -> InCategory | None:
    """Return how trials count in the chosen category."""
    if judged is None:
        return None
    by_trial = {row["trial"]: row for row in judged.to_dicts()}
    return InCategory(by_trial, silent_held=found.base.row["format"] != COVERING)


def names(found: Contrast) -> dict[str, contrast.Side]:
    """Return the side of each run."""
    return {run: side for side in reversed(found.all) for run in side.ids}


def filters(link: CompareLink, tags: pl.DataFrame, found: Sequence[sides.Compared]) -> None:
    """Draw the filters of the grid."""
    present = {name for one in found for name in one.categories["category"]}
    known: dict[str, str] = {name: wording.category(name) for name in CATEGORIES if name in present}
    with st.container(horizontal=True, key="filters"):
        parts.search("Search cells", "q", link.q)
        parts.choose("all cells", "show", link.show, cellgrid.SHOWN)
        parts.choose("all categories", "category", link.category, known)
        tagged = {tag: tag for tag in tags["tags"].unique().sort()}
        parts.choose("all tags", "tag", link.tag, tagged)
        parts.choose("changed cells first", "sort", link.sort, cellgrid.SORTS)
