"""What failed, errored or never ran: by cause, with every repetition a mark."""

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from dashboard.link import TABS
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import links, markup, query, text
from tests.dashboard.stored import rows, run_of

SWIFT = "library-desk.swift-model.json"
SAMPLE = "2026-11-02-loans-x4-swift-model.json"
ROWS = "grainmill.live-runner.jsonl"


def tabs(page: str) -> dict[str, int]:
    found = re.findall(r"(Failed criteria|Errored|Never ran|Stopped by a bound) (\d+)", page)
    return {name: int(n) for name, n in found}


def failing(db: Path, run: str) -> int:
    return sum(
        row["parent"] is None and not row["passed"] and not row["errored"] and row["scope"] != "run"
        for row in rows(db, "check", run=run)
    )


@pytest.mark.parametrize("file", [SWIFT, SAMPLE, ROWS])
@pytest.mark.parametrize("tab", TABS)
def test_every_list_of_every_format_opens(
    opened: Opened, samples: Path, file: str, tab: str
) -> None:
    page = opened(samples, "failures", run=run_of(samples, file), tab=tab)

    assert not page.exception
    assert ">Failures</h1>" in markup(page)


def test_failing_criteria_are_all_counted(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SWIFT)

    page = text(opened(samples, "failures", run=run))

    assert tabs(page)["Failed criteria"] == failing(samples, run) > 0


def test_a_mark_opens_its_case_at_the_criterion(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SWIFT)
    page = opened(samples, "failures", run=run)

    assert "●" in text(page)
    assert "○" in text(page)
    address = rf"case\?case={run}-\d+&within=run%3D{run}#c\d+"
    assert all(re.fullmatch(address, one) for one in links(page, "case"))


def test_ungraded_trials_are_never_among_the_failures(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SWIFT)
    ungraded = [row for row in rows(samples, "trial", run=run) if not row["graded"]]
    never = [row for row in ungraded if row["outcome"] != "error"]

    counts = tabs(text(opened(samples, "failures", run=run)))

    assert counts["Never ran"] == len(never) > 0


def test_the_filters_narrow_every_list(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SWIFT)
    (item, *_) = sorted({row["item"] for row in rows(samples, "trial", run=run, outcome="failed")})

    every = tabs(text(opened(samples, "failures", run=run)))
    one = opened(samples, "failures", run=run, item=item)
    none = opened(samples, "failures", run=run, q="surely not in there")

    assert 0 < tabs(text(one))["Failed criteria"] < every["Failed criteria"]
    assert one.selectbox(key="item").value == item
    assert set(tabs(text(none)).values()) == {0}
    assert "No criterion failed under these filters." in text(none)


@pytest.mark.parametrize(
    "query", [{"category": "clarification"}, {"tag": "x"}, {"outcome": "failed"}]
)
def test_each_filter_can_be_in_an_address(
    opened: Opened, samples: Path, query: dict[str, str]
) -> None:
    page = opened(samples, "failures", run=run_of(samples, SWIFT), **query)

    assert not page.exception
    ((name, value),) = query.items()
    assert page.selectbox(key=name).value == value
    assert value.replace("_", " ") in text(page)


def test_a_suite_chooses_its_current_runs(opened: Opened, samples: Path) -> None:
    page = opened(samples, "failures", suite="shelfmark")

    assert not page.exception
    current = [
        row for row in rows(samples, "run", suite="shelfmark") if row["superseded_by"] is None
    ]
    assert f"{len(current)} runs" in text(page)


def test_the_rule_that_put_a_failure_there_is_one_link_away(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SAMPLE)
    (link, *_) = links(opened(samples, "failures", run=run), "reliability?run=" + run + "#rule-")

    page = opened(samples, "reliability", run=run)

    assert f'id="{link.partition("#")[2]}"' in markup(page)


def test_the_cases_of_a_list_are_walked_in_its_order(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SWIFT)
    page = opened(samples, "failures", run=run, item="reserve-then-leave")
    (first, *_) = links(page, "case")
    case = opened(samples, "case", **dict(parse_qsl(query(first))))
    neighbours = [one for one in links(case, "case") if "within=" in one]

    assert "Back to the list" in text(case)
    assert f"failures?run={run}&item=reserve-then-leave" in links(case, "failures")
    assert neighbours
    assert all("item%3Dreserve-then-leave" in one for one in neighbours)


@pytest.mark.parametrize(
    "asked",
    [
        {"variant": "ask=hurried"},
        {"criterion": "renewed-once"},
        {"code": "none"},
        {"fault": "agent"},
        {"error_code": "EVALUATOR_FAILED"},
    ],
)
def test_every_filter_narrows_the_list(
    opened: Opened, samples: Path, asked: dict[str, str]
) -> None:
    run = run_of(samples, SWIFT)
    whole = len(links(opened(samples, "failures", run=run), "case"))
    page = opened(samples, "failures", run=run, **asked)

    assert not page.exception
    assert len(links(page, "case")) < whole
