"""A very long case and a hostile one: read in time, shown as text, nothing lost in silence."""

import re
import time
from pathlib import Path

import pytest

from ingest.load import load_paths
from tests import heavy
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import links, markup, text
from tests.dashboard.stored import case_of, run_of

TURNS = 200
PATIENCE = 4.0
"""Seconds of a page on a busy machine; alone it takes a fraction of that."""


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("heavy")
    for name, report in (("hostile.json", heavy.hostile()), ("large.json", heavy.large(TURNS))):
        (folder / name).write_text(report, "utf-8")
    loaded = load_paths([str(folder)], folder / "heavy.duckdb")
    assert len(loaded.loaded) == 2
    return folder / "heavy.duckdb"


def test_a_case_of_two_hundred_large_turns_opens_in_time(opened: Opened, db: Path) -> None:
    name = case_of(db, run_of(db, "large.json"), outcome="failed")
    page = opened(db, "case", case=name)
    page.query_params["turn"] = "150"
    started = time.perf_counter()
    page.run()
    took = time.perf_counter() - started
    shown = markup(page)

    assert not page.exception
    assert took < PATIENCE
    assert len(shown) < 3_000_000
    assert f"Turn {TURNS}" in text(page)
    assert re.search(r"The observation has [\d.]+ (MB|kB)", text(page))
    assert "Answer 149" in text(page)
    assert any("turn=200" in one for one in links(page, "case"))


def test_a_large_piece_is_cut_and_whole_on_request(opened: Opened, db: Path) -> None:
    name = case_of(db, run_of(db, "large.json"), outcome="failed")
    page = opened(db, "raw", case=name, turn="7", part="observation")

    assert "The first 256 kB of" in text(page)
    assert len(markup(page)) < 400_000
    assert any("all=1" in one for one in links(page, "raw"))


def test_what_changed_in_a_large_turn_is_told(opened: Opened, db: Path) -> None:
    name = case_of(db, run_of(db, "large.json"), outcome="failed")
    page = opened(db, "case", case=name, turn="9", changes="1")

    assert "changed since turn 8 was is ~ /response/message Answer 7 Answer 8" in text(page)


@pytest.mark.parametrize("view", ["case", "divergence", "raw", "failures", "search", "reliability"])
def test_hostile_text_acts_nowhere(opened: Opened, db: Path, view: str) -> None:
    run = run_of(db, "hostile.json")
    case = case_of(db, run, outcome="failed")
    query = {
        "case": {"case": case, "changes": "1", "find": "level-49"},
        "divergence": {"case": case, "equal": "1"},
        "raw": {"case": case, "turn": "2", "part": "observation"},
        "failures": {"run": run},
        "search": {"run": run, "q": "evil"},
        "reliability": {"run": run},
    }[view]
    page = opened(db, view, **query)
    shown = markup(page)

    assert not page.exception
    assert "<script>window" not in shown
    assert "<img src=x" not in shown
    assert "window.hit" in shown
    if view != "raw":  # there the exact text is an attribute, to be copied
        assert "\u202e" not in shown
    assert "\x00" not in shown


def test_fifty_levels_are_there_to_the_last(opened: Opened, db: Path) -> None:
    case = case_of(db, run_of(db, "hostile.json"), outcome="failed")

    assert "level-49" in text(opened(db, "case", case=case))
    assert "level-1:" in text(opened(db, "case", case=case)).replace("level-1 :", "level-1:")
