"""The report in a real browser, the network off."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from dashboard.export import print_pdf, report
from dashboard.export.about import Selection
from tests.export.conftest import hostile, samples

__all__ = ["hostile", "samples"]

BOTH = ("library-desk.swift-model", "library-desk.patient-model")


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_opens_without_a_network_and_asks_for_nothing(
    scheme: str, browser: Browser, samples: Path, tmp_path: Path
) -> None:
    page_file = tmp_path / "report.html"
    page_file.write_text(report.render(samples, Selection(BOTH)), "utf-8")
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.goto(page_file.as_uri())

        assert page.title() == (
            "library-desk/swift-model on library-desk.conversations, "
            "compared with library-desk/patient-model on library-desk.conversations"
        )
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
        assert said == []
        images = page.locator("img").all()
        assert images
        widths = [image.evaluate("image => image.naturalWidth") for image in images]
        assert min(widths) > 100
        assert page.locator("article.case").count() >= 10
        assert page.evaluate("document.body.scrollWidth <= window.innerWidth")


@pytest.mark.browser
def test_a_hostile_report_runs_nothing(browser: Browser, hostile: Path, tmp_path: Path) -> None:
    page_file = tmp_path / "report.html"
    page_file.write_text(report.render(hostile, Selection()), "utf-8")
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        opened: list[str] = []
        page.on("dialog", lambda dialog: opened.append(dialog.message))
        page.goto(page_file.as_uri())

        assert opened == []
        assert page.locator("script, iframe, img[onerror]").count() == 0
        assert page.get_by_text("<script>alert(1)</script>").count() > 0


@pytest.mark.browser
def test_a_report_is_printed_as_pdf(browser: Browser, samples: Path) -> None:
    assert browser.is_connected()
    html = report.render(samples, Selection(BOTH[:1])).encode()

    assert print_pdf.printed(html).startswith(b"%PDF-")
