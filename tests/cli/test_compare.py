"""`unaveraged compare`: what a program and a person get of two runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli import reports
from tests.cli.conftest import Cli, parsed


def sample(number: int, *failing: str) -> dict[str, Any]:
    failures = [{"expectation": name, "expected": "a", "actual": "b"} for name in failing]
    return {"sample": number, "failures": failures, "signature": "did it", "judge": []}


def item(name: str, *samples: dict[str, Any], digest: str = "a") -> dict[str, Any]:
    parts = [{"part": "turn", "digest": digest * 64}]
    return {"id": name, "name": name, "fingerprint": {"parts": parts}, "samples": list(samples)}


def write(folder: Path, name: str, *items: dict[str, Any]) -> Path:
    path = folder / f"loans-x2-{name}.json"
    path.write_text(json.dumps(reports.sample_report(items=list(items))), "utf-8")
    return path


@pytest.fixture
def db(cli: Cli, tmp_path: Path) -> Path:
    store = tmp_path / "store.duckdb"
    write(tmp_path, "old", item("a", sample(1), sample(2)), item("b", sample(1), sample(2)))
    write(tmp_path, "new", item("a", sample(1), sample(2, "acts")), item("c", sample(1)))
    write(tmp_path, "again", item("a", sample(1), sample(2, "acts")), item("b", sample(1)))
    write(tmp_path, "edited", item("a", sample(1), digest="b"))
    loaded = cli("ingest", tmp_path, "--subject-from", r"-x\d+-(.+)\.json$", "--db", store)
    assert loaded.exit_code == 0, loaded.stderr
    return store


def test_a_comparison_has_the_shape_programs_rely_on(cli: Cli, db: Path) -> None:
    found = parsed(cli("compare", "old", "new", "--json", "--db", db))

    assert found["headline"]["withheld"] is False
    assert (found["headline"]["baseline"], found["headline"]["current"]) == (1.0, 0.5)
    assert (found["compared"], found["excluded"], found["unverified"]) == (1, [], 0)
    assert [(row["item"], row["kind"]) for row in found["changes"]] == [
        ("a", "deterministic_regression"),
        ("c", "added"),
        ("b", "removed"),
    ]
    regression = found["changes"][0]
    assert regression["variants"] == {}
    assert (regression["before"], regression["after"]) == (1.0, 0.5)
    assert regression["newly_failing"] == ["acts"]
    assert regression["categories"] == ["semantic_interpretation"]
    assert regression["noise"] == "unmeasured"
    assert found["noise_floor"] is None
    assert {row["category"] for row in found["categories"]} >= {"side_effect_integrity"}


def test_a_control_pair_measures_the_noise(cli: Cli, db: Path) -> None:
    control = ("--control", "old", "again")
    found = parsed(cli("compare", "old", "new", *control, "--json", "--db", db))

    assert found["noise_floor"]["pass_rate"] == 0.5
    assert found["changes"][0]["noise"] == "within_noise"


def test_a_comparison_of_other_scenarios_gives_a_reason_and_no_figure(cli: Cli, db: Path) -> None:
    found = parsed(cli("compare", "old", "edited", "--json", "--db", db))

    assert found["headline"]["withheld"] is True
    assert found["headline"]["baseline"] is None
    assert found["excluded"][0]["authored"] == ["turn"]
    assert found["categories"] == []
    told = cli("compare", "old", "edited", "--db", db).stdout
    assert "no figure: all 1 paired cells are excluded" in told


def test_a_person_reads_both_counts_and_the_interval(cli: Cli, db: Path) -> None:
    told = cli("compare", "old", "new", "--db", db)

    assert told.exit_code == 0
    assert "2 of 2 passed → 1 of 2 passed" in told.stdout
    assert "noise unmeasured: no control pair" in told.stdout
    assert "deterministic regression" in told.stdout


def test_runs_of_two_suites_are_refused(cli: Cli, samples: Path) -> None:
    refused = cli("compare", "f0273ec1a9", "3b70145768", "--db", samples)

    assert refused.exit_code == 2
    assert "cannot be compared: they differ in format" in refused.stderr


def test_a_subject_of_several_suites_needs_the_suite(cli: Cli, samples: Path) -> None:
    pair = ("library-desk/patient-model", "library-desk/swift-model")
    refused = cli("compare", *pair, "--db", samples)

    assert refused.exit_code == 2
    assert "differ in suite" in refused.stderr
    suite = ("--suite", "library-desk.conversations")
    assert parsed(cli("compare", *pair, *suite, "--json", "--db", samples))["compared"] > 0
