"""The runs of a store: counts in words, filters in the address."""

import html
import re
from pathlib import Path

from ingest.load import load_paths
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import links, markup, text
from tests.dashboard.stored import rows, run_of


def listed(page: str) -> list[str]:
    return re.findall(r'<tr id="run-(\w+)"', page)


def test_every_current_run_is_listed(opened: Opened, samples: Path) -> None:
    page = opened(samples)
    current = [row["run"] for row in rows(samples, "run") if row["superseded_by"] is None]

    assert not page.exception
    assert sorted(listed(markup(page))) == sorted(current)


def test_replaced_runs_are_counted_and_one_link_away(opened: Opened, samples: Path) -> None:
    (shown,) = [one for one in links(opened(samples), "./?") if "superseded" in one]
    page = opened(samples, superseded="1")

    assert shown == "./?superseded=1"
    assert len(listed(markup(page))) == len(rows(samples, "run"))
    assert "superseded" in text(page)


def test_the_counts_of_a_run_are_in_words(opened: Opened, samples: Path) -> None:
    run = run_of(samples, "lost-items.limited.json")
    page = markup(opened(samples, superseded="1"))
    (row,) = re.findall(rf'<tr id="run-{run}".*?</tr>', page, re.DOTALL)

    assert 'aria-label="1 passed, 1 failed, 2 not run"' in row
    assert "limited" in row
    assert f'href="failures?run={run}"' in row


def test_the_filters_are_in_the_address(opened: Opened, samples: Path) -> None:
    run = run_of(samples, "2026-11-02-loans-x4-swift-model.json")
    by_text = opened(samples, q="X4-SWIFT")
    (suite,) = {row["suite"] for row in rows(samples, "run", run=run)}
    by_suite = opened(samples, suite=suite, subject="swift-model")

    assert listed(markup(by_text)) == [run]
    assert by_text.text_input(key="q").value == "X4-SWIFT"
    assert run in listed(markup(by_suite))
    assert by_suite.selectbox(key="suite").value == suite


def test_a_filter_that_is_changed_goes_into_the_address(opened: Opened, samples: Path) -> None:
    page = opened(samples, page="3", q="zzz")
    page.text_input(key="q").set_value("loans").run()
    page.toggle(key="superseded").set_value(True).run()

    assert page.query_params["q"] == "loans"
    assert page.query_params["superseded"] == "1"
    assert "page" not in page.query_params


def test_a_filter_that_fits_nothing_says_so(opened: Opened, samples: Path) -> None:
    page = opened(samples, suite="no such suite")

    assert not page.exception
    assert listed(markup(page)) == []
    assert "No run is like that" in text(page)
    assert "no such suite (not here)" in page.selectbox(key="suite").options


def test_what_was_not_loaded_is_named_with_its_place(opened: Opened, tmp_path: Path) -> None:
    bad = tmp_path / "<b>bad<b>.json"
    bad.write_text('{"suite": "<script>alert(1)</script>"')
    load_paths([str(bad)], tmp_path / "s.duckdb")
    page = opened(tmp_path / "s.duckdb", "rejections")

    assert not page.exception
    assert "<script>" not in markup(page)
    assert "<b>bad<b>.json" in html.unescape(markup(page))
    assert "Not loaded 1" in text(page)
