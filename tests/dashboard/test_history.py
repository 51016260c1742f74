"""The runs of a suite in order, with breaks where one may not be read on to the next."""

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from dashboard import charts
from queries import history
from tests import builders
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import markup, text, words
from tests.dashboard.said import said
from tests.dashboard.stored import run_of

SWIFT = "library-desk.swift-model.json"
SUITE = "library-desk.conversations"


def test_the_table_says_what_the_command_line_says(opened: Opened, samples: Path) -> None:
    page = opened(samples, "history", suite=SUITE)

    assert not page.exception
    listed = re.findall(r'<tr id="run-(\w+)".*?</tr>', markup(page), re.DOTALL)
    assert run_of(samples, SWIFT) in listed
    for run in listed:
        (line,) = re.findall(rf'<tr id="run-{run}".*?</tr>', markup(page), re.DOTALL)
        for row in said(samples, "reliability", "--run", run)["categories"]:
            if row["rate"] is not None:
                basis = row["graded"] if row["covered"] is None else row["covered"]
                assert f"{basis - row['failing_trials']}/{basis}" in words(line)


def test_an_unknown_suite_is_said(opened: Opened, samples: Path) -> None:
    page = opened(samples, "history", suite="nothing")

    assert not page.exception
    assert "No run is like that" in text(page)


def placed(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    """The runs of one subject on as many days, in their order."""
    told = [
        {"run": f"{day:010x}", "subject": "one", "started_at": f"2026-11-{day:02d}T08:00"} | row
        for day, row in enumerate(rows, start=1)
    ]
    runs = builders.runs(*told).with_columns(
        definition="suite_digest",
        path=pl.lit("report.json"),
        ingested_at=pl.lit(datetime(2026, 12, 1)),  # noqa: DTZ001 (as the store gives it)
    )
    return history.ordered(runs).collect().to_dicts()


def test_a_line_breaks_at_another_definition_version_or_fingerprint() -> None:
    rows = placed(
        {"suite_digest": "a"},
        {"suite_digest": "a"},
        {"suite_digest": "b"},
        {"suite_digest": "b", "subject_fingerprint": "new"},
        {"suite_digest": "b", "subject_fingerprint": "new", "subject": "other"},
    )

    assert [row["breaks"] for row in rows] == [
        [],
        [],
        ["another suite definition"],
        ["another fingerprint of the subject"],
        [],
    ]
    assert [row["segment"] for row in rows] == [0, 0, 1, 2, 0]


def test_the_chart_joins_no_suspect_run_and_shows_every_n() -> None:
    row = {
        "category": "clarification",
        "order": 0,
        "when": "2026-11-01 08:00",
        "subject": "one",
        "place": 0,
        "line": "one 0",
        "rate": 0.5,
        "low": 0.2,
        "high": 0.8,
        "n": "1/2",
        "suspect": False,
        "breaks": "",
        "href": "failures?a",
    }
    spec = charts.history([row, row | {"order": 1, "suspect": True, "breaks": "why"}]).to_dict()
    layers = spec["spec"]["layer"]
    kinds = [one["mark"]["type"] for one in layers]

    assert spec["facet"]["row"]["field"] == "category"
    assert kinds == ["rule", "line", "rule", "point", "point", "text", "text"]
    assert layers[1]["transform"] == [{"filter": "!datum.suspect"}]
    assert [one["mark"]["filled"] for one in layers[3:5]] == [True, False]
    assert {one["encoding"]["text"]["field"] for one in layers[5:]} == {"n"}
    assert layers[3]["encoding"]["href"]["field"] == "href"
