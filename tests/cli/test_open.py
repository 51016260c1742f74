"""`unaveraged open` and `demo`: the pages, really served, and what is said about ports."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from dashboard import server
from dashboard.commands.demo import samples as sample_folder
from ingest.store import open_reader
from tests.cli.conftest import ROOT, Cli

PATIENCE = 60


@contextmanager
def taken_port() -> Iterator[int]:
    """A port that somebody listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def free_port() -> int:
    with taken_port() as port:
        return port


@contextmanager
def serving(*arguments: str, cache: Path) -> Iterator[str]:
    """Serve the pages in another process; give their address, and end them as Ctrl-C does."""
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "dashboard.cli", *arguments, "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"XDG_CACHE_HOME": str(cache)},
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            assert found, line
            yield found.group()
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.stdout.read()
            assert process.wait(PATIENCE) == 0


def answer(address: str) -> int:
    """Status of the page at an address, once the server is up."""
    last = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(address, timeout=PATIENCE) as page:  # noqa: S310 (http on this machine)
                return int(page.status)
        except URLError:
            if time.monotonic() > last:
                raise
            time.sleep(0.1)


def test_demo_serves_the_samples_and_leaves_the_folder_alone(tmp_path: Path) -> None:
    before = set(ROOT.iterdir())
    port = free_port()
    with serving("demo", "--port", str(port), cache=tmp_path) as address:
        assert address.endswith(f":{port}")
        assert answer(address) == 200

    with open_reader(tmp_path / "unaveraged" / "demo.duckdb") as reader:
        runs = reader.frame("run", ("run", "format"))
    assert set(runs["format"]) == {"evaluation-report", "trial-row", "sample-report"}
    assert [path.name for path in (tmp_path / "unaveraged").glob("tmp*")] == []
    assert {path for path in set(ROOT.iterdir()) - before if path.suffix == ".duckdb"} == set()


def test_open_serves_a_store_while_it_is_written(cli: Cli, samples: Path, tmp_path: Path) -> None:
    db = tmp_path / "copy.duckdb"
    db.write_bytes(samples.read_bytes())
    with serving("open", "--db", str(db), "--port", str(free_port()), cache=tmp_path) as address:
        assert answer(address) == 200
        assert cli("forget", "tidelog.replay", "--db", db).exit_code == 0
        assert answer(address) == 200


def test_a_taken_port_that_was_asked_for_is_refused(cli: Cli, samples: Path) -> None:
    with taken_port() as port:
        result = cli("open", "--db", samples, "--port", str(port), "--no-browser")

    assert result.exit_code == 2
    assert result.stderr == (
        f"unaveraged: port {port} is taken; give another one, or none to use the next free one\n"
    )


@pytest.mark.parametrize("port", ["0", "65536", "eighty"])
def test_a_port_is_a_port(cli: Cli, samples: Path, port: str) -> None:
    assert cli("open", "--db", samples, "--port", port).exit_code == 2


def test_demo_says_where_it_could_not_make_its_store(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    result = cli("demo", "--no-browser")

    assert result.exit_code == 2
    assert result.stderr.startswith(f"unaveraged: no store can be made at {tmp_path / 'file'}")
    assert result.stderr.endswith("; name one with --db\n")


def test_the_samples_are_those_of_the_project() -> None:
    assert sample_folder() == ROOT / "sample_reports"


@pytest.mark.parametrize("option", ["--channels", "--categories"])
def test_a_file_that_cannot_be_used_is_said_before_anything_is_served(
    cli: Cli, samples: Path, option: str
) -> None:
    result = cli("open", "--db", samples, "--no-browser", option, "gone.toml")

    assert result.exit_code == 2
    assert result.stdout == ""
    assert "gone.toml" in result.stderr


def test_the_files_of_a_person_reach_the_server(
    cli: Cli, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[dict[str, str]] = []

    def serve(_db: Path, _port: int, _open: bool, settings: dict[str, str]) -> int:  # noqa: FBT001
        given.append(settings)
        return 0

    monkeypatch.setattr(server, "serve", serve)
    rules, channels = tmp_path / "rules.toml", tmp_path / "channels.toml"
    rules.write_text('[[rule]]\ncategory = "abandonment"\nitem = "x"\n')
    channels.write_text('[channel]\n"*" = "envelope"\n')
    files = ("--categories", rules, "--channels", channels)
    result = cli("open", "--db", samples, "--no-browser", *files)

    assert result.exit_code == 0, result.stderr
    assert given == [
        {server.RULES_VARIABLE: str(rules), server.CHANNELS_VARIABLE: str(channels)},
    ]
