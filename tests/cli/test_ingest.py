"""`unaveraged ingest`: what it says, what it returns, and that it never traces."""

import json
from pathlib import Path

import pytest

from tests.cli import reports
from tests.cli.conftest import Cli, parsed


def test_the_summary_counts_what_was_loaded(cli: Cli, tmp_path: Path) -> None:
    db = tmp_path / "new.duckdb"
    path = reports.write(tmp_path / "rows.jsonl", reports.row(), reports.failing("other"))

    first = cli("ingest", path, "--db", db)
    second = cli("ingest", path, "--db", db)

    assert (first.exit_code, second.exit_code) == (0, 0)
    assert first.stdout.splitlines() == [
        "1 report loaded (1 run, 2 trials)",
        "0 reports unchanged",
        "0 rejected",
    ]
    assert second.stdout.splitlines() == [
        "0 reports loaded (0 runs, 0 trials)",
        "1 report unchanged",
        "0 rejected",
    ]
    assert first.stderr == ""


def test_the_json_says_the_same(cli: Cli, tmp_path: Path) -> None:
    db = tmp_path / "new.duckdb"
    path = reports.write(tmp_path / "rows.jsonl", reports.row())

    first = parsed(cli("ingest", path, "--db", db, "--json"))
    second = parsed(cli("ingest", path, "--db", db, "--json"))

    assert [each["path"] for each in first["loaded"]] == [str(path)]
    assert [(each["runs"], each["trials"]) for each in first["loaded"]] == [(1, 1)]
    assert (first["unchanged"], first["rejected"]) == ([], [])
    assert [each["path"] for each in second["unchanged"]] == [str(path)]
    assert (second["loaded"], second["rejected"]) == ([], [])


def test_a_rejected_row_is_one_line_with_place_rule_and_remedy(cli: Cli, tmp_path: Path) -> None:
    db = tmp_path / "new.duckdb"
    path = reports.write(tmp_path / "rows.jsonl", reports.row(), reports.row(checks=None))

    result = cli("ingest", path, "--db", db)
    (line,) = result.stderr.splitlines()

    assert result.exit_code == 1
    assert line.startswith(f"{path} line 2: B")
    assert " -> " in line
    assert "1 report loaded (1 run, 1 trial)" in result.stdout
    assert "1 rejected" in result.stdout


def test_rejections_are_objects_in_json(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"suite": ')

    result = cli("ingest", path, "--db", tmp_path / "new.duckdb", "--json")
    (refused,) = json.loads(result.stdout)["rejected"]

    assert result.exit_code == 1
    assert refused.keys() == {"path", "where", "rule", "message", "remedy"}
    assert all(isinstance(value, str) for value in refused.values())
    assert result.stderr == ""


def test_a_file_that_is_no_report_in_a_folder_is_said_and_no_fault(
    cli: Cli, tmp_path: Path
) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    reports.write(folder / "rows.jsonl", reports.row())
    (folder / "README.md").write_text("# Reports\n")

    result = cli("ingest", folder, "--db", tmp_path / "new.duckdb")

    assert result.exit_code == 0
    assert "README.md: not-a-report: " in result.stderr
    assert "1 other file left aside" in result.stdout


def test_hostile_names_act_on_no_terminal(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m\nb;--'<script>.json"
    path.write_text("[]")

    result = cli("ingest", path, "--db", tmp_path / "new.duckdb", "--verbose")

    assert result.exit_code == 1
    assert "\x1b" not in result.output
    assert r"a\x1b[31m\nb;--'<script>.json" in result.stderr


def test_a_file_beside_missing_ones_is_loaded(cli: Cli, tmp_path: Path) -> None:
    path = reports.write(tmp_path / "rows.jsonl", reports.row())

    result = cli("ingest", path, tmp_path / "gone.json", "--db", tmp_path / "new.duckdb")

    assert result.exit_code == 1
    assert "1 report loaded" in result.stdout
    assert "gone.json" in result.stderr


def test_nothing_to_do_is_said_with_exit_code_2(cli: Cli, tmp_path: Path) -> None:
    db = tmp_path / "new.duckdb"
    (tmp_path / "empty").mkdir()

    gone = cli("ingest", tmp_path / "gone.json", "--db", db)
    empty = cli("ingest", tmp_path / "empty", "--db", db)

    assert (gone.exit_code, empty.exit_code) == (2, 2)
    assert gone.stderr.startswith("unaveraged: nothing is at ")
    assert "missing evidence" in empty.stderr
    assert "unaveraged: no file is in " in empty.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--subject", "a", "--subject-from", "b"], "give one of them"),
        (["--subject-from", "("], "--subject-from '(' is no regular expression"),
        (["--label", "prompt"], "'prompt' is no label; write KEY=VALUE"),
        (["--label", "a=1", "--label", "a=2"], "label 'a' is given twice"),
        (["--label", "subject=a"], "name it with --subject"),
    ],
)
def test_what_is_said_of_runs_must_be_sayable(
    cli: Cli, tmp_path: Path, options: list[str], message: str
) -> None:
    path = reports.write(tmp_path / "rows.jsonl", reports.row())
    result = cli("ingest", path, "--db", tmp_path / "new.duckdb", *options)

    assert result.exit_code == 2
    assert result.stderr.startswith("unaveraged: ")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "new.duckdb").exists()


def test_a_store_that_is_none_is_refused_and_left_alone(cli: Cli, tmp_path: Path) -> None:
    path = reports.write(tmp_path / "rows.jsonl", reports.row())
    db = tmp_path / "letter.txt"
    db.write_text("dear reader, this is no database" * 200)

    result = cli("ingest", path, "--db", db)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"unaveraged: {db} cannot be used as a store")
    assert db.read_text().startswith("dear reader")


@pytest.mark.parametrize(
    ("options", "subject", "source"),
    [
        ([], None, None),
        (["--subject", "swift"], "swift", "option"),
        (["--subject-from", r"-x\d-(.+)\.json"], "gpt-6", "file name"),
        (["--subject-from", "nowhere"], None, None),
    ],
)
def test_a_report_without_a_subject_gets_it_as_asked(
    cli: Cli, tmp_path: Path, options: list[str], subject: str | None, source: str | None
) -> None:
    db = tmp_path / "new.duckdb"
    path = tmp_path / "loans-x4-gpt-6.json"
    path.write_text(json.dumps(reports.sample_report()))

    loaded = cli("ingest", path, "--db", db, "--label", "prompt=r14", *options)
    (run,) = parsed(cli("runs", "--db", db, "--json"))

    assert loaded.exit_code == 0, loaded.stderr
    assert (run["subject"], run["subject_source"]) == (subject, source)
    assert run["labels"] == {"prompt": "r14"}


def test_verbose_says_a_line_a_file(cli: Cli, tmp_path: Path) -> None:
    path = reports.write(tmp_path / "rows.jsonl", reports.row())

    result = cli("ingest", path, "--db", tmp_path / "new.duckdb", "-v")

    assert result.stderr.splitlines() == [f"loaded     {path}  {_size(path)}  1 trial"]


def _size(path: Path) -> str:
    return f"{path.stat().st_size} bytes"
