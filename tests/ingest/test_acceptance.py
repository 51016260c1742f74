"""What is read agrees with figures computed from the contracts by another program."""

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from tests.ingest.stores import DATA, Row, ingest, needs_data, only, row, rows

pytestmark = needs_data

CASES: Final = {
    "turn-assertion": "turn-criterion",
    "case-assertion": "trial-criterion",
    "case": "trial",
    "turn": "turn",
}
"""Scopes of error codes: their words, and ours."""


def expected(folder: str) -> dict[str, Any]:
    path = DATA / folder / "expected.json"
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}


REPORTS: Final = expected("evaluation_report")


@pytest.fixture(scope="module", params=sorted(REPORTS))
def loaded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], Path]:
    db = tmp_path_factory.mktemp("store") / "store.duckdb"
    assert not ingest(db, DATA / "evaluation_report" / request.param).rejected
    return REPORTS[request.param], db


def test_the_run_and_its_outcomes(loaded: tuple[dict[str, Any], Path]) -> None:
    wanted, db = loaded
    run, trials = row(db, "run"), rows(db, "trial")
    assert only(run, ["native_run", "suite", "status", "subject", "resumed_from"]) == {
        "native_run": wanted["run_id"],
        "suite": wanted["suite"],
        "status": wanted["status"],
        "subject": wanted["target"]["id"],
        "resumed_from": wanted["resumed_from"],
    }
    assert Counter(trial["outcome"] for trial in trials) == wanted["by_status"]
    assert sum(trial["graded"] for trial in trials) == wanted["graded"]
    assert len({(trial["item"], trial["variants"]) for trial in trials}) == wanted["cells"]
    turns = rows(db, "turn")
    assert len(turns) == wanted["turns"] == run["turns"]
    assert sum(not turn["observed"] for turn in turns) == wanted["turns_without_observation"]
    assert not rows(db, "flag", rule="scenario")


def test_every_node_has_its_place(loaded: tuple[dict[str, Any], Path]) -> None:
    wanted, db = loaded
    checks = rows(db, "check")
    assert sum(check["scope"] != "run" for check in checks) == wanted["assertion_nodes"]
    assert all(
        (check["definition"] is None) == (check["criterion"] == "evaluation.suite")
        for check in checks
    )


def test_error_codes_and_where_they_were_written(loaded: tuple[dict[str, Any], Path]) -> None:
    wanted, db = loaded
    found = Counter(
        (trial["native_id"], trial["error_scope"], trial["error_code"])
        for trial in rows(db, "trial")
        if trial["error_code"] is not None
    )
    for each in wanted["errors"]:
        told = (each["case"], CASES[each["scope"]], each["code"])
        assert found[told] == 1, each


def test_decisive_leaves(loaded: tuple[dict[str, Any], Path]) -> None:
    wanted, db = loaded
    trials = {trial["trial"]: trial for trial in rows(db, "trial")}
    found = []
    checks = [check for check in rows(db, "check") if check["scope"] != "run"]
    checks.sort(key=lambda check: (check["trial"], check["position"]))
    for check in checks:
        if check["parent"] is None:
            found.append(_failure(check, trials[check["trial"]]))
        if check["decisive"]:
            leaf = [check["path"], check["negated"], check["error_code"]]
            found[-1]["decisive"].append(leaf)
    for failure in found:
        failure["decisive"].sort(key=_text)
    told = [failure for failure in found if not failure.pop("passed")]
    assert sorted(told, key=_text) == sorted(map(_comparable, wanted["failures"]), key=_text)
    assert sum(not failure["errored"] for failure in told) == wanted["failing_roots"]
    assert sum(failure["errored"] for failure in told) == wanted["errored_roots"]


def test_criteria_of_the_suite(loaded: tuple[dict[str, Any], Path]) -> None:
    wanted, db = loaded
    found = {}
    for check in rows(db, "check", scope="run"):
        if check["parent"] is None:
            failed = f"error:{check['error_code']}" if check["errored"] else "failed"
            found[check["criterion"]] = "passed" if check["passed"] else failed
    assert found == wanted["suite_assertions"]


def _failure(check: Row, trial: Row) -> Row:
    return {
        "case": trial["native_id"],
        "scope": check["scope"],
        "turn": check["turn"],
        "root": check["criterion"],
        "errored": check["errored"],
        "passed": check["passed"],
        "decisive": [],
    }


def _comparable(failure: Row) -> Row:
    names = ("case", "turn", "root", "errored", "decisive")
    scope = "turn" if failure["scope"] == "turn" else "trial"
    decisive = sorted(failure["decisive"], key=_text)
    return {name: failure.get(name) for name in names} | {"scope": scope, "decisive": decisive}


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, str]]:
    db = tmp_path_factory.mktemp("store") / "store.duckdb"
    result = ingest(db, DATA)
    assert Path(result.loaded[0].path).is_relative_to(DATA)
    assert len(result.loaded) > 50
    return [
        (Path(each.path).relative_to(DATA).as_posix(), each.place, each.rule)
        for each in result.rejected
    ]


def test_only_what_is_no_report_and_partial_rows_are_refused(
    refused: list[tuple[str, str, str]],
) -> None:
    literals = "trial_row/evallerina_test_literals.jsonl"
    assert sorted(refused) == sorted(
        [
            ("README.md", "", "not-a-report"),
            ("evaluation_report/expected.json", "", "unknown-format"),
            ("evaluation_report/running-sequence/events.ndjson", "", "unknown-format"),
            ("sample_report/expected.json", "", "unknown-format"),
            ("trial_row/expected.json", "", "unknown-format"),
            *((literals, f"line {line}", "B1") for line in (1, 2, 3, 4, 5, 7)),
        ]
    )


@pytest.mark.parametrize(
    ("name", "dialect"),
    [
        ("eval_report_replay.json", "contract"),
        ("eval_report_tier2.json", "contract"),
        ("weekly-battery.jsonl", "contract"),
        ("weekly-battery-2.json", "contract"),
        ("evallerina_live_shape.SYNTHETIC.jsonl", "live-runner"),
        ("genesis_scenario_report_shape.SYNTHETIC.jsonl", "replay-report"),
    ],
)
def test_dialects_are_labelled(tmp_path: Path, name: str, dialect: str) -> None:
    db = tmp_path / "store.duckdb"
    result = ingest(db, DATA / "trial_row" / name)
    assert [loaded.dialect for loaded in result.loaded] == [dialect]
    assert {run["dialect"] for run in rows(db, "run")} == {dialect}


@pytest.mark.parametrize("name", sorted(expected("trial_row")))
def test_trial_rows_by_tool_and_model(tmp_path: Path, name: str) -> None:
    wanted = expected("trial_row")[name]
    db = tmp_path / "store.duckdb"
    ingest(db, DATA / "trial_row" / name)
    runs = {run["run"]: (run["suite"], run["subject"]) for run in rows(db, "run")}
    trials = rows(db, "trial")
    assert len(trials) == wanted["rows"]
    found = Counter((*runs[trial["run"]], trial["outcome"]) for trial in trials)
    assert found == {
        (run["tool"], run["model"], outcome): n
        for run in wanted["runs"]
        for outcome, n in run["outcomes"].items()
    }
    faults = Counter(
        (*runs[check["run"]], check["fault"], check["code"], check["unfinished"])
        for check in rows(db, "check", passed=False)
    )
    assert faults == {
        (each["tool"], each["model"], each["fault"], each["code"], each["unfinished"]): each[
            "checks"
        ]
        for each in wanted["faults"]
    }
