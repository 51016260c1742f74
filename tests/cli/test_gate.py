"""`unaveraged gate`: an exit code for a build, and the counts behind it."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.test_compare import item, sample, write

EASY = """
min_deterministic_pass_rate = 0.5
allow_flaky_items = true
"""


@pytest.fixture
def db(cli: Cli, tmp_path: Path) -> Path:
    """One sample planned of each item."""
    store = tmp_path / "store.duckdb"
    write(tmp_path, "good", item("a", sample(1)), item("b", sample(1)))
    write(tmp_path, "bad", item("a", sample(1, "acts")), item("b", sample(1)))
    write(tmp_path, "hole", item("a", sample(1)), item("b"))
    loaded = cli("ingest", tmp_path, "--subject-from", r"-x\d+-(.+)\.json$", "--db", store)
    assert loaded.exit_code == 0, loaded.stderr
    return store


def policy(folder: Path, text: str) -> Path:
    path = folder / "policy.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_whole_run_passes(cli: Cli, db: Path) -> None:
    done = cli("gate", "good", "--db", db)

    assert (done.exit_code, done.stdout.split(":")[0]) == (0, "pass")


def test_a_violation_fails_with_the_shape_programs_rely_on(cli: Cli, db: Path) -> None:
    done = cli("gate", "bad", "--json", "--db", db)
    found = json.loads(done.stdout)

    assert done.exit_code == 1
    assert found["verdict"] == "fail"
    assert [(row["rule"], row["detail"]) for row in found["violations"]] == [
        ("min_deterministic_pass_rate", "0.500 < 1.000")
    ]
    assert found["violations"][0]["scope"] == "loans"
    assert found["exclusions"] == []
    assert {row["rule"] for row in found["explained"]} >= {"max_missing_trials"}


def test_a_planned_sample_that_is_missing_fails(cli: Cli, db: Path, tmp_path: Path) -> None:
    done = cli("gate", "hole", "--policy", policy(tmp_path, EASY), "--db", db)

    assert done.exit_code == 1
    assert "max_missing_trials [b]: 1 of 1 planned samples did not run to an end" in done.stdout


def test_a_policy_may_ask_for_less(cli: Cli, db: Path, tmp_path: Path) -> None:
    assert cli("gate", "bad", "--policy", policy(tmp_path, EASY), "--db", db).exit_code == 0


def test_a_threshold_that_two_samples_cannot_decide_is_no_verdict(
    cli: Cli, db: Path, tmp_path: Path
) -> None:
    text = "[category.clarification]\nmin_rate = 0.9"
    done = cli("gate", "good", "--policy", policy(tmp_path, text), "--db", db)

    assert done.exit_code == 3
    assert "cannot say  category.min_rate [clarification]: 2/2 held" in done.stdout


def test_what_got_worse_than_the_baseline_fails(cli: Cli, db: Path, tmp_path: Path) -> None:
    against = ("--baseline", "good", "--policy", policy(tmp_path, EASY), "--db", db)
    done = cli("gate", "bad", *against)

    assert done.exit_code == 1
    assert "max_regressions [a]: 1.000 → 0.000, noise unmeasured" in done.stdout
    assert cli("gate", "bad", *against, "--control", "good", "bad").exit_code == 0


def test_explain_tells_every_rule_and_its_counts(cli: Cli, db: Path) -> None:
    told = cli("gate", "good", "--explain", "--db", db).stdout

    assert "min_deterministic_pass_rate" in told
    assert "passed 2, trials 2, graded 2" in told


def test_several_runs_have_the_worst_verdict_of_theirs(cli: Cli, db: Path) -> None:
    done = cli("gate", "good", "bad", "--json", "--db", db)
    found = json.loads(done.stdout)

    assert done.exit_code == 1
    assert sorted(row["verdict"] for row in found["runs"]) == ["fail", "pass"]
    assert len({row["run"] for row in found["explained"]}) == 2


@pytest.mark.parametrize("text", ["= 1", "min_rate = 1", None])
def test_a_policy_that_cannot_be_used_is_a_usage_error(
    cli: Cli, db: Path, tmp_path: Path, text: str | None
) -> None:
    path = tmp_path / "none.toml" if text is None else policy(tmp_path, text)
    refused = cli("gate", "good", "--policy", path, "--db", db)

    assert refused.exit_code == 2
    assert "policy cannot be used" in refused.stderr


def test_a_baseline_is_for_one_run(cli: Cli, db: Path) -> None:
    assert cli("gate", "good", "bad", "--baseline", "hole", "--db", db).exit_code == 2


def test_an_evaluation_report_is_judged_case_by_case(cli: Cli, samples: Path) -> None:
    done = cli("gate", "3b70145768", "--json", "--db", samples)
    rules = {row["rule"] for row in json.loads(done.stdout)["violations"]}

    assert done.exit_code == 1
    assert rules >= {"every_trial_passes", "require_suite_criteria", "max_unmeasured_trials"}
