"""One entry of a brief: a criterion as it was written, what decided it, and how often it fails."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import bounded, diverged, shapes, trial_document
from ingest import store
from ingest.records import trial_name
from queries import cases

Record = dict[str, Any]

VALUE: Final = 600
"""Characters of one value of the evidence."""
MOST_TRIALS: Final = 8
MOST_PATHS: Final = 3
MOST_DIFFERENCES: Final = 5
DIFFERENCE: Final = 200
"""Characters of one value that differs."""
MOST_BYTES: Final = 8_000_000
"""Payload of a cell that is read to compare its repetitions."""


AT_ONCE: Final = 8
"""Cells whose payloads are read together."""


class Evidence(NamedTuple):
    """What the entries of a run are told from."""

    tree: pl.DataFrame
    inputs: Mapping[tuple[int, int | None], str | None]
    turns: Mapping[int, int]
    items: Mapping[str, Record]
    repetitions: Mapping[int, int | None]
    divergences: dict[int, Record]
    """Of each trial, told once: with its first entry."""


def read(
    reader: store.Reader, run: str, ranked: pl.DataFrame, trials: pl.DataFrame
) -> list[Record]:
    """Return the entries of rows of ``queries.entries``, with the evidence of their first trial."""
    rows = ranked.to_dicts()
    examples = sorted({row["trials"][0] for row in rows})
    checks = reader.frame("check", runs=(run,), trials=examples)
    inputs = reader.frame("turn", ("trial", "turn", "input"), runs=(run,), trials=examples)
    items = reader.frame("item", ("item", "name", "description"), runs=(run,))
    evidence = Evidence(
        tree=cases.tree(checks.lazy()).collect(),
        inputs={(row["trial"], row["turn"]): row["input"] for row in inputs.to_dicts()},
        turns=dict(inputs.group_by("trial").agg(pl.col("turn").max()).iter_rows()),
        items={row["item"]: row for row in items.to_dicts()},
        repetitions=dict(trials.select("trial", "repetition").iter_rows()),
        divergences=_divergences(reader, run, rows, trials),
    )
    return [_entry(row, evidence) for row in rows]


def _divergences(
    reader: store.Reader, run: str, rows: Sequence[Record], trials: pl.DataFrame
) -> dict[int, Record]:
    """Return the first divergences in the cells of these rows, where they can be had cheaply."""
    found: dict[int, Record] = {}
    numbers = trials["trial"].to_list()
    turns = reader.frame("turn", ("trial", "bytes"), runs=(run,), trials=numbers)
    sizes = turns.group_by("trial").agg(pl.col("bytes").sum())
    cells: list[pl.DataFrame] = []
    examples = [row["trials"][0] for row in rows]
    compared = pl.col("trial").is_in(examples) | (pl.col("outcome") == "passed")
    for item, variants in dict.fromkeys((row["item"], row["variants"]) for row in rows):
        cell = trials.filter((pl.col("item") == item) & (pl.col("variants") == variants))
        if int(cell.join(sizes, on="trial")["bytes"].sum()) <= MOST_BYTES:
            cells.append(cell.filter(compared))
    for place in range(0, len(cells), AT_ONCE):
        of_cells = diverged.of_cells(reader, cells[place : place + AT_ONCE])
        found |= {trial: _diverged(one) for trial, one in of_cells.items() if one is not None}
    return found


def _diverged(found: Record) -> Record:
    paths = [
        path
        | {
            side: bounded.fitting(path[side], DIFFERENCE, f"/{path['part']}{path['path']}")
            for side in ("passing", "failing")
        }
        for path in found["paths"][:MOST_DIFFERENCES]
    ]
    more = found.pop("more") + len(found["paths"]) - len(paths)
    return found | {"paths": paths, "more_paths": more}


def _entry(row: Record, evidence: Evidence) -> Record:
    number, turn = row["trials"][0], row["turn"]
    expression = _expression(evidence.tree.filter(pl.col("trial") == number), row["position"])
    item = evidence.items.get(row["item"], {})
    told: Record = {
        "item": row["item"],
        "item_name": item.get("name"),
        "item_description": _short(item.get("description"), "/item_description"),
        "variants": json.loads(row["variants"]),
        "criterion": row["criterion"],
        "label": row["label"],
        "scope": row["scope"],
        "step": row["step"],
        "turn": turn,
        "category": row["category"],
        "rule": row["rule"],
        "fails": _fails(row, evidence),
        "input": _short(shapes.payload(evidence.inputs.get((number, turn))), "/input"),
        "expression": expression,
        "fault": row["fault"],
        "code": row["code"],
        "reason": _short(row["reason"], "/reason"),
        "error_code": row["error_code"],
        "cut_short": row["cut_short"] or None,
        "first_divergence": evidence.divergences.pop(number, None),
        "ask": _ask(
            trial_name(number), evidence.turns.get(number) if turn is None else turn, expression
        ),
    }
    kept = {name: value for name, value in told.items() if value is not None and value != {}}
    return kept | {"errored": row["errored"]}


def _fails(row: Record, evidence: Evidence) -> Record:
    return {
        "failed": row["failed_at_all"],
        "failed_like_this": row["failed"],
        "graded_repetitions": row["graded"],
        "repetitions": [evidence.repetitions.get(one) for one in row["trials"]],
        "trials": [trial_name(one) for one in row["trials"][:MOST_TRIALS]],
        "cells_with_this_cause": row["cells"],
    }


def _short(value: object, pointer: str) -> object:
    return bounded.fitting(value, VALUE, pointer)


def _expression(nodes: pl.DataFrame, position: int) -> Record:
    """Return the criterion at a position as an expression, its values short."""
    ends = nodes.filter(pl.col("parent").is_null() & (pl.col("position") > position))["position"]
    last = nodes["position"].max() if ends.is_empty() else int(str(ends.min())) - 1
    own = nodes.filter(pl.col("position").is_between(position, last))
    (root,) = trial_document.criteria(own.iter_rows(named=True))
    return shortened(root)


def shortened(node: Record) -> Record:
    """Return an expression with its values short."""
    for name in ("expected", "actual", "evidence"):
        if name in node:
            path = node.get("path", "") if name == "actual" else ""
            node[name] = _short(node[name], path or f"/{name}")
    for child in node.get("children", ()):
        shortened(child)
    return node


def _ask(trial: str, turn: int | None, expression: Record) -> list[str]:
    """Return the commands that read more of the evidence."""
    if turn is None:
        return [f"unaveraged show {trial}"]
    place = f"unaveraged show {trial} --turn {turn}"
    paths = dict.fromkeys(
        leaf["path"].rsplit("/", 1)[0]
        for leaf in _leaves(expression)
        if leaf["role"] == "decisive" and leaf.get("path", "").count("/") > 2
    )
    return [place, *(f"{place} --path {path}" for path in list(paths)[:3])]


def _leaves(node: Record) -> Iterator[Record]:
    children = node.get("children", ())
    if not children:
        yield node
    for child in children:
        yield from _leaves(child)
