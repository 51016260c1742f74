"""The judges page: opinions, their spread and the votes behind them, apart from every rate."""

import re
from pathlib import Path

from tests.dashboard.conftest import Opened
from tests.dashboard.reading import links, markup, text, words
from tests.dashboard.said import said
from tests.dashboard.stored import run_of

SAMPLE = "2026-11-02-loans-x4-swift-model.json"
DESK = "library-desk.swift-model.json"


def lines(page: str, kind: str) -> dict[str, str]:
    found = re.findall(rf'<tr id="{kind}-(\w+)".*?</tr>', page, re.DOTALL)
    rows = re.findall(rf'<tr id="{kind}-.*?</tr>', page, re.DOTALL)
    return dict(zip(found, rows, strict=True))


def test_the_page_says_what_the_command_line_says(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SAMPLE)
    for threshold in ("2", "4"):
        page = opened(samples, "judges", run=run, threshold=threshold)
        found = said(samples, "votes", "--run", run, "--threshold", threshold)["criteria"]

        assert not page.exception
        drawn = lines(markup(page), "criterion")
        assert list(drawn) == [row["criterion"] for row in found]
        for row in found:
            line = words(drawn[row["criterion"]])
            assert f"over {row['judged']} · {row['min_score']}–{row['max_score']}" in line  # noqa: RUF001
            assert f"{row['failed_votes']}/{row['votes']}" in line
            assert f"{row['straddling']}/{row['comparable']}" in line
            assert f"{row['below_shared']}, {row['below_split']}" in line
            assert (row["alpha_reason"] or f"{row['alpha']:.2f}") in line
            scores = re.findall(r"score \d: (\d+) trial", drawn[row["criterion"]])
            assert sum(map(int, scores)) == row["scored"]


def test_opinions_are_never_taken_for_a_category(opened: Opened, samples: Path) -> None:
    page = text(opened(samples, "judges", run=run_of(samples, SAMPLE)))

    assert "nothing on this page enters a rate or a category" in page
    assert "operational claim integrity judge\N{RIGHT SINGLE QUOTATION MARK}s opinion" in page


def test_boxes_hold_the_votes_with_their_majority(opened: Opened, samples: Path) -> None:
    page = markup(opened(samples, "judges", run=run_of(samples, SAMPLE)))
    boxes = re.findall(r'<a class="vt[^>]*title="([^"]*)".*?</a>', page, re.DOTALL)

    assert boxes
    for title in boxes:
        votes, said_of = re.fullmatch(r"repetition \d+: votes ([^;]*); (.*)", title).groups()  # type: ignore[union-attr]
        scores = [int(one) for one in votes.split(", ") if one.isdigit()]
        majority = min(scores, key=lambda one: (-scores.count(one), one)) if scores else None
        assert said_of == ("no verdict" if majority is None else f"majority {majority}")


def test_reasons_stand_side_by_side(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SAMPLE)
    page = opened(samples, "judges", run=run)
    (opens, *_) = [one for one in links(page, "judges?") if "#open" in one]
    item = re.findall(r"item=([^&#]+)", opens)[0]

    shown = opened(samples, "judges", run=run, item=item)

    assert not shown.exception
    assert markup(shown).count("<blockquote") > 1


def test_a_run_without_judges_says_so(opened: Opened, samples: Path) -> None:
    page = opened(samples, "judges", run=run_of(samples, DESK))

    assert not page.exception
    assert "No judge was asked in this run." in text(page)


def test_only_straddling_items(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SAMPLE)
    page = opened(samples, "judges", run=run, show="straddling", criterion="tone")
    rows = [
        row
        for row in said(samples, "votes", "--run", run)["items"]
        if row["criterion"] == "tone" and row["straddling"]
    ]

    assert len(lines(markup(page), "item")) == len(rows)
