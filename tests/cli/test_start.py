"""How the command line starts: fast, and with nothing loaded that it does not need."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Cli

UI_ONLY = ("altair", "pandas", "streamlit")
HEAVY = (*UI_ONLY, "duckdb", "msgspec", "narwhals", "polars", "pydantic", "rich")
HELP_SECONDS = 0.3
COMMANDS = (
    *("demo", "ingest", "check", "open", "runs", "reliability", "failures", "variance", "votes"),
    *("compare", "gate", "routing", "brief", "show", "export", "mcp", "label", "forget"),
    *("compact", "stats"),
)


def modules_loaded_by(*arguments: str, watched: tuple[str, ...]) -> list[str]:
    """Those of the watched modules that a fresh process has loaded when a command ends."""
    program = (
        "import sys\nfrom dashboard.cli import app\n"
        f"app({list(arguments)!r}, standalone_mode=False)\n"
        f"print('LOADED', *(name for name in {watched!r} if name in sys.modules))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return finished.stdout.splitlines()[-1].split()[1:]


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_help_loads_an_argument_parser_and_little_else(command: list[str]) -> None:
    assert modules_loaded_by(*command, "--help", watched=HEAVY) == []


@pytest.mark.parametrize("command", ["ingest", "runs", "reliability", "failures"])
def test_commands_without_pages_load_no_pages(command: str, samples: Path, tmp_path: Path) -> None:
    rest = ["sample_reports", "--db", str(tmp_path / "new.duckdb")]
    arguments = rest if command == "ingest" else ["--db", str(samples)]

    assert modules_loaded_by(command, *arguments, watched=UI_ONLY) == []


@pytest.mark.parametrize("arguments", [["--help"], ["runs", "--help"]])
def test_help_is_quick(arguments: list[str]) -> None:
    """Processor time, so that a busy machine does not count; the best of some tries."""
    spent = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "dashboard.cli", *arguments],
            check=True,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    assert min(spent) < HELP_SECONDS


def test_help_shows_the_commands_in_the_order_of_a_first_visit(cli: Cli) -> None:
    shown = cli("--help").stdout
    places = [shown.index(f"\n  {name} ") for name in COMMANDS]

    assert places == sorted(places)
    assert [line for line in shown.splitlines()[1:] if line.endswith("...")] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_it_does_and_what_each_option_is(cli: Cli, command: str) -> None:
    result = cli(command, "--help")
    options = [line for line in result.stdout.splitlines() if line.startswith("  -")]

    assert result.exit_code == 0
    assert result.stdout.splitlines()[2].strip()
    assert [line for line in options if len(line.split("  ")) < 2] == []


@pytest.mark.parametrize("arguments", [["nonsense"], ["runs", "--nonsense"], ["ingest"], ["label"]])
def test_a_wrong_call_is_a_usage_error(cli: Cli, arguments: list[str]) -> None:
    result = cli(*arguments)

    assert result.exit_code == 2
    assert "Usage: unaveraged" in result.stderr
    assert result.stdout == ""


def test_the_version_is_that_of_the_distribution(cli: Cli) -> None:
    assert cli("--version").stdout.startswith("unaveraged, version ")
