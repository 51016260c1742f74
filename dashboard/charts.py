"""The charts of all pages: one look, two palettes, direct labels, and n in every one of them.

A chart takes rows that a query made and computes nothing. Colours and fonts that depend on the
theme are the application's; marks carry the address of what is behind them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt
import polars as pl

Row = Mapping[str, Any]
Chart = alt.Chart | alt.LayerChart | alt.FacetChart

SUBJECTS: Final = ("#2B83BA", "#CC79A7", "#56B4E9", "#A6803C", "#8F7CC8", "#7F8890", "#B7BEC6")
SHAPES: Final = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "stroke")
QUIET: Final = "#757E87"
MOST_ROWS: Final = 5000
WIDE_ENOUGH: Final = 42
"""Pixels between two runs that a count beside its point needs."""
_PANEL: Final = {"width": 152, "height": 116}
_PERCENT: Final = alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
_SIDE: Final = alt.Header(labelAngle=0, labelAlign="left", labelOrient="top", labelAnchor="start")
_UNIT: Final = alt.Scale(domain=[0, 1])


def attempts(rows: Sequence[Row]) -> Chart:
    """Draw per category the chance that any of k repetitions passes, and that all do.

    Args:
        rows: ``panel, k, any, all, cells, href``; ``panel`` names the category and its n.
    """
    base = alt.Chart(_few(rows)).encode(
        x=alt.X("k:Q", title="repetitions k", axis=alt.Axis(tickMinStep=1, format="d", grid=False)),
    )
    tooltip = ["panel:N", "k:Q", "any:Q", "all:Q", "cells:Q"]
    layers = []
    for name, label, dash in (("any", "any passes", [1, 0]), ("all", "all pass", [5, 3])):
        y = alt.Y(f"{name}:Q", title=None, scale=_UNIT, axis=_PERCENT)
        line = base.mark_line(color=SUBJECTS[0], strokeDash=dash, point={"size": 22}).encode(
            y=y, href="href:N", tooltip=tooltip
        )
        text = base.mark_text(
            color=QUIET, align="right", dy=-8 if name == "any" else 12, fontSize=11
        ).encode(y=y, text=alt.value(label))
        layers += [line, text.transform_filter("datum.last")]
    drawn: Chart = (
        alt.layer(*layers)
        .properties(**_PANEL)
        .facet(facet=alt.Facet("panel:N", title=None, sort=_order(rows, "panel")), columns=3)
    )
    return drawn


def flakes(rows: Sequence[Row]) -> Chart:
    """Draw how often two repetitions of a cell differ against how often it passes.

    Args:
        rows: ``rate, differ, cells, href``: one row for all cells that look alike.
    """
    base = alt.Chart(_few(rows)).encode(
        x=alt.X("rate:Q", title="pass rate of the cell", scale=_UNIT, axis=_PERCENT),
        y=alt.Y(
            "differ:Q",
            title="pairs of repetitions that differ",
            scale=_UNIT,
            axis=alt.Axis(format="%", values=[0, 0.5, 1]),
        ),
    )
    points = base.mark_circle(color=SUBJECTS[0], opacity=0.75, clip=False).encode(
        size=alt.Size("cells:Q", legend=None, scale=alt.Scale(rangeMin=40, rangeMax=420)),
        href="href:N",
        tooltip=["rate:Q", "differ:Q", "cells:Q"],
    )
    labels = base.mark_text(dy=-15, fontSize=11, color=QUIET).encode(text="cells:Q")
    drawn: Chart = (points + labels).properties(width=320, height=232)
    return drawn


def _few(rows: Sequence[Row]) -> pl.DataFrame:
    """Refuse to hand the browser more marks than it can draw."""
    if len(rows) > MOST_ROWS:
        raise ValueError(f"{len(rows)} marks are too many for a chart; count them first")
    return pl.DataFrame(rows, infer_schema_length=None)


def _order(rows: Sequence[Row], name: str) -> list[Any]:
    return list(dict.fromkeys(row[name] for row in rows))


def _beside(step: int, *, above: bool) -> dict[str, Any]:
    """Where a count stands: above or below its point, upright where its neighbours are near."""
    if step >= WIDE_ENOUGH:
        return {"align": "left", "dx": 5, "dy": -8 if above else 9}
    return {"angle": 270, "dx": 8 if above else -8, "align": "left" if above else "right"}


def history(rows: Sequence[Row]) -> Chart:
    """Draw per category the rate of every run in order, with its interval, a line a subject.

    Args:
        rows: ``category, order, when, subject, place, line, rate, low, high, n, suspect, breaks,
            href``; points of one ``line`` are joined, a suspect run is hollow and joined to none,
            and a rule stands where a run breaks with the one before it.
    """
    places = sorted({row["place"] for row in rows})
    colour = alt.Color(
        "place:N",
        legend=None,
        scale=alt.Scale(domain=places, range=[SUBJECTS[place] for place in places]),
    )
    shape = alt.Shape(
        "place:N",
        legend=None,
        scale=alt.Scale(domain=places, range=[SHAPES[place] for place in places]),
    )
    labels = {row["order"]: row["when"][5:] for row in rows}
    axis = alt.Axis(labelExpr=f"{labels}[datum.value]", labelAngle=-40, title=None, grid=False)
    base = alt.Chart(_few(rows)).encode(x=alt.X("order:O", axis=axis), color=colour)
    y = alt.Y("rate:Q", title=None, scale=_UNIT, axis=_PERCENT)
    sound, suspect = "!datum.suspect", "datum.suspect"
    tooltip = ["subject:N", "when:N", "category:N", "n:N", "low:Q", "high:Q", "breaks:N"]
    points = base.encode(y=y, shape=shape, href="href:N", tooltip=tooltip)
    step = min(110, max(14, 540 // max(1, len(labels))))
    counts = [
        base.mark_text(fontSize=10, **_beside(step, above=above))
        .transform_filter(f"datum.place % 2 == {0 if above else 1}")
        .encode(y=y, text="n:N", color=alt.value(QUIET))
        for above in (True, False)
    ]
    layers = [
        base.mark_rule(strokeDash=[2, 2], color=QUIET, xOffset=-9, aria=False)
        .transform_filter("datum.breaks != ''")
        .encode(color=alt.value(QUIET)),
        base.mark_line(strokeWidth=1.5, aria=False)
        .transform_filter(sound)
        .encode(y=y, detail="line:N"),
        base.mark_rule(strokeWidth=2, opacity=0.55, aria=False).encode(
            y=alt.Y("low:Q", title=None), y2="high:Q"
        ),
        points.mark_point(filled=True, size=52, opacity=1).transform_filter(sound),
        points.mark_point(filled=False, size=52, aria=False).transform_filter(suspect),
        *counts,
    ]
    drawn: Chart = (
        alt.layer(*layers)
        .properties(width=alt.Step(step), height=92)
        .facet(row=alt.Row("category:N", title=None, sort=_order(rows, "category"), header=_SIDE))
    )
    return drawn
