"""`unaveraged check`: what an ingest would say, with nothing stored."""

from pathlib import Path

from tests.cli import reports
from tests.cli.conftest import Cli, parsed


def test_reports_that_keep_the_rules_are_counted(cli: Cli, tmp_path: Path) -> None:
    path = reports.write(tmp_path / "rows.jsonl", reports.row(), reports.failing("other"))

    result = cli("check", path)

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "1 report can be loaded (1 run, 2 trials)",
        "0 rejected",
        "0 flagged",
    ]
    assert result.stderr == ""
    assert [each.name for each in tmp_path.iterdir()] == ["rows.jsonl"]


def test_what_would_be_refused_is_said_with_exit_code_1(cli: Cli, tmp_path: Path) -> None:
    path = reports.write(tmp_path / "rows.jsonl", reports.row(), reports.row(checks=None))

    result = cli("check", path)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"{path} line 2: B")
    assert "1 rejected" in result.stdout


def test_flags_are_counted_and_listed_when_asked(cli: Cli, tmp_path: Path) -> None:
    path = reports.write(tmp_path / "rows.jsonl", reports.row(status="odd"), reports.row("b"))

    short, long = cli("check", path), cli("check", path, "--verbose")

    assert (short.exit_code, long.exit_code) == (0, 0)
    assert "1 flagged (--verbose lists them)" in short.stdout
    assert short.stderr == ""
    assert long.stderr.startswith(f"{path} line 1: kept, flagged B3: ")


def test_the_json_names_each_file_with_its_faults(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    path = reports.write(folder / "a.jsonl", reports.row(status="odd"), reports.row("b"))
    (folder / "notes.txt").write_text("hello")

    rows, other = parsed(cli("check", folder, "--json"))

    assert (rows["path"], rows["format"], rows["dialect"]) == (str(path), "trial-row", "contract")
    assert (rows["version"], rows["runs"], rows["trials"], rows["rejected"]) == (1, 1, 2, [])
    assert [(each["where"], each["rule"]) for each in rows["flags"]] == [("line 1", "B3")]
    assert (other["format"], other["rejected"][0]["rule"]) == (None, "not-a-report")


def test_nothing_to_check_is_exit_code_2(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    assert cli("check", tmp_path / "gone").exit_code == 2
    assert cli("check", tmp_path / "empty").exit_code == 2


def test_the_sample_reports_keep_the_rules(cli: Cli) -> None:
    result = cli("check", "sample_reports")

    assert result.exit_code == 0, result.stderr
    assert "\n0 rejected\n" in result.stdout
