"""`unaveraged runs`, `reliability` and `failures`: what a program gets from a real store."""

import re
from pathlib import Path
from typing import Final

import pytest

from queries.rules import CATEGORIES
from tests.cli import reports
from tests.cli.conftest import ROOT, Cli, Json, parsed

RUN: Final = {
    *("run", "report", "path", "format", "dialect", "suite", "subject", "subject_fingerprint"),
    *("status", "superseded", "items", "cells", "trials", "turns", "outcomes", "criteria"),
    *("suite_criteria", "measured", "passed"),
}
RELIABILITY: Final = {
    "categories": {
        *("run", "category", "trials", "graded", "covered", "failing_trials", "failures"),
        *("rate", "low", "high", "failure_rate"),
    },
    "rates": {"run", "name", "count", "trials", "rate"},
    "votes": {
        *("run", "criterion", "judged", "mean_score", "min_score", "max_score"),
        *("mean_vote_spread", "failed_votes"),
    },
    "refused_proposals": {"run", "count", "measured"},
    "discarded_answers": {"run", "count", "measured", "codes"},
    "tasks": {"run", "task", "passed", "scored"},
}
FAILURE: Final = {
    *("run", "item", "variants", "repetition", "trial", "scope", "turn", "step", "criterion"),
    *("errored", "category", "rule", "decisive", "fault", "code", "expected", "actual", "reason"),
}
COUNTS: Final = ("trials", "graded", "failing_trials", "failures", "count", "judged", "scored")


def rows_of(figures: Json) -> list[Json]:
    return [row for rows in figures.values() for row in rows]


def test_runs_have_the_promised_keys(cli: Cli, samples: Path) -> None:
    listed = parsed(cli("runs", "--json", "--db", samples))

    assert listed
    assert [run["run"] for run in listed if not run.keys() >= RUN] == []
    assert {key for run in listed for key in run["criteria"]} == {"failing", "errored"}
    suite = {key for run in listed for key in run["suite_criteria"]}
    assert suite == {"passed", "failed", "errored"}


def test_outcomes_of_a_run_add_up_to_its_trials(cli: Cli, samples: Path) -> None:
    for run in parsed(cli("runs", "--json", "--db", samples)):
        outcomes = run["outcomes"]
        assert sum(outcomes.values()) == run["trials"]
        assert run["measured"] == outcomes.get("passed", 0) + outcomes.get("failed", 0)
        assert run["passed"] == outcomes.get("passed", 0)


def test_reliability_has_the_promised_keys_and_no_others_parts(cli: Cli, samples: Path) -> None:
    figures = parsed(cli("reliability", "--json", "--db", samples))

    assert figures.pop("incomplete") == []
    assert figures.keys() == RELIABILITY.keys()
    assert [name for name, rows in figures.items() if not rows] == []
    for name, rows in figures.items():
        assert [row for row in rows if not row.keys() >= RELIABILITY[name]] == []


def test_counts_are_integers_and_rates_are_floats_or_unknown(cli: Cli, samples: Path) -> None:
    for row in rows_of(parsed(cli("reliability", "--json", "--db", samples))):
        assert [row[name] for name in COUNTS if name in row and type(row[name]) is not int] == []
        rates = [row[name] for name in ("rate", "low", "high", "failure_rate") if name in row]
        assert [rate for rate in rates if rate is not None and type(rate) is not float] == []


def test_a_rate_lies_within_its_bounds(cli: Cli, samples: Path) -> None:
    for row in parsed(cli("reliability", "--json", "--db", samples))["categories"]:
        if row["rate"] is not None:
            assert row["low"] <= row["rate"] <= row["high"]


def test_no_row_of_any_figure_is_a_total(cli: Cli, samples: Path) -> None:
    figures = parsed(cli("reliability", "--json", "--db", samples))

    assert {row["category"] for row in figures["categories"]} <= set(CATEGORIES)
    assert [row for row in rows_of(figures) if row["run"] is None] == []
    text = cli("reliability", "--db", samples).stdout.lower()
    assert [word for word in ("total", "average", "overall", "pass rate") if word in text] == []


def test_failures_have_the_promised_keys(cli: Cli, samples: Path) -> None:
    listed = parsed(cli("failures", "--json", "--db", samples))

    assert listed
    assert [row["trial"] for row in listed if not row.keys() >= FAILURE] == []
    leaves = [leaf for row in listed for leaf in row["decisive"]]
    assert [leaf for leaf in leaves if leaf.keys() != {"path", "negated", "error_code"}] == []
    assert all(isinstance(row["variants"], dict) for row in listed)


def test_a_superseded_run_is_listed_and_counted_only_when_named(cli: Cli, samples: Path) -> None:
    replaced = [run for run in parsed(cli("runs", "--json", "--db", samples)) if run["superseded"]]
    name = replaced[0]["run"]
    by_default = rows_of(parsed(cli("reliability", "--json", "--db", samples)))
    named = rows_of(parsed(cli("reliability", "--json", "--db", samples, "--run", name)))

    assert len(replaced) == 1
    assert name not in {row["run"] for row in by_default}
    assert {row["run"] for row in named} == {name}
    assert f"replaced by {replaced[0]['superseded_by']}" in cli("runs", "--db", samples).stdout


def test_failures_can_be_narrowed(cli: Cli, samples: Path) -> None:
    everything = parsed(cli("failures", "--json", "--db", samples))
    some = parsed(cli("failures", "--json", "--db", samples, "--category", "clarification"))
    one = parsed(cli("failures", "--json", "--db", samples, "--item", "renew.ambiguous.en"))

    assert some == [row for row in everything if row["category"] == "clarification"]
    assert one == [row for row in everything if row["item"] == "renew.ambiguous.en"]
    assert some
    assert one


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--category", "clarify"], "no category is called 'clarify' here; there is side_effect"),
        (["--item", "gone"], "no item is called 'gone' here; there is "),
        (["--run", "gone"], "no run is named 'gone'; there is "),
        (["--categories", "gone.toml"], "these category rules cannot be used: "),
    ],
)
def test_what_is_not_there_is_said_in_one_line(
    cli: Cli, samples: Path, option: list[str], message: str
) -> None:
    result = cli("failures", "--db", samples, *option)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"unaveraged: {message}")
    assert len(result.stderr.splitlines()) == 1


def test_a_rule_of_ones_own_comes_first(cli: Cli, samples: Path, tmp_path: Path) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text('[[rule]]\ncategory = "user_experience"\nexpectation = "commands"\n')

    mine = parsed(cli("failures", "--json", "--db", samples, "--categories", rules))
    shipped = parsed(cli("failures", "--json", "--db", samples))
    changed = [
        (after["criterion"], after["category"], after["rule"])
        for before, after in zip(shipped, mine, strict=True)
        if before["category"] != after["category"]
    ]

    assert set(changed) == {("commands", "user_experience", f"{rules} rule 1")}


@pytest.mark.parametrize(
    "rules",
    ["category =", '[[rule]]\ncategory = "clarity"\nitem = "a"\n', "[[rule]]\n", "rules = []\n"],
)
def test_rules_that_cannot_be_used_are_said_in_one_line(
    cli: Cli, samples: Path, tmp_path: Path, rules: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(rules)

    result = cli("reliability", "--db", samples, "--categories", path)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"unaveraged: these category rules cannot be used: {path}")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["runs", "reliability", "failures", "trials", "history"])
def test_the_documentation_names_keys_that_are_there(cli: Cli, samples: Path, command: str) -> None:
    told = (ROOT / "docs" / "json.md").read_text("utf-8")
    (shape,) = re.findall(rf"^\| `{command} --json` \| `(.+)` \|$", told, re.MULTILINE)
    prose = {"outcome", "n", "code"} if command in {"runs", "reliability"} else {"n"}
    named = set(re.findall(r"\w+", shape.replace("as in reliability", ""))) - prose
    suite = ["library-desk.conversations"] if command == "history" else []
    printed = cli(command, *suite, "--json", "--db", samples).stdout

    assert [key for key in sorted(named) if f'"{key}":' not in printed] == []


def test_a_failure_can_tell_where_its_trial_left_a_passing_ones_way(
    cli: Cli, samples: Path
) -> None:
    run = ("--run", "3b70145768")
    rows = parsed(cli("failures", *run, "--divergence", "--json", "--db", samples))
    told = [row["first_divergence"] for row in rows if row["first_divergence"]]

    assert {"trial", "passing", "turn", "step", "paths", "more"} == set(told[0])
    assert set(told[0]["paths"][0]) == {"part", "path", "passing", "failing"}
    assert "first_divergence" not in parsed(cli("failures", *run, "--json", "--db", samples))[0]


def test_a_run_of_which_something_was_refused_is_incomplete_everywhere(
    cli: Cli, tmp_path: Path
) -> None:
    db = tmp_path / "new.duckdb"
    path = reports.write(tmp_path / "rows.jsonl", reports.failing(), reports.row(checks=None))
    cli("ingest", path, "--db", db)
    (run,) = parsed(cli("runs", "--json", "--db", db))
    (failure,) = parsed(cli("failures", "--json", "--db", db))

    assert (run["incomplete"], failure["incomplete"]) == (True, True)
    assert parsed(cli("reliability", "--json", "--db", db))["incomplete"] == [run["run"]]
    for command in ("runs", "reliability", "failures"):
        assert "incomplete, 1 not loaded" in cli(command, "--db", db).stdout
