"""The routing page's tables: who has to act, and what could not be decided and why."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st

from dashboard import battery, inforce, wording
from dashboard.data import MOST_KEPT, Source
from dashboard.link import CaseLink, FailuresLink

MOST: Final = 200
_STATES: Final = {"hole": "never graded", "stale": "too old", "undated": "no date", "covered": ""}
_TITLES: Final = {
    "channel": "Work on a channel: the same fault on enough models",
    "recorded": "Recorded: on too few models to say",
    "not_routed": "Not routed",
}

Row = Mapping[str, Any]
Ids = tuple[str, ...]


class Ticket(NamedTuple):
    """One check that a tool has to mend."""

    tool: str
    scenario: str
    check: str
    trials: int
    models: list[str]
    reasons: list[str]
    examples: list[tuple[str, str]]


class Fault(NamedTuple):
    """One code of an agent's fault with the trials of each model."""

    section: str
    code: str
    channel: str
    trials: list[int]
    models: int
    why: str


class Way(NamedTuple):
    """Faults that go the same way."""

    title: str
    faults: list[Fault]


class Seen(NamedTuple):
    """How often the scenarios of a tool ran on one model, and how long ago."""

    tool: str
    scenario: str
    cells: list[tuple[str, str, str]]


class Arm(NamedTuple):
    """A scenario on a model with everything, and with something taken away."""

    tool: str
    scenario: str
    model: str
    full: str
    ablated: str
    delta: str


class InForce(NamedTuple):
    """What the file of channels says that the server was started with."""

    file: str
    patterns: int
    models: tuple[str, ...]
    needed: int
    days: int


def in_force() -> InForce | None:
    """Return the channels in force; None without a file."""
    path, known = inforce.channels_file(), inforce.channels()
    if path is None or known is None:
        return None
    return InForce(
        wording.file_name(str(path)),
        len(known.channel),
        known.models,
        known.needed(),
        known.max_age_days,
    )


@st.cache_resource(max_entries=MOST_KEPT, show_spinner="Routing…")
def routed(at: Source, ids: Ids, _runs: pl.DataFrame) -> battery.Routed:
    """Return the figures about the trial rows among these runs."""
    own = _runs.filter(pl.col("run").is_in(ids))
    return battery.route(Path(at.path), own, inforce.channels(), battery.now())


def tickets(found: pl.DataFrame) -> list[Ticket]:
    """Return the tickets, most trials first."""
    rows = found.sort("trials", descending=True, maintain_order=True).head(MOST).to_dicts()
    return [
        Ticket(
            tool(row),
            row["item"],
            row["criterion"],
            row["trials"],
            row["models"],
            row["reasons"],
            [(name, CaseLink(case=name).href) for name in row["examples"]],
        )
        for row in rows
    ]


def tool(row: Row) -> str:
    """Return the tool of a row with the dialect it speaks."""
    section = "" if row["dialect"] in {None, "contract"} else f" ({row['dialect']})"
    return f"{row['suite'] or 'no tool'}{section}"


def models(found: pl.DataFrame) -> list[str]:
    """Return the models of the matrix, a column each."""
    named = {one["model"] or "no model" for row in found.to_dicts() for one in row["by_model"]}
    return sorted(named)


def ways(found: pl.DataFrame, columns: Sequence[str]) -> list[Way]:
    """Return the agents' faults by what is to be done about them."""
    made = []
    for route, title in _TITLES.items():
        rows = found.filter(pl.col("route") == route).sort("trials", descending=True)
        if not rows.is_empty():
            made.append(Way(title, [_fault(row, columns) for row in rows.head(MOST).to_dicts()]))
    return made


def _fault(row: Row, columns: Sequence[str]) -> Fault:
    trials = {one["model"] or "no model": one["trials"] for one in row["by_model"]}
    section = "" if row["dialect"] in {None, "contract"} else row["dialect"]
    return Fault(
        section,
        row["code"] or "no code",
        row["channel"] or wording.NOTHING,
        [trials.get(name, 0) for name in columns],
        len(row["models"]),
        row["reason"],
    )


def never_failing(found: pl.DataFrame) -> list[tuple[str, str, str, int]]:
    """Return the checks that failed in no trial."""
    return [(tool(row), row["item"], row["criterion"], row["trials"]) for row in found.to_dicts()]


def seen(found: pl.DataFrame) -> tuple[list[str], list[Seen]]:
    """Return the models, and for each scenario how it stands on each of them."""
    columns = sorted(set(found["model"].drop_nulls()))
    rows: dict[tuple[str, str], dict[str, Row]] = {}
    for row in found.to_dicts():
        rows.setdefault((tool(row), row["item"]), {})[row["model"]] = row
    return columns, [
        Seen(name, item, [_state(own.get(model)) for model in columns])
        for (name, item), own in rows.items()
    ]


def _state(row: Row | None) -> tuple[str, str, str]:
    if row is None:
        return "", "", ""
    age = "" if row["age_days"] is None else wording.plural(row["age_days"], "day")
    tone = "err" if row["state"] in {"hole", "stale"} else ""
    return f"{row['graded']}/{row['trials']}", _STATES[row["state"]] or age, tone


def arms(found: pl.DataFrame) -> list[Arm]:
    """Return full minus ablated, or why it is undefined."""
    return [
        Arm(
            tool(row),
            row["item"],
            row["model"] or "no model",
            f"{row['full_passed']}/{row['full_graded']}",
            f"{row['ablated_passed']}/{row['ablated_graded']}",
            row["reason"] if row["delta"] is None else f"{100 * row['delta']:+.1f} pts",
        )
        for row in found.to_dicts()
    ]


def cut_short(found: pl.DataFrame, ids: Ids) -> list[tuple[str, str, str, int, str]]:
    """Return the faults of trials that were cut short: nobody's work."""
    href = FailuresLink(run=ids, tab="bound").href
    return [
        (tool(row), row["fault"] or "", row["code"] or "", row["trials"], href)
        for row in found.to_dicts()
    ]
