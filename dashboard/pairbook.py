"""What the side-by-side page reads: the trials a case can stand beside, and where two part ways."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st

from dashboard.data import MOST_KEPT, Source
from ingest import store
from queries import cases, divergence

FIRST_BYTES: Final = 4_000_000
MOST_BYTES: Final = 64_000_000
"""Bytes of both trials that are compared in search of the first difference."""

_TRIAL: Final = ("run", "trial", "item", "variants", "repetition", "outcome")
_LIGHT: Final = ("trial", "turn", "step", "status", "error_code", "bytes")
_HEAVY: Final = ("trial", "turn", "step", "status", "error_code", "input", "observation")
_CHECK: Final = (*("trial", "turn", "scope", "criterion", "parent", "passed", "errored"),)

Row = Mapping[str, Any]


class Parting(NamedTuple):
    """Where two trials first differ; without a turn, whether all of them were compared."""

    found: divergence.Divergence | None
    compared: int
    turns: int


class Pair(NamedTuple):
    """One turn of two trials, and the criteria of it."""

    turns: pl.DataFrame
    tree: pl.DataFrame


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def others(at: Source, trial: int, item: str, variants: str, runs: tuple[str, ...]) -> pl.DataFrame:
    """Return the other trials of a case's cell, and of the same cell in these runs."""
    with store.open_reader(Path(at.path)) as reader:
        found = reader.frame("trial", _TRIAL, runs=runs, where={"item": item, "variants": variants})
    return found.filter(pl.col("trial") != trial).sort("run", "repetition", "trial")


@st.cache_resource(max_entries=MOST_KEPT, show_spinner="Comparing…")
def parting(at: Source, own: tuple[str, int], other: tuple[str, int]) -> Parting:
    """Return where ``own`` first left the way of ``other``; both are a run and a trial."""
    runs, trials = (own[0], other[0]), (own[1], other[1])
    rows = [
        {"trial": own[1], "repetition": 1, "outcome": "failed"},
        {"trial": other[1], "repetition": 0, "outcome": "passed"},
    ]
    with store.open_reader(Path(at.path)) as reader:
        sizes = reader.frame("turn", _LIGHT, runs=runs, trials=trials)
        checks = reader.frame("check", _CHECK, runs=runs, trials=trials).to_dicts()
        by_turn = sizes.group_by("turn").agg(pl.col("bytes").sum()).sort("turn")
        last = by_turn.height
        budget, done = FIRST_BYTES, 0
        while True:
            reached = by_turn.filter(pl.col("bytes").cum_sum() <= budget).height
            done = max(min(done + 1, last), reached)
            turns = _turns(reader, runs, trials, sizes, done)
            whole = done == last
            seen = [
                one for one in checks if whole or (one["turn"] is not None and one["turn"] < done)
            ]
            found = divergence.first(rows, turns, seen)[own[1]]
            if (found and found.paths) or done == last or budget >= MOST_BYTES:
                return Parting(found if found and found.paths else None, done, last)
            budget *= 2


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def closest(
    at: Source, own: tuple[str, int], others: tuple[tuple[str, int], ...]
) -> divergence.Divergence | None:
    """Return where ``own`` left the way of that one of the others which it followed furthest.

    Null where their payloads are too large to be read together.
    """
    everyone = (own, *others)
    runs, trials = tuple(run for run, _ in everyone), tuple(trial for _, trial in everyone)
    rows = [
        {"trial": trial, "repetition": place, "outcome": "passed" if place else "failed"}
        for place, trial in enumerate(trials)
    ]
    with store.open_reader(Path(at.path)) as reader:
        sizes = reader.frame("turn", ("bytes",), runs=runs, trials=trials)
        if sizes["bytes"].sum() > FIRST_BYTES:
            return None
        turns = reader.frame("turn", _HEAVY, runs=runs, trials=trials).to_dicts()
        checks = reader.frame("check", _CHECK, runs=runs, trials=trials).to_dicts()
    return divergence.first(rows, turns, checks)[own[1]]


def _turns(
    reader: store.Reader,
    runs: tuple[str, ...],
    trials: tuple[int, ...],
    sizes: pl.DataFrame,
    most: int,
) -> list[dict[str, Any]]:
    if most == sizes["turn"].n_unique():
        return reader.frame("turn", _HEAVY, runs=runs, trials=trials).to_dicts()
    frames = [
        reader.frame("turn", _HEAVY, runs=runs, trials=trials, where={"turn": turn})
        for turn in range(most)
    ]
    return pl.concat(frames).to_dicts()


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def turn(at: Source, own: tuple[str, int], other: tuple[str, int], number: int | None) -> Pair:
    """Return one turn of two trials, counted from zero, and its criteria; null: the whole case."""
    runs, trials = (own[0], other[0]), (own[1], other[1])
    with store.open_reader(Path(at.path)) as reader:
        checks = reader.frame("check", runs=runs, trials=trials)
        turns = reader.frame(
            "turn",
            (*_HEAVY, "duration_ms", "bytes"),
            runs=runs,
            trials=trials,
            where={"turn": -1 if number is None else number},
        )
    mine = pl.col("turn").is_null() if number is None else pl.col("turn") == number
    tree = cases.tree(checks.lazy()).collect()
    return Pair(turns, tree.filter(mine))
