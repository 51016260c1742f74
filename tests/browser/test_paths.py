"""Every path from a red category to the turn that went wrong, in a real browser."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from dashboard import marks
from dashboard.marks import Place
from ingest.load import load_paths
from tests.browser.conftest import Picture, Serve
from tests.browser.reports import PATIENT, Served, opened, served, settled

pytestmark = pytest.mark.browser

DATA = Path(__file__).parents[3] / "shared" / "data" / "evaluation_report"
__all__ = ["served"]


def query(page: Page) -> str:
    return urlsplit(str(page.evaluate("location.href"))).query


def test_three_clicks_lead_from_the_runs_to_the_first_divergence(
    page: Page, served: Served, picture: Picture
) -> None:
    opened(page, served.address)
    page.locator(f"#run-{served.run} a[href^=failures]").first.click()
    expect(page.locator("h1")).to_have_text("Failures")
    picture(page, "failures")
    group = page.locator(".group", has_text="renewed-once")
    if group.get_attribute("open") is None:
        group.locator("summary").click()
    group.locator(".reps a").first.click()
    expect(page.locator(".parted a")).to_be_visible()
    picture(page, "case")
    page.locator(".parted a").click()
    expect(page.locator(".note.first")).to_contain_text("turn 2 (confirm)")
    expect(page.locator("table.d").first).to_be_visible()
    picture(page, "divergence")
    assert "other=" in query(page)


def test_a_case_is_reached_without_a_mouse(page: Page, served: Served) -> None:
    opened(page, f"{served.address}failures?run={served.run}")
    page.keyboard.press("j")
    expect(page.locator(".group > summary:focus")).to_have_count(1)
    while "renewed-once" not in page.evaluate("document.activeElement.textContent"):
        page.keyboard.press("j")
    if page.evaluate("document.activeElement.parentElement.open") is False:
        page.keyboard.press("Enter")
    while page.evaluate("document.activeElement.closest('.reps') === null"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("section.turn").first).to_be_visible()
    settled(page)
    first = query(page)
    page.keyboard.press("n")
    page.wait_for_function("before => location.search !== '?' + before", arg=first)
    settled(page)
    assert page.evaluate("document.activeElement !== document.body")


def test_turns_are_walked_without_a_mouse(page: Page, served: Served) -> None:
    opened(page, f"{served.address}case?case={served.case(PATIENT)}")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("#turn-2:focus")).to_have_count(1)
    assert page.evaluate("location.hash") == "#turn-2"
    page.keyboard.press("e")
    expect(page.locator("#turn-2 details:not([open])")).to_have_count(0)
    page.keyboard.press("k")
    expect(page.locator("#turn-1:focus")).to_have_count(1)
    page.keyboard.press("h")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#turn-1:focus")).to_have_count(1)
    page.keyboard.press("d")
    expect(page.locator(".note.first")).to_contain_text("turn 2")
    settled(page)
    page.keyboard.press("u")
    expect(page.locator("section.turn").first).to_be_visible()


def test_the_search_field_has_a_key_and_its_hits_lead_to_the_turn(
    page: Page, served: Served, picture: Picture
) -> None:
    opened(page, f"{served.address}reliability?run={served.run}")
    page.keyboard.press("s")
    expect(page.locator("h1")).to_have_text("Search")
    settled(page)
    expect(page.get_by_placeholder("Text to find")).to_be_visible()
    page.keyboard.press("/")
    page.wait_for_function("document.activeElement.tagName === 'INPUT'")
    page.keyboard.type("just to be certain")
    expect(page.locator(".hits mark").first).to_have_text("Just to be certain")
    picture(page, "search")
    page.locator(".hits a").first.click()
    expect(page.locator("#turn-2 mark").first).to_be_visible()
    assert "find=" in query(page)


def test_links_and_markdown_are_copied(page: Page, served: Served) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    case = served.case(PATIENT)
    opened(page, f"{served.address}case?case={case}")
    node = page.locator("#turn-2 .node").filter(has_text="renewed-once").first
    node.hover()
    node.get_by_role("button", name="Copy criterion renewed-once as Markdown").click()
    expect(node.locator("[data-done]")).to_be_attached()
    copied = str(page.evaluate("navigator.clipboard.readText()"))
    assert copied.startswith("**✗ renewed-once**")
    assert "expected: `loan.renewed`" in copied
    assert re.search(rf"\n\nhttp://[^\n]+/case\?case={case}#c\d+$", copied)
    page.locator(".head button.copy").first.click()
    expect(page.locator(".head [data-done]")).to_be_attached()
    assert page.evaluate("navigator.clipboard.readText()") == page.evaluate("location.href")


def test_gone_addresses_say_what_they_were(page: Page, served: Served) -> None:
    opened(page, f"{served.address}failure")
    expect(page.locator("h1")).to_have_text("No page has this address")
    page.get_by_role("link", name="Failures").last.click()
    expect(page.locator("h1")).to_have_text("Failures")
    opened(page, f"{served.address}some/where?x=1")
    expect(page.locator("h1")).to_have_text("No page has this address")
    expect(page.get_by_text("The address names the page 'some/where'.")).to_be_visible()
    opened(page, f"{served.address}case?case={served.case(PATIENT)}#turn-9")
    lost = page.locator(".lost")
    expect(lost).to_contain_text("The address names the turn 9, which is not on this page.")
    lost.get_by_role("link").click()
    assert page.evaluate("location.hash") == "#turn-2"


def test_a_table_leaves_the_page(page: Page, served: Served) -> None:
    opened(page, f"{served.address}variance?run={served.run}")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as leaving:
        page.get_by_role("button", name="Download", exact=True).click()
    assert leaving.value.suggested_filename == "variance.csv"
    assert "distinct_behaviours" in leaving.value.path().read_text("utf-8")


def test_a_group_is_marked_in_the_page(page: Page, served: Served, picture: Picture) -> None:
    opened(page, f"{served.address}failures?run={served.run}&criterion=renewed-once")
    page.get_by_role("link", name="Mark", exact=True).first.click()
    page.get_by_label("Note (a ticket, a version, a reason)").fill("LIB-42")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".badge.mark").first).to_have_text("known issue: LIB-42")
    picture(page, "marked")
    marks.remove(served.db, Place(("library-desk.conversations",), "renewed-once", "").keys)


def test_hostile_text_does_nothing_and_a_long_case_opens(page: Page, served: Served) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    case = served.case("hostile.json")
    for path in (f"case?case={case}&turn=2&changes=1", f"divergence?case={case}", "search?q=evil"):
        opened(page, served.address + path)
        assert page.evaluate("window.hit === undefined")
        assert page.locator(".u img, .u script").count() == 0
    opened(page, f"{served.address}case?case={served.case('large.json')}&turn=150#turn-150")
    expect(page.locator("#turn-150 .parts > details")).to_have_count(1)
    expect(page.locator("#turn-200")).to_have_count(1)
    assert {urlsplit(url).netloc for url in asked} <= {urlsplit(served.address).netloc, ""}


@pytest.mark.skipif(not DATA.exists(), reason="the large reports are not here")
def test_the_walk_on_recorded_reports(
    page: Page, serve: Serve, tmp_path: Path, picture: Picture
) -> None:
    db = tmp_path / "data.duckdb"
    load_paths([str(DATA / "product-selection.fast-model.r14.completed.json")], db)
    opened(page, serve(db))
    page.locator("a[href^=failures]").first.click()
    page.locator(".reps a").first.click()
    expect(page.locator("section.turn").first).to_be_visible()
    page.locator(".parted a").click()
    expect(page.locator(".note.first")).to_contain_text("turn")
    picture(page, "recorded-divergence")
