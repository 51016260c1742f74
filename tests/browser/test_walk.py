"""The walk of an engineer with a red run, in a real browser."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from ingest.load import load_paths
from tests.browser.conftest import Picture, Serve

pytestmark = pytest.mark.browser

REPORTS = Path(__file__).parents[2] / "sample_reports" / "evaluation"
SWIFT = REPORTS / "library-desk.swift-model.json"


def address(page: Page) -> str:
    """The part of the address that says what is shown."""
    parts = urlsplit(str(page.evaluate("location.href")))
    return f"{parts.path}?{parts.query}"


def test_from_the_runs_to_a_case_and_back(
    page: Page, serve: Serve, tmp_path: Path, picture: Picture
) -> None:
    db = tmp_path / "walk.duckdb"
    load_paths([str(SWIFT)], db)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    home = serve(db)

    page.goto(home)
    expect(page.locator("h1")).to_have_text("Runs")
    picture(page, "1-overview")
    page.evaluate("window.sameDocument = true")

    page.get_by_role("link", name="library-desk").click()
    expect(page.locator("h1")).to_have_text("Reliability")
    assert re.fullmatch(r"/reliability\?run=\w{10}", address(page))
    picture(page, "2-reliability")

    page.get_by_role("link", name="side-effect integrity").click()
    expect(page.locator("h1")).to_have_text("Failures")
    assert "category=side_effect_integrity" in address(page)
    picture(page, "3-failures")
    listed = address(page)

    mark = page.locator(".reps a").first
    expect(mark).to_be_visible()
    mark.click()
    expect(page.locator(".decides").first).to_be_visible()
    assert re.fullmatch(r"/case\?case=\w{10}-\d+&within=.*", address(page))
    picture(page, "4-case")

    page.go_back()
    expect(page.locator("h1")).to_have_text("Failures")
    assert address(page) == listed
    assert page.evaluate("window.sameDocument") is True
    assert {urlsplit(url).netloc for url in asked if url.startswith("http")} == {
        urlsplit(home).netloc
    }


def test_filters_keys_and_tabs_follow_the_address(page: Page, serve: Serve, tmp_path: Path) -> None:
    db = tmp_path / "filters.duckdb"
    load_paths([str(SWIFT)], db)
    home = serve(db)

    page.goto(f"{home}failures?q=zzz")
    expect(page.get_by_text("No criterion failed under these filters.")).to_be_visible()
    page.get_by_label("Search", exact=True).fill("")
    expect(page.locator(".group").first).to_be_visible()
    assert "q=" not in address(page)
    page.go_back()
    expect(page.get_by_label("Search", exact=True)).to_have_value("zzz")

    page.goto(f"{home}failures")
    page.get_by_role("link", name="Never ran").click()
    expect(page.get_by_role("link", name="Never ran")).to_have_attribute("aria-current", "true")
    page.go_back()
    page.locator(".reps a").first.click()
    expect(page.locator("h1")).not_to_have_text("Failures")
    expect(page.locator("a[data-key=n]")).to_be_visible()
    first = address(page)
    page.keyboard.press("n")
    page.wait_for_function("before => location.search !== before", arg=f"?{first.split('?')[1]}")
    assert address(page).startswith("/case?case=")


def test_reports_can_be_loaded_while_a_page_is_open(
    page: Page, serve: Serve, tmp_path: Path
) -> None:
    db = tmp_path / "live.duckdb"
    load_paths([str(REPORTS / "lost-items.limited.json")], db)
    page.goto(serve(db))
    expect(page.locator("tbody tr")).to_have_count(1)

    loaded = load_paths([str(SWIFT)], db)

    assert len(loaded.loaded) == 1
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator(".stException")).to_have_count(0)


def test_no_page_is_wider_than_the_window(page: Page, serve: Serve, tmp_path: Path) -> None:
    db = tmp_path / "wide.duckdb"
    load_paths([str(SWIFT)], db)
    home = serve(db)

    for width, scheme in ((1440, "light"), (900, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for path in ("", "reliability", "failures", "failures?tab=never"):
            page.goto(home + path)
            expect(page.locator("h1")).to_be_visible()
            fits = "e => e.scrollWidth <= e.clientWidth"
            assert page.locator(".stMain").evaluate(fits), (path, width)
