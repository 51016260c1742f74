"""What `runs`, `reliability` and `failures` show on a terminal and in a pipe."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from dashboard import wording
from tests.cli import reports
from tests.cli.conftest import ROOT, Cli


@pytest.mark.parametrize("command", ["runs", "reliability", "failures"])
def test_tables_in_a_pipe_are_plain(cli: Cli, samples: Path, command: str) -> None:
    result = cli(command, "--db", samples)

    assert result.exit_code == 0
    assert result.stdout.replace("\n", "").isprintable()
    assert [line for line in result.stdout.splitlines() if line != line.rstrip()] == []


def test_the_table_of_runs_is_told_in_counts(cli: Cli, samples: Path) -> None:
    lines = cli("runs", "--db", samples).stdout.splitlines()
    (swift,) = [line for line in lines if line.endswith("library-desk.swift-model.json")]

    assert lines[0].split()[:6] == ["run", "suite", "subject", "status", "items", "trials"]
    assert "7/12  3 error, 3 blocked, 3 skipped" in swift


def test_a_rate_stands_beside_its_counts_and_bounds(cli: Cli, samples: Path) -> None:
    lines = cli("reliability", "--db", samples, "--run", "library-desk.swift-model").stdout
    (row,) = [line for line in lines.splitlines() if line.startswith("side_effect_integrity")]

    assert row.split()[1:4] == ["7/12", "58", "%"]
    assert wording.span(0.39, 0.72) in row


def test_the_table_is_given_at_a_finer_grain(cli: Cli, samples: Path) -> None:
    name = ("reliability", "--db", samples, "--run", "library-desk.swift-model")
    by_item = cli(*name, "--by", "item").stdout.splitlines()
    by_axis = cli(*name, "--by", "axis").stdout.splitlines()

    assert any(row.split()[:2] == ["category", "item"] for row in by_item)
    assert any(row.split()[:2] == ["side_effect_integrity", "renew-loan"] for row in by_item)
    assert any(row.startswith("error_code  EVALUATOR_FAILED") for row in by_axis)


def test_nothing_graded_and_nothing_checked_are_no_rate(cli: Cli, samples: Path) -> None:
    running = cli("reliability", "--db", samples, "--run", "library-desk.swift-model.running")
    finished = cli("reliability", "--db", samples, "--run", "library-desk.swift-model")
    (waiting,) = [row for row in running.stdout.splitlines() if row.startswith("operational")]
    (broken,) = [row for row in finished.stdout.splitlines() if row.startswith("evaluator_error")]

    assert waiting.split()[1:3] == [wording.NOTHING, wording.NOTHING]
    assert wording.span(0, 1) in waiting
    assert broken.split()[1:4] == [wording.NOTHING, "not", "checked"]


def test_evidence_says_what_was_expected_and_found(cli: Cli, samples: Path) -> None:
    lines = cli("failures", "--db", samples, "--run", "lost-items.resumed").stdout

    assert 'expected "18.50", got "A replacement costs 20 euros."' in lines


def hostile_store(cli: Cli, tmp_path: Path) -> Path:
    db = tmp_path / "hostile.duckdb"
    evil = "\x1b]0;owned\x07\u202eevil [bold]=1+1[/bold]"
    path = reports.write(
        tmp_path / "rows.jsonl",
        reports.failing(
            evil, tool=evil, model=evil, check_members={"reason": evil * 40, "name": evil}
        ),
    )
    assert cli("ingest", path, "--db", db).exit_code == 0
    return db


@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize("command", ["runs", "reliability", "failures"])
def test_no_report_controls_the_terminal(
    cli: Cli, tmp_path: Path, command: str, options: list[str]
) -> None:
    result = cli(command, "--db", hostile_store(cli, tmp_path), *options)

    assert result.exit_code == 0
    assert result.stdout.replace("\n", "").isprintable()


def on_a_terminal(*arguments: str, columns: int = 200) -> str:
    """What a command prints to a terminal that knows no colours."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": str(columns), "TERM": "dumb"}
    with subprocess.Popen(
        [sys.executable, "-m", "dashboard.cli", *arguments],
        stdout=theirs,
        env=environment,
        cwd=ROOT,
    ):
        os.close(theirs)
        printed = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                piece = b""
            if not piece:
                break
            printed += piece
    os.close(ours)
    return printed.decode()


def test_tables_on_a_terminal_are_ruled_and_take_nothing_from_a_report(
    cli: Cli, tmp_path: Path
) -> None:
    shown = on_a_terminal("failures", "--db", str(hostile_store(cli, tmp_path)))

    assert "──" in shown
    assert "[bold]=1+1[/bold]" in shown
    assert r"\x1b]0;owned\x07\u202eevil" in shown
    assert shown.replace("\r\n", "").isprintable()


def test_a_closed_pipe_ends_quietly(samples: Path) -> None:
    command = [sys.executable, "-m", "dashboard.cli", "failures", "--json", "--db", str(samples)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()

        assert process.stderr.read() == b""


def test_json_is_utf_8_whatever_the_terminal_speaks(cli: Cli, tmp_path: Path) -> None:
    path = reports.write(tmp_path / "rows.jsonl", reports.row(tool="größe"))
    db = tmp_path / "new.duckdb"
    assert cli("ingest", path, "--db", db).exit_code == 0
    finished = subprocess.run(
        [sys.executable, "-m", "dashboard.cli", "runs", "--json", "--db", str(db)],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )

    assert json.loads(finished.stdout.decode())[0]["suite"] == "größe"


def test_a_narrow_terminal_cuts_nothing_off(samples: Path) -> None:
    shown = on_a_terminal(
        "reliability", "--db", str(samples), "--run", "library-desk.swift-model", columns=40
    )

    assert "operational_claim_integrity" in shown
    assert wording.span(0.39, 0.72) in shown
