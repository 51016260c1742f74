"""The search page: hits in context, each with the way to its turn."""

from pathlib import Path

import pytest

from dashboard import searchbook
from dashboard.data import Source
from ingest import search, store
from ingest.search import Among, Text
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import links, markup, text
from tests.dashboard.stored import rows


def test_hits_are_shown_in_context_with_a_link_to_the_turn(opened: Opened, samples: Path) -> None:
    page = opened(samples, "search", q="renewed")

    assert not page.exception
    assert "places in" in text(page)
    assert "<mark>Renewed</mark>" in markup(page)
    assert any("turn=2" in one and one.endswith("#turn-2") for one in links(page, "case"))


def test_a_regular_expression_and_a_broken_one(opened: Opened, samples: Path) -> None:
    assert "<mark>Renewed</mark>" in markup(opened(samples, "search", q="renew.d", regex="1"))
    assert "This is no regular expression: missing ):" in text(
        opened(samples, "search", q="a(", regex="1")
    )


def test_nothing_is_searched_before_a_text_is_given(opened: Opened, samples: Path) -> None:
    page = opened(samples, "search")

    assert not page.exception
    assert "places" not in text(page)


def test_a_search_can_be_stopped_and_goes_on_where_it_was(
    opened: Opened, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "RANGE_BYTES", 5_000)
    page = opened(samples, "search", q="loan", stop="1")

    assert "0 places in 0 bytes of" in text(page)
    assert "stopped" in text(page)
    page.query_params["stop"] = ""
    page.run()
    assert "of payloads" in text(page)


def test_a_scan_keeps_what_it_found(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "RANGE_BYTES", 5_000)
    at = Source(str(samples), store.version(samples))
    runs = tuple(row["run"] for row in rows(samples, "run"))
    scan = searchbook.Scan(at, Text("loan"), Among(runs))
    seen = []
    while not scan.done:
        scan.step()
        seen.append((scan.scanned, scan.count))

    assert len(seen) > 3
    assert seen == sorted(seen)
    assert scan.scanned == scan.total
    assert scan.hits.height == scan.count


def test_a_hit_in_a_vote_or_a_reason_leads_to_its_case(opened: Opened, samples: Path) -> None:
    (vote, *_) = [row for row in rows(samples, "vote") if row["reason"]]
    page = opened(samples, "search", q=vote["reason"][:30])

    assert "reason of a vote" in text(page)
    assert any(one.endswith("#whole") for one in links(page, "case"))
