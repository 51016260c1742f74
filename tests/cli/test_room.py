"""`unaveraged forget --older-than`, `compact` and `stats`: the room a store takes."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from tests.cli import reports
from tests.cli.conftest import Cli, Json, parsed

AGES: Final = {"ancient": 400, "old": 200, "young": 3}


@pytest.fixture
def db(cli: Cli, tmp_path: Path) -> Path:
    """A store of three sample reports, of which two are older than 90 days, and of trial rows."""
    store = tmp_path / "new.duckdb"
    for name, days in AGES.items():
        began = (datetime.now(UTC) - timedelta(days=days)).isoformat()
        report = reports.sample_report() | {"generated_at": began}
        (tmp_path / f"{name}.json").write_text(json.dumps(report))
    reports.write(tmp_path / "rows.jsonl", reports.row(), reports.row(model="other"))
    loaded = cli("ingest", *tmp_path.glob("*.json*"), "--subject", "swift", "--db", store)
    assert loaded.exit_code == 0, loaded.stderr
    return store


def files(cli: Cli, db: Path) -> list[str]:
    return [Path(run["path"]).stem for run in parsed(cli("runs", "--json", "--db", db))]


def figures(cli: Cli, db: Path, name: str) -> Json:
    run = next(each for each in parsed(cli("runs", "--json", "--db", db)) if name in each["path"])
    return parsed(cli("reliability", "--run", run["run"], "--json", "--db", db))


def test_a_dry_run_says_what_would_go_and_takes_nothing(cli: Cli, db: Path) -> None:
    told = cli("forget", "--older-than", "90d", "--dry-run", "--db", db).stdout

    assert "ancient.json" in told
    assert told.endswith("2 reports, 2 runs would be forgotten; 3 runs kept\n")
    assert files(cli, db) == ["ancient", "old", "rows", "rows", "young"]


def test_what_is_old_goes_and_what_stays_keeps_its_figures(cli: Cli, db: Path) -> None:
    before = figures(cli, db, "young")
    cli("label", "ancient", "prompt=r14", "--db", db)
    notes = db.with_name(f"{db.name}.notes.json").read_bytes()
    gone = parsed(cli("forget", "--older-than", "90d", "--db", db, "--json"))

    assert [Path(row["path"]).stem for row in gone["reports"]] == ["ancient", "old"]
    assert (len(gone["runs"]), len(gone["kept"]), gone["trials"]) == (2, 3, 2)
    assert files(cli, db) == ["rows", "rows", "young"]
    assert figures(cli, db, "young") == before
    assert db.with_name(f"{db.name}.notes.json").read_bytes() == notes


def test_the_newest_run_of_a_subject_can_be_kept(cli: Cli, db: Path) -> None:
    cli("forget", "young", "--db", db)
    cli("forget", "--older-than", "90d", "--keep-latest", "--db", db)

    assert files(cli, db) == ["old", "rows", "rows"]
    last = cli("forget", "--older-than", "0h", "--keep-latest", "2", "--db", db).stdout
    assert last == "0 reports, 0 runs forgotten; 3 runs kept\n"


def test_a_dry_run_of_one_report_takes_nothing(cli: Cli, db: Path, tmp_path: Path) -> None:
    told = cli("forget", "old", "--dry-run", "--db", db).stdout

    assert told == f"{tmp_path / 'old.json'} would be forgotten (1 run)\n"
    assert "old" in files(cli, db)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "name one REPORT, or give --older-than AGE"),
        (("old", "--older-than", "1d"), "name one REPORT, or give --older-than AGE"),
        (("old", "--keep-latest", "1"), "--keep-latest goes with --older-than"),
        (("--older-than", "soon"), "'soon' is no age; write hours, days or weeks"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    cli: Cli, db: Path, words: tuple[str, ...], says: str
) -> None:
    result = cli("forget", *words, "--db", db)

    assert result.exit_code == 2
    assert says in result.stderr
    assert len(files(cli, db)) == 5


def test_compact_says_what_it_saved(cli: Cli, db: Path) -> None:
    before = parsed(cli("runs", "--json", "--db", db))
    cli("forget", "ancient", "--db", db)
    size = db.stat().st_size
    done = parsed(cli("compact", "--db", db, "--json"))

    assert (done["before"], done["after"]) == (size, db.stat().st_size)
    assert parsed(cli("runs", "--json", "--db", db)) == before[1:]
    assert cli("compact", "--db", db).stdout.startswith(f"{db} written anew: ")


def test_compacting_what_is_not_there_says_so(cli: Cli, tmp_path: Path) -> None:
    result = cli("compact", "--db", tmp_path / "none.duckdb")

    assert result.exit_code == 2
    assert "none.duckdb" in result.stderr


def test_stats_say_how_large_the_store_is(cli: Cli, db: Path) -> None:
    found = parsed(cli("stats", "--db", db, "--json"))
    tables = {row["table"]: row for row in found["tables"]}

    assert found["file"] == db.stat().st_size
    assert (found["reports"], found["runs"], found["superseded"]) == (4, 5, 0)
    assert (tables["trial"]["rows"], tables["run"]["rows"]) == (5, 5)
    assert 0 < sum(row["bytes"] for row in found["tables"]) <= found["file"]
    assert all(row["texts"] <= row["bytes"] for row in found["tables"])
    assert {row["count"] for row in found["counts"]} == {"runs", "reliability", "variance", "votes"}
    assert all(row["seconds"] > 0 for row in found["counts"])


def test_stats_can_leave_the_counting_out(cli: Cli, db: Path) -> None:
    told = cli("stats", "--sizes", "--db", db).stdout.splitlines()

    assert told[0].startswith(f"{db}: ")
    assert "4 reports; 5 runs, 0 of them replaced" in told[0]
    assert len(told) == 15
