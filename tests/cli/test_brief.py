"""`unaveraged brief` and `unaveraged show`: what somebody who mends a run needs."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, Json, parsed
from tests.cli.reports import check, failing, row, write

RUN = "library-desk.swift-model"


def brief(cli: Cli, db: Path, *options: str) -> Json:
    return parsed(cli("brief", RUN, "--format", "json", "--db", db, *options))


def test_failures_errors_and_unfinished_trials_are_apart(cli: Cli, samples: Path) -> None:
    found = brief(cli, samples)

    assert {entry["errored"] for entry in found["failures"]} == {False}
    assert [entry["criterion"] for entry in found["errored"]] == ["policy-or-desk"]
    assert found["errored"][0]["error_code"] == "EVALUATOR_FAILED"
    ended = {group["outcome"]: group["number"] for group in found["incomplete"]}
    assert ended == {"error": 1, "skipped": 3, "blocked": 3}
    assert [root["id"] for root in found["suite_failures"]] == [
        "nothing-blocked",
        "ledger-balanced",
    ]


def test_what_always_fails_comes_first(cli: Cli, samples: Path) -> None:
    first, *others = brief(cli, samples)["failures"]

    assert first["criterion"] == "no-reservation"
    assert first["fails"] == {
        "failed": 2,
        "failed_like_this": 2,
        "graded_repetitions": 2,
        "repetitions": [0, 2],
        "trials": [first["fails"]["trials"][0], first["fails"]["trials"][1]],
        "cells_with_this_cause": 1,
    }
    shares = [entry["fails"]["failed"] / entry["fails"]["graded_repetitions"] for entry in others]
    assert shares == sorted(shares, reverse=True)


def test_an_entry_holds_the_expression_the_evidence_and_the_divergence(
    cli: Cli, samples: Path
) -> None:
    (entry,) = (
        entry for entry in brief(cli, samples)["failures"] if entry["criterion"] == "right-loan"
    )

    assert entry["item"] == "renew-loan"
    assert entry["variants"] == {"ask": "hurried"}
    assert entry["step"] == "ask"
    assert entry["turn"] == 0
    assert entry["input"] == {"text": "salt road 2 more wks pls, running for a train"}
    assert entry["expression"]["role"] == "decisive"
    assert entry["expression"]["expected"] == "L-2041"
    assert entry["expression"]["actual"] == "L-2044"
    assert entry["first_divergence"]["turn"] == 0
    paths = [path["path"] for path in entry["first_divergence"]["paths"]]
    assert "/response/message" in paths


def test_the_commands_of_an_entry_work(cli: Cli, samples: Path) -> None:
    for entry in brief(cli, samples)["failures"]:
        for command in entry["ask"]:
            program, *words = command.split()
            shown = cli(*words, "--db", samples)
            assert program == "unaveraged"
            assert shown.exit_code == 0, shown.stderr
            json.loads(shown.stdout)


def test_what_to_run_again_leaves_reviewed_skips_out(cli: Cli, samples: Path) -> None:
    again = brief(cli, samples)["rerun"]

    assert again["failed"] == ["renew-loan", "reserve-then-leave", "explain-fine", "change-pickup"]
    assert again["errored"] == ["explain-fine"]
    assert "large-print" not in again["all"]
    assert "pay-fine" in again["incomplete"]


def test_an_item_narrows_everything_but_the_suite(cli: Cli, samples: Path) -> None:
    found = brief(cli, samples, "--item", "change-pickup")

    assert {entry["item"] for entry in found["failures"]} == {"change-pickup"}
    assert found["outcomes"] == {"passed": 1, "failed": 1, "error": 1}
    assert found["rerun"]["all"] == ["change-pickup"]


@pytest.mark.parametrize("form", ["json", "md"])
def test_a_budget_keeps_the_most_decisive_and_says_what_is_left(
    form: str, cli: Cli, samples: Path
) -> None:
    printed = cli("brief", RUN, "--format", form, "--budget", "1500", "--db", samples).stdout

    assert len(printed) < 1500 * 4 * 1.5
    assert "no-reservation" in printed
    assert "claim-matches-ledger" not in printed
    assert "--budget 6000 --limit 160 or --item ID" in printed


def test_a_limit_counts_failures_and_errors_each(cli: Cli, samples: Path) -> None:
    found = brief(cli, samples, "--limit", "1")

    assert [len(found["failures"]), len(found["errored"])] == [1, 1]
    assert found["not_shown"] == {"failures": 9, "errored": 0}


def test_the_text_says_the_same(cli: Cli, samples: Path) -> None:
    printed = cli("brief", RUN, "--db", samples).stdout

    assert printed.startswith("# Brief of run ")
    assert "- fails in 2 of 2 graded repetitions (repetition 0, 2), trials" in printed
    assert "✗ held, must not: `ledger-entry` check `/observation/effects` contains" in printed
    assert "## Errored criteria: mend the evaluator, these say nothing" in printed
    assert "3 blocked, `EXTERNAL_WRITES_NOT_AUTHORIZED`: `pay-fine`" in printed
    assert "## Run again" in printed


def test_one_cause_in_several_cells_is_counted(cli: Cli, tmp_path: Path) -> None:
    report = write(tmp_path / "rows.jsonl", failing("first"), failing("second"), row("third"))
    db = tmp_path / "rows.duckdb"
    cli("ingest", report, "--db", db)
    found = parsed(cli("brief", "model", "--format", "json", "--db", db))

    assert [entry["fails"]["cells_with_this_cause"] for entry in found["failures"]] == [2, 2]
    assert found["failures"][0]["fault"] == "agent"
    assert found["failures"][0]["reason"] == "closed the door first"


def test_what_was_cut_short_comes_last(cli: Cli, tmp_path: Path) -> None:
    late = failing("late", bound_reached="max_turns")
    report = write(tmp_path / "rows.jsonl", late, failing("whole"), row("fine"))
    db = tmp_path / "rows.duckdb"
    cli("ingest", report, "--db", db)
    found = parsed(cli("brief", "model", "--format", "json", "--db", db))

    assert [entry["item"] for entry in found["failures"]] == ["whole", "late"]
    assert found["failures"][1]["cut_short"] is True


def test_a_trial_is_shown_in_outline(cli: Cli, samples: Path) -> None:
    trial = brief(cli, samples)["failures"][0]["fails"]["trials"][0]
    shown = json.loads(cli("show", trial, "--db", samples).stdout)

    assert shown["trial"] == trial
    assert shown["item"] == "reserve-then-leave"
    assert shown["outcome"] == "failed"
    assert [turn["turn"] for turn in shown["turns"]] == [0, 1]
    assert shown["turns"][0]["observation"].endswith("at /turns/0/observation")
    assert [root["id"] for root in shown["criteria"]] == ["no-reservation"]


def test_a_turn_and_a_pointer_show_a_piece(cli: Cli, samples: Path) -> None:
    trial = brief(cli, samples)["failures"][0]["fails"]["trials"][0]
    turn = json.loads(cli("show", trial, "--turn", "0", "--db", samples).stdout)
    pieces = [
        cli("show", trial, "--turn", "0", "--path", "/observation/effects", "--db", samples),
        cli("show", trial, "--path", "/turns/0/observation/effects", "--db", samples),
    ]

    assert turn["observation"]["effects"][0]["type"] == "reservation.place"
    for piece in pieces:
        assert json.loads(piece.stdout) == turn["observation"]["effects"]


def test_a_large_piece_is_bounded(cli: Cli, tmp_path: Path) -> None:
    checks = [check(f"check-{number}", reason="x" * 500) for number in range(200)]
    report = write(tmp_path / "rows.jsonl", row("large", checks=checks))
    db = tmp_path / "rows.duckdb"
    cli("ingest", report, "--db", db)
    run = parsed(cli("runs", "--json", "--db", db))[0]["run"]
    printed = cli("show", f"{run}-0", "--limit", "3000", "--db", db).stdout

    assert len(json.dumps(json.loads(printed), ensure_ascii=False)) <= 3000
    assert "at /criteria" in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["show", "x"], "'x' is no trial: expected ten hexadecimal digits, '-', a number; trials"),
        (["show", "0000000000-1"], "no trial is called '0000000000-1': the store has no run"),
        (["brief", "gone"], "no run is named 'gone'"),
        (["brief", RUN, "--item", "gone"], "no item is called 'gone' here"),
    ],
)
def test_what_is_not_there_is_said(words: list[str], message: str, cli: Cli, samples: Path) -> None:
    result = cli(*words, "--db", samples)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"unaveraged: {message}")


def test_a_trial_or_turn_that_is_not_there_says_which_are(cli: Cli, samples: Path) -> None:
    run = brief(cli, samples)["run"]
    trial = cli("show", f"{run}-99", "--db", samples)
    turn = cli("show", f"{run}-0", "--turn", "7", "--db", samples)

    assert f"run {run} has {run}-0 to {run}-20" in trial.stderr
    assert f"trial {run}-0 has no turn 7: it has turns 0 to 1" in turn.stderr
