"""Charts of repetitions, votes and time, as Vega-Lite; every mark stands beside its n."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from dashboard import wording
from dashboard.export.charts import CONFIG, DIM, DOT, INK, MOST_ROWS, SCHEMA, Spec, line
from queries.rules import CATEGORIES

Row = Mapping[str, Any]

SHARE: Final[Spec] = {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1]}
UNIT: Final[Spec] = {"domain": [0, 1]}
HUES: Final = ("#0072B2", "#CC79A7", "#56B4E9", "#8C6D31", "#6A51A3", "#57606A", "#1B1F24")
"""The palette of subjects, as on the pages; the last stands for all that follow."""
SHAPES: Final = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "stroke")
COLUMNS: Final = 3


def flakes(rows: pl.DataFrame) -> Spec:
    """Return how often two repetitions of a cell differ against how often it passes, per run."""
    known = rows.filter(pl.col("pair_disagreement").is_not_null())
    alike = known.group_by("run", "suite", "subject", "pass_rate", "pair_disagreement").len("cells")
    values = [
        {
            "run": _run(row),
            "rate": row["pass_rate"],
            "differ": row["pair_disagreement"],
            "cells": row["cells"],
        }
        for row in alike.sort("run", "pass_rate", "pair_disagreement").to_dicts()[:MOST_ROWS]
    ]
    x = {"field": "rate", "type": "quantitative", "scale": UNIT, "axis": SHARE}
    y = {"field": "differ", "type": "quantitative", "scale": UNIT, "axis": SHARE}
    placed = {
        "x": x | {"title": "pass rate of the cell"},
        "y": y | {"title": "pairs that differ"},
    }
    size = {"field": "cells", "type": "quantitative", "legend": None, "scale": {"range": [50, 400]}}
    layers = [
        {
            "mark": {"type": "circle", "color": DOT, "opacity": 0.8},
            "encoding": placed | {"size": size},
        },
        _text(placed, "cells", dy=-16),
    ]
    return _faceted(
        values,
        "run",
        {"width": 300, "height": 220, "layer": layers},
        "How often a cell passes, how often two of its repetitions differ",
        "A number is how many cells stand there.",
    )


def attempts(rows: pl.DataFrame) -> Spec:
    """Return per category the chance that any, and that all, of k repetitions hold."""
    several = rows["run"].n_unique() > 1
    ordered = sorted(rows.to_dicts(), key=lambda row: CATEGORIES.index(row["category"]))
    values = [
        {"panel": _panel(row, several=several), "last": step is steps[-1], **step}
        for row in ordered
        if len(steps := row["attempts"] or []) > 1
        for step in steps
    ][:MOST_ROWS]
    x = {"field": "k", "type": "quantitative", "axis": {"format": "d", "tickMinStep": 1}}
    layers: list[Spec] = []
    for name, words, dash, dy in (
        ("any", "any holds", [1, 0], -8),
        ("all", "all hold", [5, 3], 14),
    ):
        y = {"field": name, "type": "quantitative", "scale": UNIT, "axis": SHARE, "title": None}
        placed = {"x": x | {"title": "repetitions k"}, "y": y}
        mark = {"type": "line", "color": DOT, "strokeDash": dash, "point": {"color": DOT}}
        label = _text(placed, "", dy=dy) | {"transform": [{"filter": "datum.last"}]}
        label["encoding"] = label["encoding"] | {"text": {"value": words}}
        label["mark"] |= {"align": "right"}
        layers += [{"mark": mark, "encoding": placed}, label]
    return _faceted(
        values,
        "panel",
        {"width": 200, "height": 130, "layer": layers},
        "The chance that any, and that all, of k repetitions hold",
        "Over the cells of each category that have so many repetitions.",
    )


def majorities(rows: pl.DataFrame) -> Spec:
    """Return per judge criterion how many trials have each majority score.

    Args:
        rows: ``run, suite, subject, criterion, measure, value, trials``.
    """
    several = rows["run"].n_unique() > 1
    scored = rows.filter(pl.col("measure") == "majority", pl.col("value").is_not_null())
    values = [
        {"panel": _named(row, "criterion", several=several)} | {n: row[n] for n in _VOTED}
        for row in scored.to_dicts()[:MOST_ROWS]
    ]
    placed = {
        "x": {"field": "value", "type": "ordinal", "title": "score", "axis": {"labelAngle": 0}}
        | {"scale": {"domain": [1, 2, 3, 4, 5]}},
        "y": {"field": "trials", "type": "quantitative", "title": "trials"}
        | {"axis": {"tickMinStep": 1}},
    }
    layers = [
        {"mark": {"type": "bar", "color": DOT}, "encoding": placed},
        _text(placed, "trials", dy=-8),
    ]
    return _faceted(
        values,
        "panel",
        {"width": 190, "height": 130, "layer": layers},
        "What judges said: trials by the majority of their votes",
        "Votes measure the judge; no score enters a rate of the subject.",
    )


_VOTED: Final = ("value", "trials")


def history(rows: pl.DataFrame) -> Spec:
    """Return per category the rate of every run in order, a line for each subject.

    Args:
        rows: ``category, suite, subject, order, seen_at, line, rate, again_low, again_high, held,
            denominator, suspect, breaks``.
    """
    measured = rows.filter(pl.col("rate").is_not_null()).to_dicts()[:MOST_ROWS]
    suites = rows["suite"].n_unique() > 1
    values = [_point(row, suites=suites) for row in measured]
    subjects = list(dict.fromkeys(value["subject"] for value in values))
    seen = {row["order"]: row["when"] for row in values}
    hues = [HUES[min(place, len(HUES) - 1)] for place in range(len(subjects))]
    shapes = [SHAPES[min(place, len(SHAPES) - 1)] for place in range(len(subjects))]
    colour = {"field": "subject", "type": "nominal", "scale": {"domain": subjects, "range": hues}}
    shape = {"field": "subject", "type": "nominal", "scale": {"domain": subjects, "range": shapes}}
    axis = {"labelExpr": f"{seen}[datum.value]", "labelAngle": -40, "grid": False}
    x = {"field": "order", "type": "ordinal", "title": None, "axis": axis}
    y = {"field": "rate", "type": "quantitative", "scale": UNIT, "axis": SHARE, "title": None}
    legend = {"legend": {"title": None, "orient": "top"}}
    placed = {"x": x, "y": y, "color": colour | legend}
    ends = {"y": y | {"field": "low"}, "y2": {"field": "high"}}
    sound, suspect = ([{"filter": f"{sign}datum.suspect"}] for sign in ("!", ""))
    breaks = [{"filter": "datum.breaks"}]
    layers: list[Spec] = [
        {
            "mark": {"type": "rule", "color": DIM, "strokeDash": [2, 2], "xOffset": -10},
            "encoding": {"x": x},
            "transform": breaks,
        },
        {"mark": "line", "encoding": placed | {"detail": {"field": "line"}}, "transform": sound},
        {"mark": {"type": "rule", "size": 2, "opacity": 0.6}, "encoding": placed | ends},
        *(
            {
                "mark": {"type": "point", "filled": filled, "size": 60, "opacity": 1},
                "encoding": placed | {"shape": shape | legend},
                "transform": which,
            }
            for filled, which in ((True, sound), (False, suspect))
        ),
        _text(placed, "n", dy=-11),
    ]
    return _faceted(
        values,
        "category",
        {"width": {"step": 64}, "height": 110, "layer": layers},
        "Categories, run by run",
        "Held of measured, with the interval for these items run again. Hollow: a suspect run. "
        "Dashed: not to be read on from the run before.",
        columns=1,
    )


def _point(row: Row, *, suites: bool) -> Spec:
    suite = f" · {line(row['suite'] or 'no suite')}" if suites else ""
    return {
        "category": wording.category(row["category"]),
        "subject": f"{_subject(row)}{suite}",
        "order": row["order"],
        "when": wording.moment(row["seen_at"]),
        "line": line(row["line"]),
        "rate": row["rate"],
        "low": row["again_low"],
        "high": row["again_high"],
        "n": f"{row['held']}/{row['denominator']}",
        "suspect": row["suspect"],
        "breaks": row["breaks"],
    }


def _faceted(
    values: Sequence[Spec], by: str, spec: Spec, title: str, says: str, *, columns: int = COLUMNS
) -> Spec:
    """Return a chart of a panel each for the values of one field, in their order."""
    order = list(dict.fromkeys(value[by] for value in values))
    parts = "split(datum.label, '\\n')"
    head = {"title": None, "labelAnchor": "start", "labelFontWeight": "bold", "labelExpr": parts}
    return {
        "$schema": SCHEMA,
        "config": CONFIG,
        "title": {"text": title, "subtitle": says},
        "data": {"values": list(values)},
        "facet": {"field": by, "type": "nominal", "sort": order, "header": head},
        "columns": columns,
        "spec": spec,
    }


def _text(placed: Spec, field: str, *, dy: int) -> Spec:
    """Return the layer that writes an n beside its mark."""
    mark = {"type": "text", "color": INK, "fontSize": 11, "dy": dy}
    return {
        "mark": mark,
        "encoding": {name: placed[name] for name in ("x", "y")} | {"text": {"field": field}},
    }


def _subject(row: Row) -> str:
    return line(row["subject"] or "no subject")


def _run(row: Row) -> str:
    """Return two lines: who was evaluated, and in which run."""
    return f"{_subject(row)}\n{line(row['suite'] or 'no suite')} · {row['run']}"


def _panel(row: Row, *, several: bool) -> str:
    name = f"{wording.category(row['category'])} · {wording.plural(row['cells'], 'cell')}"
    return f"{name}\n{_subject(row)} · {row['run']}" if several else name


def _named(row: Row, column: str, *, several: bool) -> str:
    name = line(wording.spoken(row[column]))
    return f"{name}\n{_subject(row)} · {row['run']}" if several else name
