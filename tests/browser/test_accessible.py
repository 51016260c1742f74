"""No page breaks a serious rule of accessibility, or is wider than its window."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import Picture
from tests.browser.reports import PATIENT, Served, opened, served
from tests.dashboard.stored import case_of, run_of

__all__ = ["served"]

pytestmark = pytest.mark.browser

SERIOUS = {"serious", "critical"}
FROM_STREAMLIT = {"color-contrast-enhanced", "scrollable-region-focusable", "region"}
"""Rules that Streamlit's own frame breaks on any page."""


def decided(served: Served) -> dict[str, str]:
    """The addresses of the pages a decision is made on, with something open on them."""
    swift, patient = (run_of(served.db, name) for name in ("desk.swift-model.json", PATIENT))
    judged = run_of(served.db, "loans-x4-swift-model.json")
    cells = [case_of(served.db, run, item="renew-loan") for run in (swift, patient)]
    item = case_of(served.db, judged)
    return {
        "compare": f"compare?base={swift}&run={patient}&cell={cells[0]}&cell={cells[1]}",
        "compare-nothing": "compare",
        "variance": f"variance?run={judged}&cell={item}",
        "judges": f"judges?run={judged}&item=renew.ambiguous.en",
        "trials": f"trials?run={swift}&run={patient}",
        "history": "history?suite=library-desk.conversations",
        "routing": "routing",
        "flags": "rejections?flags=1",
    }


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (900, "dark")])
def test_no_page_breaks_a_rule_of_accessibility(
    page: Page, served: Served, picture: Picture, width: int, scheme: str
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    case = served.case(PATIENT)
    pages = {
        "overview": "",
        "reliability": f"reliability?run={served.run}",
        "failures": f"failures?run={served.run}",
        "case": f"case?case={case}&changes=1",
        "divergence": f"divergence?case={case}",
        "search": "search?q=loan",
        "raw": f"raw?case={case}&turn=2&part=observation",
        "unknown": "nowhere",
        "rejections": "rejections",
    }
    pages |= decided(served)
    broken = []
    for name, path in pages.items():
        opened(page, served.address + path)
        picture(page, f"{name}-{width}-{scheme}")
        found = Axe().run(page).response["violations"]
        broken += [
            (name, one["id"], [node["html"][:120] for node in one["nodes"]][:2])
            for one in found
            if one["impact"] in SERIOUS and one["id"] not in FROM_STREAMLIT
        ]
        assert page.locator(".stMain").evaluate("e => e.scrollWidth <= e.clientWidth"), name
    assert broken == []
