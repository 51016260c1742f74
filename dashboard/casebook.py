"""What pages about single trials read: what failed in some runs, and one trial with all it holds.

Payloads are read for the trials and turns that are shown, never for a list.
"""

from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st

from dashboard import data
from dashboard.data import MOST_KEPT, Source
from dashboard.unmet import EVIDENCE
from ingest import store
from queries import cases, categories, evidence

READ_AT_ONCE: Final = 2_000_000
"""Bytes of input and observations of one trial that are read without asking."""

_CELL: Final = ("run", "trial", "item", "variants", "repetition", "outcome")
_TURN: Final = (
    *("turn", "step", "status", "error_code", "duration_ms", "observed", "bytes", "input"),
)
_PAYLOAD: Final = ("turn", "observation", "checkpoint")
_TRIAL: Final = (
    *_CELL,
    *("native_status", "error_code", "error_scope", "reason", "bound_reached", "unfinished"),
    *("graded", "turns", "duration_ms"),
)


class Failures(NamedTuple):
    """What did not pass in some runs."""

    failures: pl.DataFrame
    trials: pl.DataFrame
    suite: pl.DataFrame


class Case(NamedTuple):
    """Everything recorded about one trial, its siblings, and what its item demands."""

    trial: pl.DataFrame
    turns: pl.DataFrame
    payloads: pl.DataFrame
    tree: pl.DataFrame
    votes: pl.DataFrame
    discards: pl.DataFrame
    item: pl.DataFrame
    parts: pl.DataFrame
    siblings: pl.DataFrame


@st.cache_resource(max_entries=MOST_KEPT, show_spinner="Reading the store…")
def failures(at: Source, chosen: tuple[str, ...], item: str | None = None) -> Failures:
    """Return what failed, errored or never ran in the chosen runs, or in one item of them."""
    its: dict[str, store.Scalar] = {} if item is None else {"item": item}
    runs = data.described(at, chosen).lazy()
    with store.open_reader(Path(at.path)) as reader:
        columns = ("run", "item", "tags", "name")
        items = reader.frame("item", columns, runs=chosen, where=its).lazy()
        trials = reader.frame("trial", _TRIAL, runs=chosen, where=its)
        checks = reader.frame("check", EVIDENCE, runs=chosen, where={"scope": "run"})
    coded = categories.codes(trials.lazy(), items, runs, data.rulebook())
    named = items.rename({"name": "item_name"})
    suite, listed = pl.collect_all(
        [evidence.suite(checks.lazy()), coded.join(named, on=["run", "item"], how="left")]
    )
    return Failures(data.failures(at, chosen, item), listed, suite)


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def failed_trials(at: Source, run: str) -> list[int]:
    """Return the failed trials of a run, in order."""
    with store.open_reader(Path(at.path)) as reader:
        trials = reader.frame("trial", ("trial",), runs=(run,), where={"outcome": "failed"})
    return sorted(trials["trial"].to_list())


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def case(at: Source, run: str, trial: int, asked: int | None) -> Case | None:
    """Return one trial with all that belongs to it, null when the store has no such trial.

    Where its observations are large, only that of the turn asked for (counted from one) is there.
    """
    runs, trials = (run,), (trial,)
    with store.open_reader(Path(at.path)) as reader:
        own = reader.frame("trial", runs=runs, trials=trials)
        if own.is_empty():
            return None
        its: dict[str, store.Scalar] = {"item": own["item"].item()}
        cell = reader.frame("trial", (*_CELL, "error_code"), runs=runs, where=its)
        turns = reader.frame("turn", _TURN, runs=runs, trials=trials).sort("turn")
        chosen: dict[str, store.Scalar] = {}
        if turns["bytes"].sum() > READ_AT_ONCE:
            chosen["turn"] = 0 if asked is None else asked - 1
        payloads = [reader.frame("turn", _PAYLOAD, runs=runs, trials=trials, where=chosen)]
        if chosen:
            chosen["turn"] = int(chosen["turn"]) - 1
            payloads.append(reader.frame("turn", _PAYLOAD, runs=runs, trials=trials, where=chosen))
        checks = reader.frame("check", runs=runs, trials=trials)
        return Case(
            own,
            turns,
            pl.concat(payloads),
            cases.tree(checks.lazy()).collect(),
            reader.frame("vote", runs=runs, trials=trials).sort("position", "vote"),
            reader.frame("discard", runs=runs, trials=trials).sort("position"),
            reader.frame("item", runs=runs, where=its),
            reader.frame("part", runs=runs, where=its),
            cases.siblings(cell.lazy(), trial).collect(),
        )


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def choices(at: Source, runs: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Return the items, tags and outcomes that trials of these runs can be chosen by."""
    with store.open_reader(Path(at.path)) as reader:
        items = reader.frame("item", ("item", "tags"), runs=runs)
        outcomes = reader.frame("trial", ("outcome",), runs=runs)
    found = {
        "item": items["item"],
        "tag": items["tags"].explode(),
        "outcome": outcomes["outcome"],
    }
    return {
        name: {value: value for value in values.drop_nulls().unique().sort().to_list()}
        for name, values in found.items()
    }


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def brief(at: Source, run: str, trial: int) -> dict[str, Any] | None:
    """Return the row of one trial, null when the store has no such trial."""
    with store.open_reader(Path(at.path)) as reader:
        found = reader.frame("trial", _TRIAL, runs=(run,), trials=(trial,))
    return None if found.is_empty() else found.row(0, named=True)


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def payload(at: Source, run: str, trial: int, turn: int, part: str) -> str | None:
    """Return one payload of a turn (counted from zero) as it was written, null without it."""
    with store.open_reader(Path(at.path)) as reader:
        found = reader.frame("turn", (part,), runs=(run,), trials=(trial,), where={"turn": turn})
    return None if found.is_empty() else found[part].item()


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def trials_of(at: Source, run: str) -> int:
    """Return how many trials a run has."""
    with store.open_reader(Path(at.path)) as reader:
        return reader.frame("trial", ("run",), runs=(run,)).height


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def suite_tree(at: Source, run: str) -> pl.DataFrame:
    """Return the criteria of a run's suite, node by node."""
    with store.open_reader(Path(at.path)) as reader:
        checks = reader.frame("check", runs=(run,), where={"scope": "run"})
    return cases.tree(checks.lazy()).collect()
