"""`unaveraged label` and `forget`: what people say about runs, and take back."""

import json
from pathlib import Path

import pytest

from tests.cli import reports
from tests.cli.conftest import Cli, Json, parsed


@pytest.fixture
def db(cli: Cli, tmp_path: Path) -> Path:
    """A store of one sample report that names no subject, and two trial rows."""
    store = tmp_path / "new.duckdb"
    (tmp_path / "loans.json").write_text(json.dumps(reports.sample_report()))
    reports.write(tmp_path / "rows.jsonl", reports.row(), reports.row(model="other"))
    loaded = cli("ingest", tmp_path / "loans.json", tmp_path / "rows.jsonl", "--db", store)
    assert loaded.exit_code == 0, loaded.stderr
    return store


def run_of(cli: Cli, db: Path, name: str) -> Json:
    (run,) = [each for each in parsed(cli("runs", "--json", "--db", db)) if name in each["path"]]
    return run


def test_a_subject_can_be_named_later(cli: Cli, db: Path) -> None:
    result = cli("label", "loans", "subject=swift", "--db", db)
    run = run_of(cli, db, "loans")

    assert result.stdout == f"loans · swift · loans.json  ({run['run']})  labels {{}}\n"
    assert (run["subject"], run["subject_source"]) == ("swift", "label")
    assert cli("label", "swift", "subject=patient", "--db", db).exit_code == 0
    assert run_of(cli, db, "loans")["subject"] == "patient"


def test_a_label_can_be_given_and_taken_away(cli: Cli, db: Path) -> None:
    given = parsed(cli("label", "loans", "prompt=r14", "who=me", "--db", db, "--json"))
    left = parsed(cli("label", "loans", "who=", "--db", db, "--json"))

    assert given["labels"] == {"prompt": "r14", "who": "me"}
    assert left["labels"] == {"prompt": "r14"}
    assert run_of(cli, db, "loans")["labels"] == {"prompt": "r14"}


def test_a_said_subject_can_be_taken_back(cli: Cli, db: Path) -> None:
    cli("label", "model", "subject=renamed", "--db", db)
    taken = parsed(cli("label", "renamed", "subject=", "--db", db, "--json"))

    assert (taken["subject"], taken["subject_source"]) == ("model", "report")


def test_what_is_said_survives_a_rebuilt_store(cli: Cli, db: Path, tmp_path: Path) -> None:
    cli("label", "loans", "subject=swift", "--db", db)
    db.unlink()
    cli("ingest", tmp_path / "loans.json", "--db", db)

    assert run_of(cli, db, "loans")["subject"] == "swift"


def test_a_name_that_fits_several_runs_labels_none(cli: Cli, db: Path) -> None:
    result = cli("label", "rows.jsonl", "a=b", "--db", db)

    assert result.exit_code == 2
    assert "'rows.jsonl' fits 2 runs" in result.stderr
    assert [run["labels"] for run in parsed(cli("runs", "--json", "--db", db))] == [{}, {}, {}]


def test_a_label_needs_a_key_and_a_value(cli: Cli, db: Path) -> None:
    result = cli("label", "loans", "prompt", "--db", db)

    assert result.exit_code == 2
    assert result.stderr.startswith("unaveraged: 'prompt' is no label; write KEY=VALUE")


def test_a_forgotten_report_is_gone_with_all_its_runs(cli: Cli, db: Path, tmp_path: Path) -> None:
    forgotten = parsed(cli("forget", "rows.jsonl", "--db", db, "--json"))

    assert (forgotten["path"], forgotten["trials"]) == (str(tmp_path / "rows.jsonl"), 2)
    assert [run["suite"] for run in parsed(cli("runs", "--json", "--db", db))] == ["loans"]
    assert (tmp_path / "rows.jsonl").exists()


def test_a_forgotten_report_can_be_loaded_again(cli: Cli, db: Path, tmp_path: Path) -> None:
    assert cli("forget", "loans", "--db", db).stdout == (
        f"{tmp_path / 'loans.json'} forgotten (1 trial)\n"
    )
    loaded = parsed(cli("ingest", tmp_path / "loans.json", "--db", db, "--json"))

    assert len(loaded["loaded"]) == 1


def test_forgetting_what_is_not_there_says_what_is(cli: Cli, db: Path) -> None:
    result = cli("forget", "gone", "--db", db)

    assert result.exit_code == 2
    assert result.stderr.startswith("unaveraged: no run is named 'gone'; there is ")
