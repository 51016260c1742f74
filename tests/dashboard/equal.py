"""The stores and runs on which pages are held against the command line, and how they are read."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboard.traces import variants
from tests.acceptance import DATA
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import markup, rows

Row = dict[str, Any]

SAMPLES = (
    "library-desk.swift-model.json",
    "library-desk.patient-model.json",
    "lost-items.limited.json",
    "2026-11-02-loans-x4-swift-model.json",
    "shelfmark.week-45.jsonl",
    "grainmill.live-runner.jsonl",
)
ACCEPTED = (
    "product-selection.fast-model.r14.completed.json",
    "checkout.fast-model.retry-after-authorization.json",
    "judged.control-1.json",
    "2026-10-01-medium-x3-gpt-6-luna.json",
    "weekly-battery.jsonl",
)
SUITES = ("library-desk.conversations", "loans", "shelfmark")
ACCEPTED_SUITES = ("shop.product-selection", "shop.checkout", "travel-desk", "live")
NO_DATA = pytest.mark.skipif(not DATA.is_dir(), reason="no acceptance data beside the repository")
FILES = [
    *(pytest.param("samples", name, id=name) for name in SAMPLES),
    *(pytest.param("acceptance", name, id=name, marks=NO_DATA) for name in ACCEPTED),
]
HISTORIES = [
    *(pytest.param("samples", name, id=name) for name in SUITES),
    *(pytest.param("acceptance", name, id=name, marks=NO_DATA) for name in ACCEPTED_SUITES),
]


def paged(
    opened: Opened, db: Path, view: str, label: str, **asked: str | list[str]
) -> Iterator[tuple[list[str], str]]:
    """The rows of a table over all its pages, with the markup of the page they stand on."""
    for number in range(1, 20):
        shown = opened(db, view, page=str(number), **asked)
        assert not shown.exception
        drawn = markup(shown)
        yield from ((row, drawn) for row in rows(drawn, label))
        if 'data-key="]"' not in drawn:
            return


def named(row: Row) -> str:
    """A cell as it is called on a page."""
    chosen = variants(json.dumps(row["variants"], ensure_ascii=False))
    return " ".join(f"{row['item']} {chosen}".split())


def tally(passed: int, graded: int, ungraded: int) -> str:
    return f"{passed}/{graded}" + (f" +{ungraded} ○" if ungraded else "")
