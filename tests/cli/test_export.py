"""`unaveraged export`: where a table goes, and what is said when it cannot."""

from pathlib import Path

import pytest

from dashboard import unmet
from tests.cli.conftest import Cli
from tests.cli.reports import failing, write


def test_a_file_has_the_format_of_its_name(cli: Cli, samples: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    result = cli("export", "grid", "--out", out, "--db", samples)

    assert result.exit_code == 0
    assert result.output == ""
    assert out.read_bytes().startswith(b"PAR1")
    assert list(tmp_path.iterdir()) == [out]


def test_without_a_file_markdown_is_printed(cli: Cli, samples: Path) -> None:
    assert cli("export", "grid", "--db", samples).stdout.startswith("## Every cell and how its")


def test_a_file_is_replaced_only_by_a_whole_one(cli: Cli, samples: Path, tmp_path: Path) -> None:
    out = tmp_path / "failures.png"
    out.write_text("before")
    result = cli("export", "failures", "--out", out, "--db", samples)

    assert result.exit_code == 2
    assert result.stderr == "unaveraged: failures has no chart; export it as a table\n"
    assert out.read_text() == "before"
    assert list(tmp_path.iterdir()) == [out]


def test_a_folder_that_is_not_there_is_said(cli: Cli, samples: Path, tmp_path: Path) -> None:
    out = tmp_path / "gone" / "table.csv"
    result = cli("export", "grid", "--out", out, "--db", samples)

    assert result.exit_code == 2
    assert result.stderr == f"unaveraged: {out} cannot be written: No such file or directory\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["grid", "--format", "pdf"], "grid cannot be had as pdf; there is csv, xlsx"),
        (["report", "--format", "csv"], "a report is a page; it cannot be had as csv"),
        (["comparison"], "a comparison is of two: --run BASE --run CURRENT"),
    ],
)
def test_what_cannot_be_had_is_said(
    words: list[str], message: str, cli: Cli, samples: Path
) -> None:
    result = cli("export", *words, "--db", samples)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"unaveraged: {message}")


@pytest.mark.parametrize("form", ["csv", "parquet", "json"])
def test_a_long_list_is_the_same_in_parts(
    form: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [failing(f"scenario-{number}") for number in range(30)]
    report = write(tmp_path / "rows.jsonl", *rows)
    db = tmp_path / "rows.duckdb"
    cli("ingest", report, "--db", db)
    whole = cli("export", "failures", "--format", form, "--db", db).stdout_bytes
    monkeypatch.setattr(unmet, "TRIALS_AT_ONCE", 7)
    parts = cli("export", "failures", "--format", form, "--db", db).stdout_bytes

    if form == "parquet":
        from tests.export.dumps import parquet_text

        assert parquet_text(parts) == parquet_text(whole)
    else:
        assert parts == whole


def test_an_empty_store_gives_a_head_without_rows(cli: Cli, tmp_path: Path) -> None:
    report = write(tmp_path / "rows.jsonl", failing("only"))
    db = tmp_path / "rows.duckdb"
    cli("ingest", report, "--db", db)
    cli("forget", "rows", "--db", db)

    printed = cli("export", "failures", "--format", "csv", "--db", db).stdout
    assert printed.splitlines()[-1].startswith('"run","suite","subject"')
    assert cli("export", "failures", "--db", db).stdout.count("No row.") == 1
    assert cli("export", "report", "--db", db).exit_code == 2
