"""A lake gives the figures of its store, whoever counts; what cannot count says so."""

import builtins
import json
import re
from pathlib import Path
from typing import Any

import pytest

from ingest.store.lake import engine
from tests.cli.conftest import Cli, parsed
from tests.cli.questions import OF_SAMPLES, QUESTIONS


@pytest.fixture(scope="module")
def folder(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of all sample reports; tests only read it."""
    from click.testing import CliRunner

    from dashboard.cli import app

    path = tmp_path_factory.mktemp("lake") / "lake"
    done = CliRunner().invoke(app, ["lake", "sync", str(path), "--db", str(samples), "--json"])
    assert len(json.loads(done.stdout)["written"]) > 1
    return path


@pytest.mark.parametrize("question", [*QUESTIONS, *OF_SAMPLES], ids=" ".join)
def test_store_lake_and_engine_agree(
    cli: Cli, samples: Path, folder: Path, question: tuple[str, ...]
) -> None:
    of_store = cli(*question, "--db", samples)
    of_lake = cli(*question, "--lake", folder)
    on_daft = cli(*question, "--lake", folder, "--engine", "local")

    assert of_store.stdout
    assert of_lake.stdout == of_store.stdout
    assert on_daft.stdout == of_store.stdout
    assert of_store.exit_code == of_lake.exit_code == on_daft.exit_code


def test_the_engine_did_the_counting(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    count = engine.Engine.count

    def counting(self: engine.Engine, query: Any) -> Any:
        asked.append(self.name)
        return count(self, query)

    monkeypatch.setattr(engine.Engine, "count", counting)
    parsed(cli("reliability", "--json", "--lake", folder))
    assert asked == []
    parsed(cli("reliability", "--json", "--lake", folder, "--engine", "local"))
    assert len(asked) > 5
    assert set(asked) == {"local"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--engine", "local"],
            "an engine counts a lake, and .* is none; name one with --lake DIR",
        ),
        (["--lake", "{lake}", "--engine", "spark"], "no engine is called 'spark'; there is local"),
        (["--lake", "{lake}", "--engine", "ray://head"], "no engine is called 'ray://head'"),
        (["--lake", "sample_reports"], r"holds no lake\.json"),
        (["--lake", "nowhere"], "there is no store at nowhere"),
    ],
)
def test_what_cannot_be_counted_is_said(
    cli: Cli, samples: Path, folder: Path, options: list[str], said: str
) -> None:
    words = [word.format(lake=folder) for word in options]
    result = cli("reliability", *words, *([] if "--lake" in words else ["--db", samples]))

    assert result.exit_code == 2
    assert result.stdout == ""
    assert [line for line in result.stderr.splitlines() if line] == [result.stderr.strip()]
    assert re.search(said, result.stderr)


def test_an_engine_that_is_not_installed_says_how_to_get_it(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = builtins.__import__

    def missing(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "daft":
            raise ImportError("No module named 'daft'")
        return found(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    result = cli("votes", "--lake", folder, "--engine", "local")

    assert result.exit_code == 2
    assert "pip install 'unaveraged[cluster]'" in result.stderr


def test_a_query_that_fails_is_asked_again(
    cli: Cli, folder: Path, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = iter([True, True, False])
    read = engine.Spread.scan

    def flaky(self: engine.Spread, daft: Any) -> Any:
        if next(failures, False):
            raise RuntimeError("the worker is gone")
        return read(self, daft)

    monkeypatch.setattr(engine, "_PAUSE", 0.0)
    monkeypatch.setattr(engine.Spread, "scan", flaky)
    result = cli("votes", "--json", "--lake", folder, "--engine", "local")

    assert result.stdout == cli("votes", "--json", "--db", samples).stdout


def test_a_query_that_keeps_failing_gives_nothing_but_the_reason(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("the worker is gone")

    monkeypatch.setattr(engine, "_PAUSE", 0.0)
    monkeypatch.setattr(engine.Spread, "scan", broken)
    result = cli("reliability", "--json", "--lake", folder, "--engine", "local")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "4 attempts failed, the last: RuntimeError: the worker is gone" in result.stderr


def test_a_store_is_rebuilt_from_a_lake(
    cli: Cli, folder: Path, samples: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.duckdb"
    done = parsed(cli("lake", "restore", folder, "--db", again, "--json"))

    assert len(done["written"]) > 1
    asked = ("reliability", "--json", "--by", "item", "--db")
    assert cli(*asked, again).stdout == cli(*asked, samples).stdout


def test_a_report_is_forgotten_in_a_lake(cli: Cli, samples: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    cli("lake", "sync", lake, "--db", samples)
    before = parsed(cli("runs", "--json", "--db", lake))
    gone = parsed(cli("forget", before[0]["run"], "--lake", lake, "--json"))
    after = parsed(cli("runs", "--json", "--db", lake))

    assert gone["trials"] > 0
    assert [row["run"] for row in after] == [
        row["run"] for row in before if row["report"] != gone["report"]
    ]


def test_the_size_of_a_lake_is_that_of_its_files(cli: Cli, folder: Path) -> None:
    found = parsed(cli("stats", "--db", folder, "--json"))
    told = cli("stats", "--sizes", "--db", folder).stdout

    assert found["file"] == sum(each.stat().st_size for each in folder.rglob("*.parquet"))
    assert found["file"] == sum(row["bytes"] for row in found["tables"])
    assert (found["texts_share"], {row["texts"] for row in found["tables"]}) == (None, {None})
    assert {row["count"] for row in found["counts"]} == {"runs", "reliability", "variance", "votes"}
    assert "texts" in told
