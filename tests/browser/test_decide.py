"""The walk of a lead who has to decide, from a coloured difference to the turn behind it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ingest.load import load_paths
from tests.browser import twelve
from tests.browser.conftest import Picture, Serve
from tests.browser.test_walk import address
from tests.dashboard.stored import run_of

pytestmark = pytest.mark.browser


def served(serve: Serve, folder: Path) -> tuple[Path, str]:
    """A store of a steady and a hasty subject, and the address it is served at."""
    db = folder / "decide.duckdb"
    steady = twelve.write(folder / "steady.json", "steady", failing=0)
    hasty = twelve.write(folder / "hasty.json", "hasty", failing=9)
    loaded = load_paths([str(steady), str(hasty)], db)
    assert loaded.rejected == []
    return db, serve(db)


FITS = "e => e.scrollWidth <= e.clientWidth"


def test_from_a_coloured_difference_to_the_turn_behind_it(
    page: Page, serve: Serve, tmp_path: Path, picture: Picture
) -> None:
    db, home = served(serve, tmp_path)
    runs = [run_of(db, name) for name in ("steady.json", "hasty.json")]
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{home}compare?base={runs[0]}&run={runs[1]}")
    expect(page.locator("h1")).to_have_text("Compare")
    coloured = page.locator("b.pts.worse")
    expect(coloured).to_have_text("-75.0 pts")
    picture(page, "1-compare")
    page.evaluate("window.sameDocument = true")

    page.get_by_role("link", name="9 cells differ").click()
    expect(page.get_by_text("counting side-effect integrity alone")).to_be_visible()
    assert "category=side_effect_integrity" in address(page)
    marks = page.locator(".grid .reps a.fail")
    expect(marks).to_have_count(9 * twelve.REPETITIONS)
    picture(page, "2-cells")

    marks.first.click()
    expect(page.locator(".decides").first).to_be_visible()
    assert re.search(r"/case\?case=\w{10}-\d+", address(page))
    expect(page.locator(".turn").first).to_contain_text("Booked: no.")
    picture(page, "3-turn")

    page.go_back()
    expect(page.locator("h1")).to_have_text("Compare")
    assert f"base={runs[0]}" in address(page)
    assert page.evaluate("window.sameDocument") is True
    side_by_side(page)
    assert all(url.startswith((home, "data:", "blob:", "ws:")) for url in asked)


def side_by_side(page: Page) -> None:
    """Open a cell on both sides, and go on to the first difference of a repetition of each."""
    page.get_by_role("link", name="scenario-00").click()
    expect(page.get_by_text("2 open cells")).to_be_visible()
    page.get_by_role("link", name="Side by side from the first difference").click()
    expect(page.locator(".note.first")).to_contain_text("turn 1 (ask)")
    expect(page.locator("table.d").first).to_be_visible()


def test_no_page_is_wider_than_the_window(page: Page, serve: Serve, tmp_path: Path) -> None:
    db, home = served(serve, tmp_path)
    run = run_of(db, "hasty.json")
    wide, narrow = ("dark", 1440, ["variance"]), ("light", 900, ["variance", "trials", "history"])

    for scheme, width, paths in (wide, narrow):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for path in paths:
            page.goto(f"{home}{path}?run={run}")
            expect(page.locator("h1")).to_be_visible()
            assert page.locator(".stMain").evaluate(FITS), (path, width)
            expect(page.locator(".stException")).to_have_count(0)
