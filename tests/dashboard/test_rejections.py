"""What was not loaded or only with a flag, marks of runs that are incomplete, and new data."""

import json
from pathlib import Path

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from dashboard import refused
from dashboard.link import RejectionsLink
from dashboard.server import STORE_VARIABLE
from ingest.load import load_paths
from ingest.store import open_reader
from tests.cli import reports
from tests.dashboard.conftest import ROOT, Opened
from tests.dashboard.reading import links, markup, text

SAMPLE = ROOT / "sample_reports" / "evaluation" / "lost-items.limited.json"


@pytest.fixture(scope="module")
def partial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two incomplete runs, and of a row with a flag."""
    folder = tmp_path_factory.mktemp("partial")
    db = folder / "s.duckdb"
    document = json.loads(SAMPLE.read_text("utf-8"))
    document["cases"][-1]["repetition"] = "never"
    whole = folder / "partial.json"
    whole.write_text(json.dumps(document))
    rows = reports.write(
        folder / "rows.jsonl",
        reports.failing(),
        reports.row(checks=None),
        reports.row("odd", status="odd"),
    )
    load_paths([str(whole), str(rows)], db)
    return db


def test_things_refused_are_listed_by_rule_with_a_remedy(opened: Opened, partial: Path) -> None:
    page = opened(partial, "rejections")

    assert not page.exception
    assert "Not loaded 2 Kept with a flag 1" in text(page)
    assert "the rest of the report was loaded" in text(page)
    assert "line 2" in text(page)


def test_things_kept_with_a_flag_lead_to_their_trial(opened: Opened, partial: Path) -> None:
    page = opened(partial, "rejections", flags="1")

    assert "B3 kept, with a flag" in text(page)
    assert "line 3" in text(page)
    assert len(links(page, "case")) + len(links(page, "/case")) >= 1


def test_one_rule_can_be_asked_for(opened: Opened, partial: Path) -> None:
    assert "1 refused by rule B2" in text(opened(partial, "rejections", rule="B2"))


def test_a_group_counts_what_is_on_other_pages_too() -> None:
    found = pl.DataFrame(
        {name: [name] * 5 for name in ("rule", "remedy", "path", "place", "message", "excerpt")}
    )

    (group,) = refused.groups(found, found.head(2))

    assert (group.size, len(group.rows)) == (5, 2)
    assert group.more == "3 others are on another page"
    assert [tab.current for tab in refused.tabs(RejectionsLink(flags=True), 1, 2)] == [False, True]


@pytest.mark.parametrize("view", ["overview", "reliability", "failures"])
def test_an_incomplete_run_is_marked(opened: Opened, partial: Path, view: str) -> None:
    assert "incomplete" in text(opened(partial, view))


def test_a_case_of_an_incomplete_run_is_marked(opened: Opened, partial: Path) -> None:
    with open_reader(partial) as reader:
        run = reader.frame("run", ["run"], where={"format": "evaluation-report"})["run"].item()

    assert "incomplete" in text(opened(partial, "case", case=f"{run}-0"))


def test_a_run_says_where_it_came_from(opened: Opened, partial: Path) -> None:
    shown = markup(opened(partial))

    assert "read as evaluation-report 1\nsha256 " in shown
    assert "read as trial-row 1\nsha256 " in shown
    assert "\nloaded 20" in shown


def drawn_before() -> None:
    import streamlit as st

    from dashboard import news

    st.session_state.setdefault("drawn_version", "another")
    news.look()


def test_new_data_is_offered(partial: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE_VARIABLE, str(partial))
    page = AppTest.from_function(drawn_before).run()

    assert not page.exception
    assert "There is new data in the store." in text(page)
    assert [button.label for button in page.button] == ["Show it"]


def test_a_page_just_drawn_has_no_news(opened: Opened, partial: Path) -> None:
    assert "new data" not in text(opened(partial))
