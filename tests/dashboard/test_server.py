"""The server stays on this machine, whatever the user's own settings say."""

import socket
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from dashboard import server


@pytest.mark.parametrize(
    "option",
    [
        "--server.address=127.0.0.1",
        "--server.allowedHosts=127.0.0.1",
        "--server.allowedHosts=localhost",
        "--server.enableXsrfProtection=true",
        "--server.enableCORS=true",
        "--server.fileWatcherType=none",
        "--browser.gatherUsageStats=false",
        "--server.port=8511",
        "--server.headless=true",
        '--theme.headingFontSizes=["1.5rem", "1.2rem", "1.05rem", "1rem", "0.95rem", "0.9rem"]',
        "--theme.dark.primaryColor=#7CC4F2",
    ],
)
def test_the_command_says_so(option: str) -> None:
    assert option in server.command(8511, open_browser=False)


def test_a_browser_is_opened_where_it_is_asked_for() -> None:
    assert "--server.headless=false" in server.command(8511, open_browser=True)


def test_the_server_gets_ready_while_the_browser_is_on_its_way(tmp_path: Path) -> None:
    """All that is imported for pages is there, also beside a store that nobody can read."""
    broken = tmp_path / "broken.duckdb"
    broken.write_bytes(b"no store")
    program = (
        "import sys; from pathlib import Path; from dashboard import markup, serving; "
        "serving.warm(Path(sys.argv[1])); serving.warm(None); "
        "wanted = 'pandas', 'altair', 'dashboard.casebook'; "
        "print(*(name for name in wanted if name in sys.modules)); "
        "print(len(markup._templates().cache))"
    )
    ready = subprocess.run(
        [sys.executable, "-c", program, str(broken)], capture_output=True, text=True, check=True
    )
    modules, templates = ready.stdout.splitlines()

    assert modules == "pandas altair dashboard.casebook"
    assert int(templates) > 20


def test_the_theme_says_the_same_about_safety() -> None:
    settings = tomllib.loads((files("dashboard") / "theme.toml").read_text("utf-8"))

    assert settings["server"]["address"] == server.ADDRESS
    assert settings["browser"]["gatherUsageStats"] is False


def test_ending_the_command_ends_the_server(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind((server.ADDRESS, 0))
        port = int(probe.getsockname()[1])
    program = (
        "import sys; from pathlib import Path; from dashboard import server; "
        "sys.exit(server.serve(Path(sys.argv[1]), int(sys.argv[2]), False))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "s.duckdb"), str(port)],
        stdout=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stdout is not None
        while "http://" not in command.stdout.readline():
            assert command.poll() is None
        command.terminate()
        command.stdout.read()

    assert command.returncode == 0
    with socket.socket() as probe:
        assert probe.connect_ex((server.ADDRESS, port)) != 0
