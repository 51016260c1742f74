"""Charts of exported tables, as Vega-Lite; each mark is labelled with its counts."""

from typing import Any, Final

import polars as pl

from dashboard import markup, wording

Spec = dict[str, Any]

SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v6.json"
"""Names the language; nothing is fetched."""
INK: Final = "#1b1f24"
DIM: Final = "#57606a"
LINE: Final = "#d0d7de"
DOT: Final = "#0072B2"
MOST_ROWS: Final = 400
WIDTH: Final = 420
CONFIG: Final[Spec] = {
    "font": "Noto Sans, DejaVu Sans, sans-serif",
    "background": "white",
    "view": {"stroke": None},
    "axis": {
        "domainColor": LINE,
        "gridColor": LINE,
        "labelColor": INK,
        "labelFontSize": 12,
        "labelLimit": 320,
        "tickColor": LINE,
        "titleColor": DIM,
        "titleFontWeight": "normal",
    },
    "header": {"labelColor": INK, "labelFontSize": 13, "labelLimit": 640, "title": None},
    "title": {"anchor": "start", "color": INK, "offset": 14, "subtitleColor": DIM},
}


def reliability(rows: pl.DataFrame, title: str) -> Spec:
    """Return a row a category: the rate as a dot, where ungraded trials could move it as a bar."""
    measured = rows.filter(pl.col("rate").is_not_null()).head(MOST_ROWS)
    values = [
        {
            "run": line(
                f"{row['subject'] or 'no subject'} · {row['suite'] or 'no suite'} · {row['run']}"
            ),
            "category": wording.category(row["category"]),
            "rate": row["rate"],
            "low": row["low"],
            "high": row["high"],
            "label": f"{row['held']}/{row['denominator']}",
        }
        for row in measured.iter_rows(named=True)
    ]
    along = {"type": "quantitative", "scale": {"domain": [0, 1]}, "title": None}
    share = along | {"axis": {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1]}}
    down = {"field": "category", "type": "nominal", "title": None, "sort": None}
    layers = [
        {
            "mark": {"type": "bar", "height": 9, "color": LINE, "cornerRadius": 2},
            "encoding": {"x": {"field": "low", **share}, "x2": {"field": "high"}, "y": down},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 80, "color": DOT, "opacity": 1},
            "encoding": {"x": {"field": "rate", **share}, "y": down},
        },
        _counts(down),
    ]
    return {
        "$schema": SCHEMA,
        "config": CONFIG,
        "title": {
            "text": line(title),
            "subtitle": "Dot: held / measured, counts at the right. "
            "Bar: where the ungraded trials could move it.",
        },
        "data": {"values": values},
        "facet": {
            "row": {
                "field": "run",
                "type": "nominal",
                "sort": list(dict.fromkeys(value["run"] for value in values)),
                "header": {"orient": "top", "labelAnchor": "start"},
            }
        },
        "spec": {"width": WIDTH, "height": {"step": 22}, "layer": layers},
        "resolve": {"scale": {"y": "independent"}},
    }


def comparison(rows: pl.DataFrame, title: str) -> Spec:
    """Return a row a category: the difference as a dot in its interval, beside a line at zero."""
    values = [
        {
            "category": wording.category(row["category"]),
            "difference": row["difference"],
            "low": row["again_low"],
            "high": row["again_high"],
            "label": f"{row['base_passed']}/{row['base_trials']} → "
            f"{row['current_passed']}/{row['current_trials']}",
            "clear": row["again_low"] is not None
            and not row["again_low"] <= 0 <= row["again_high"],
        }
        for row in rows.head(MOST_ROWS).iter_rows(named=True)
    ]
    axis = {"format": "+.0%", "values": [-1, -0.5, 0, 0.5, 1]}
    along = {
        "type": "quantitative",
        "scale": {"domain": [-1, 1]},
        "title": "current minus base",
        "axis": axis,
    }
    down = {"field": "category", "type": "nominal", "title": None, "sort": None}
    colour = {"condition": {"test": "datum.clear", "value": DOT}, "value": DIM}
    layers = [
        {
            "mark": {"type": "rule", "color": INK, "strokeDash": [3, 3]},
            "encoding": {"x": {"datum": 0, **along}},
        },
        {
            "mark": {"type": "rule", "size": 2},
            "encoding": {
                "x": {"field": "low", **along},
                "x2": {"field": "high"},
                "y": down,
                "color": colour,
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
            "encoding": {"x": {"field": "difference", **along}, "y": down, "color": colour},
        },
        _counts(down),
    ]
    return {
        "$schema": SCHEMA,
        "config": CONFIG,
        "title": {
            "text": line(title),
            "subtitle": "Line: the interval for these cells run again; coloured where it clears "
            "zero. Counts at the right.",
        },
        "data": {"values": values},
        "width": WIDTH,
        "height": {"step": 26},
        "layer": layers,
    }


def _counts(down: Spec) -> Spec:
    """Return the layer that writes the counts of a row at its right."""
    return {
        "mark": {"type": "text", "align": "left", "dx": 14, "color": INK, "fontSize": 12},
        "encoding": {
            "x": {"value": WIDTH},
            "y": down,
            "text": {"field": "label", "type": "nominal"},
        },
    }


def line(text: str) -> str:
    """Return text of a report as one line in which no character acts unseen."""
    return markup.visible(" ".join(text.split()))
