"""One trial of each format, turn by turn, hostile ones among them."""

import json
import re
from pathlib import Path

import pytest

from ingest.load import load_paths
from ingest.records import trial_name
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import links, markup, text
from tests.dashboard.stored import case_of, rows, run_of

SWIFT = "library-desk.swift-model.json"
SAMPLE = "2026-11-02-loans-x4-swift-model.json"
LIVE = "grainmill.live-runner.jsonl"
SHELF = "shelfmark.week-45.jsonl"


def test_every_trial_of_every_sample_report_opens(opened: Opened, samples: Path) -> None:
    names = [trial_name(row["trial"]) for row in rows(samples, "trial")]
    page = opened(samples, "case", case=names[0])
    broken = []
    for name in names[::3]:
        page.query_params["case"] = name
        page.run()
        if page.exception:
            broken.append((name, page.exception[0].value))

    assert broken == []


def test_a_failed_case_shows_its_turns_and_what_decided(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SWIFT)
    page = opened(samples, "case", case=case_of(samples, run, outcome="failed"))
    shown = text(page)

    assert not page.exception
    assert "✗ failed" in shown
    assert re.search(r"repetition \d of 3", shown)
    assert "Turn 1" in shown
    assert "Criteria of this turn" in shown
    assert 'class="decides' in markup(page)
    assert "expected" in shown or "evaluator" in shown


def test_siblings_and_failed_neighbours_are_links(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SWIFT)
    page = opened(samples, "case", case=case_of(samples, run, outcome="failed"))

    assert len(links(page, f"case?case={run}-")) >= 3
    assert 'data-key="n"' in markup(page)


def test_a_failed_child_under_a_passing_root_is_context(opened: Opened, samples: Path) -> None:
    context = [
        row
        for row in rows(samples, "check", passed=False, errored=False, decisive=False)
        if row["parent"] is not None and row["scope"] == "turn"
    ]
    pages = [opened(samples, "case", case=trial_name(row["trial"])) for row in context[:1]]

    assert pages
    assert all("node ctx" in markup(page) for page in pages)


def test_an_errored_criterion_says_the_measurement_broke(opened: Opened, samples: Path) -> None:
    (row, *_) = rows(samples, "check", errored=True, decisive=True, scope="turn")
    page = text(opened(samples, "case", case=trial_name(row["trial"])))

    assert "the measurement broke" in page
    assert row["error_code"] in page


def test_a_trial_row_shows_checks_bounds_and_replay(opened: Opened, samples: Path) -> None:
    run = run_of(samples, LIVE)
    (turn, *_) = [row for row in rows(samples, "turn", run=run) if row["observation"]]
    page = text(opened(samples, "case", case=trial_name(turn["trial"])))

    assert "exit code" in page
    assert "Checks" in page
    assert "Bounds" in page


def test_a_trial_that_was_cut_short_says_so(opened: Opened, samples: Path) -> None:
    (row, *_) = [row for row in rows(samples, "trial") if row["bound_reached"]]
    page = text(opened(samples, "case", case=trial_name(row["trial"])))

    assert f"Stopped by the bound {row['bound_reached']}" in page


def test_a_sample_shows_its_failures_and_every_vote(opened: Opened, samples: Path) -> None:
    (vote, *_) = [row for row in rows(samples, "vote") if row["reason"]]
    votes = rows(samples, "vote", trial=vote["trial"])
    page = opened(samples, "case", case=trial_name(vote["trial"]))
    shown = text(page)

    assert "Votes of the judge" in shown
    assert shown.count(" of 5") == sum(row["score"] is not None for row in votes)
    assert "Counters" in shown
    assert "Tasks" in shown
    assert "Behaviour" in shown


def test_a_search_marks_what_it_finds(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SWIFT)
    page = opened(samples, "case", case=case_of(samples, run, outcome="failed"), find="STATUS")

    assert "<mark>" in markup(page)
    assert page.text_input(key="find").value == "STATUS"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("0123456789-0", "This case is not in the store"),
        ("no trial at all", "This case is not in the store"),
        ("<script>alert(1)</script>-1", "This case is not in the store"),
    ],
)
def test_an_address_that_means_nothing_says_so(
    opened: Opened, samples: Path, name: str, said: str
) -> None:
    page = opened(samples, "case", case=name)

    assert not page.exception
    assert said in text(page)
    assert "<script>alert" not in markup(page)
    assert links(page, "reliability?run=")


def test_a_trial_its_run_does_not_have_leads_to_one_it_has(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SWIFT)
    page = opened(samples, "case", case=f"{run}-999")

    assert "its run has 21 trials" in text(page)
    assert f"case?case={run}-20" in links(page, "case")


def test_no_case_chosen_leads_to_the_failures(opened: Opened, samples: Path) -> None:
    page = opened(samples, "case")

    assert "No case is chosen" in text(page)
    assert "failures" in links(page, "failures")


def hostile() -> bytes:
    """A sample report whose every text tries something."""
    bad = '<img src=x onerror="alert(1)"><script>alert(2)</script>\u202eevil\u0000'
    sample = {
        "sample": 1,
        "failures": [{"expectation": "commands", "expected": bad, "actual": bad, "subject": bad}],
        "signature": bad,
        "judge": [
            {
                "criterion": "tone",
                "votes": [{"vote": 1, "verdict": {"score": 3, "reason": bad}}],
            }
        ],
        "answer": bad,
    }
    item = {"id": bad, "name": bad, "tags": [bad], "samples": [sample]}
    config = {"execution": {"samples_per_item": 1}}
    report = {
        "suite": bad,
        "generated_at": "2026-11-09T08:00:00Z",
        "config": config,
        "items": [item],
    }
    return json.dumps(report).encode()


def test_hostile_text_is_shown_and_never_acts(opened: Opened, tmp_path: Path) -> None:
    file = tmp_path / "hostile.json"
    file.write_bytes(hostile())
    db = tmp_path / "hostile.duckdb"
    load_paths([str(file)], db)
    (run,) = [row["run"] for row in rows(db, "run")]

    for page, query in (
        ("overview", {}),
        ("reliability", {"run": run}),
        ("failures", {"run": run}),
        ("case", {"case": f"{run}-0"}),
    ):
        shown = opened(db, page, **query)
        assert not shown.exception, page
        assert "<script>alert" not in markup(shown), page
        assert "<img" not in markup(shown), page
        assert "\u202e" not in markup(shown), page
        assert "⟨U+202E⟩evil⟨NULL⟩" in text(shown), page
