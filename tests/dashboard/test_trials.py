"""Planned trials against recorded ones."""

import re
from pathlib import Path

from tests.dashboard.conftest import Opened
from tests.dashboard.reading import markup, text
from tests.dashboard.said import said
from tests.dashboard.stored import run_of

LIMITED = "lost-items.limited.json"
WEEK = "shelfmark.week-45.jsonl"


def test_every_recorded_trial_has_its_mark(opened: Opened, samples: Path) -> None:
    for file in (LIMITED, "library-desk.swift-model.json"):
        run = run_of(samples, file)
        page = opened(samples, "trials", run=run)
        (about,) = [one for one in said(samples, "runs") if one["run"] == run]

        assert not page.exception
        cells = markup(page).split('aria-label="Cells"')[1]
        assert len(re.findall(r'href="case\?case=', cells)) == about["trials"]
        assert f"{about['passed']}/{about['measured']}" in text(page)


def test_what_never_ran_is_counted_and_can_be_listed(opened: Opened, samples: Path) -> None:
    run = run_of(samples, LIMITED)
    every = markup(opened(samples, "trials", run=run))
    waiting = markup(opened(samples, "trials", run=run, outcome="waiting"))

    assert "not run" in every
    assert 0 < waiting.count('id="cell-') < every.count('id="cell-')
    assert "No cell is like that" in text(opened(samples, "trials", run=run, q="zzz"))


def test_an_inferred_plan_is_said_to_be_one(opened: Opened, samples: Path) -> None:
    page = opened(samples, "trials", run=run_of(samples, WEEK))

    assert "inferred: every scenario" in text(page)
