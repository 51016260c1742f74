"""One trial as a JSON document: its turns, what was observed, and what was checked.

Payloads are read for the turn that is asked for; the document of a whole trial says how large the
others are and how to ask for them.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import polars as pl

from dashboard import bounded, figures, shapes, text, wording
from dashboard.errors import InputError
from ingest import store
from ingest.records import trial_number
from queries import cases

Record = dict[str, Any]

PAYLOADS: Final = ("input", "observation", "checkpoint")
_TRIAL: Final = (
    *("run", "trial", "item", "variants", "repetition", "outcome", "native_status", "error_code"),
    *("error_scope", "reason", "bound_reached", "unfinished", "duration_ms", "turns", "thread"),
    *("native_id", "signature", "place"),
)
_TURN: Final = ("turn", "step", "status", "error_code", "duration_ms", "observed", "bytes")
_VOTE: Final = ("criterion", "vote", "score", "reason", "error")
_TOLD: Final = (
    *("label", "operator", "evaluator", "error_code", "fault", "code", "reason", "note"),
)


def read(db: Path, name: str, turn: int | None = None, path: str = "") -> object:
    """Return a trial, one of its turns, or what a JSON pointer points at in either.

    Args:
        db: The store.
        name: The trial, as `failures` calls it.
        turn: Place of a turn, counted from 0.
        path: JSON pointer; without `turn`, one that starts with /turns/N reads that turn.

    Raises:
        InputError: When there is no such trial or turn, or nothing where the pointer points.
    """
    number = _number(name)
    turn, path = _split(turn, path)
    run = name.partition("-")[0]
    with store.open_reader(db) as reader:
        found = reader.frame("trial", _TRIAL, runs=(run,), trials=(number,))
        if found.is_empty():
            raise InputError(_no_trial(db, name, run))
        trial = found.row(0, named=True)
        _refuse_turn(name, turn, trial["turns"])
        tree = _tree(reader, run, number)
        turns = _turns(reader, run, number, turn)
        votes = reader.frame("vote", runs=(run,), trials=(number,)).sort("position", "vote")
    told = [_turn(one, tree, whole=turn is not None) for one in turns]
    if turn is not None:
        return bounded.at(told[0], path)
    return bounded.at(_whole(db, name, trial, told, tree, votes), path)


def _number(name: str) -> int:
    try:
        return trial_number(name)
    except ValueError as error:
        raise InputError(f"{error}; trials are listed by: unaveraged failures") from error


def _split(turn: int | None, path: str) -> tuple[int | None, str]:
    """A pointer into the turns of a trial is a pointer into one turn."""
    parts = path.split("/", 3)
    if turn is None and len(parts) > 2 and parts[1] == "turns" and parts[2].isdecimal():
        return int(parts[2]), f"/{parts[3]}" if len(parts) > 3 else ""
    return turn, path


def _no_trial(db: Path, name: str, run: str) -> str:
    known = figures.known(db)
    if run not in known["run"].to_list():
        return f"no trial is called {name!r}: the store has no run {run}"
    with store.open_reader(db) as reader:
        count = reader.frame("trial", ("run",), runs=(run,)).height
    return f"no trial is called {name!r}: run {run} has {run}-0 to {run}-{count - 1}"


def _refuse_turn(name: str, turn: int | None, turns: int) -> None:
    if turn is not None and turn >= turns:
        there = f"turns 0 to {turns - 1}" if turns else "no turn"
        raise InputError(f"trial {name} has no turn {turn}: it has {there}")


def _turns(reader: store.Reader, run: str, number: int, turn: int | None) -> list[Record]:
    where: dict[str, store.Scalar] = {} if turn is None else {"turn": turn}
    columns = (*_TURN, "input") if turn is None else (*_TURN, *PAYLOADS)
    rows = reader.frame("turn", columns, runs=(run,), trials=(number,), where=where)
    return rows.sort("turn").to_dicts()


def _tree(reader: store.Reader, run: str, number: int) -> list[Record]:
    checks = reader.frame("check", runs=(run,), trials=(number,))
    return cases.tree(checks.lazy()).collect().to_dicts()


def _turn(row: Record, tree: Iterable[Record], *, whole: bool) -> Record:
    number = row["turn"]
    told: Record = {name: row[name] for name in _TURN if row[name] is not None}
    told["input"] = shapes.payload(row["input"])
    if whole:
        told["observation"] = shapes.payload(row["observation"])
        told["checkpoint"] = shapes.payload(row["checkpoint"])
    elif row["observed"]:
        size = wording.size(row["bytes"]).replace("\u202f", "")
        told["observation"] = f"… {size} with its input at /turns/{number}/observation"
    told["criteria"] = criteria(node for node in tree if node["turn"] == number)
    return told


def _whole(
    db: Path,
    name: str,
    trial: Record,
    turns: Sequence[Record],
    tree: Iterable[Record],
    votes: pl.DataFrame,
) -> Record:
    run = figures.known(db).filter(pl.col("run") == trial["run"]).row(0, named=True)
    head = {
        "trial": name,
        "run": trial["run"],
        "suite": run["suite"],
        "subject": text.subject(run),
        "file": wording.file_name(run["path"]),
        "place": trial["place"],
    }
    facts = {
        column: trial[column]
        for column in _TRIAL[2:-1]
        if column != "turns" and trial[column] is not None
    }
    facts["variants"] = json.loads(trial["variants"])
    return (
        head
        | facts
        | {
            "turns": list(turns),
            "criteria": criteria(node for node in tree if node["turn"] is None),
            "votes": votes.select(_VOTE).to_dicts(),
        }
    )


def criteria(nodes: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Return criteria as the expressions they were written as, each node with the part it plays."""
    roots: list[Record] = []
    path: list[Record] = []
    for node in nodes:
        told = _node(node)
        del path[node["depth"] :]
        if path:
            path[-1].setdefault("children", []).append(told)
        else:
            roots.append(told)
        path.append(told)
    return roots


def _node(node: Mapping[str, Any]) -> Record:
    told: Record = {"id": node["id"], "kind": node["kind"], "role": node["role"]}
    told["passed"] = None if node["errored"] else node["passed"]
    told |= {name: node[name] for name in _TOLD if node[name] is not None}
    if node["target"] is not None:
        told["path"] = pointer(node["target"], node["scope"])
    for name in ("expected", "actual", "evidence"):
        if node[name] is not None:
            told[name] = shapes.payload(node[name])
    if node["actual_present"] is False:
        told["actual_present"] = False
    return told


def pointer(target: str, scope: str) -> str:
    """Return the JSON pointer of what a check looks at: in its turn, or in the run for a suite."""
    path = "" if scope == "run" else "/observation"
    names = shapes.payload(target)
    for name in names if isinstance(names, list) else ():
        path = bounded.under(path, name)
    return path
