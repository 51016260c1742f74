"""The category rows of a run, and of several side by side."""

import re
from pathlib import Path

from dashboard import figures, wording
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import links, markup, text, words
from tests.dashboard.stored import run_of

SWIFT = "library-desk.swift-model.json"
PATIENT = "library-desk.patient-model.json"
SAMPLE = "2026-11-02-loans-x4-swift-model.json"


def row(page: str, category: str) -> str:
    (found,) = re.findall(rf'<tr id="category-{category}">.*?</tr>', page, re.DOTALL)
    return str(found)


def test_without_a_run_the_latest_is_shown_and_said(opened: Opened, samples: Path) -> None:
    page = opened(samples, "reliability")

    assert not page.exception
    assert "the latest run, as none is chosen" in text(page)


def test_counts_stand_before_the_rate_and_open_the_failures(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SWIFT)
    cells = row(markup(opened(samples, "reliability", run=run)), "side_effect_integrity")

    assert re.search(r"\d+/\d+ (\+\d+ ○ )?\d+(\.\d)? %", words(cells))
    assert f'href="failures?run={run}&amp;category=side_effect_integrity"' in cells


def test_two_runs_share_the_rows(opened: Opened, samples: Path) -> None:
    runs = [run_of(samples, SWIFT), run_of(samples, PATIENT)]
    page = opened(samples, "reliability", run=runs)
    cells = row(markup(page), "side_effect_integrity")

    assert cells.count("<td") == 8
    assert f"failures?run={runs[0]}&run={runs[1]}" in " ".join(links(page, "failures"))


def test_a_category_nobody_checks_has_no_rate(opened: Opened, samples: Path) -> None:
    runs = [run_of(samples, SWIFT), run_of(samples, SAMPLE)]
    page = markup(opened(samples, "reliability", run=runs))

    assert "%" not in words(row(page, "provider_failure"))


def test_judges_are_a_table_of_their_own(opened: Opened, samples: Path) -> None:
    page = text(opened(samples, "reliability", run=run_of(samples, SAMPLE)))
    categories, judges = page.split("Judges\N{RIGHT SINGLE QUOTATION MARK} opinions")

    assert "operational claim " in categories
    assert "operational claim integrity" in judges
    assert re.search(r"refused proposals \(of measured trials\) \d+/\d+", categories)
    assert re.search(r"discarded answers .*\d+/\d+ .*\u00d7\d+", categories)


def test_no_row_adds_up_the_others(opened: Opened, samples: Path) -> None:
    page = text(opened(samples, "reliability", run=run_of(samples, SAMPLE))).lower()

    assert not re.search(r"\b(total|overall|average|mean rate)\b", page)


def test_the_rules_in_force_are_on_the_page(opened: Opened, samples: Path) -> None:
    page = text(opened(samples, "reliability"))

    assert "Rules in force" in page
    assert "C commands" in page


def test_a_run_that_is_not_there_is_named_and_others_are_offered(
    opened: Opened, samples: Path
) -> None:
    page = opened(samples, "reliability", run="0123456789")

    assert not page.exception
    assert "This run is not in the store" in text(page)
    assert "0123456789" in text(page)
    assert links(page, "reliability?run=")


def test_one_unknown_run_of_two_is_said(opened: Opened, samples: Path) -> None:
    page = opened(samples, "reliability", run=[run_of(samples, SWIFT), "0123456789"])

    assert not page.exception
    assert "1 run of this address not in the store" in text(page)


def test_an_interval_answers_the_question_it_names(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SAMPLE)
    again = opened(samples, "reliability", run=run)
    items = opened(samples, "reliability", run=run, asks="items")
    rows = figures.reliability(
        samples, figures.chosen(samples, [run]), figures.rules(())
    ).categories.to_dicts()

    for page, asks in ((again, "again"), (items, "items")):
        for one in rows:
            cells = words(row(markup(page), one["category"]))
            ends = one[f"{asks}_low"], one[f"{asks}_high"]
            assert one["rate"] is None or wording.span(*ends) in cells
    assert "these items again (would these items" in text(again)
    assert "other items like these (what is the rate" in text(items)
