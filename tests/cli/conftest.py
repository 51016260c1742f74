"""The commands in this process, over real stores."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dashboard.cli import app
from ingest.load import Said, load_paths

ROOT = Path(__file__).parents[2]
SUBJECT_FROM = r"-x\d+-(.+)\.json$"

Cli = Callable[..., Result]
Json = Any


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Call the command line from the root of the project, whatever the environment says."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("UNAVERAGED_DB", raising=False)

    def call(*arguments: str | Path) -> Result:
        return CliRunner().invoke(
            app, [str(one) for one in arguments], prog_name="unaveraged", catch_exceptions=False
        )

    return call


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of all sample reports; tests only read it."""
    db = tmp_path_factory.mktemp("samples") / "samples.duckdb"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        load_paths(["sample_reports"], db, said=Said(subject_from=re.compile(SUBJECT_FROM)))
    return db


def parsed(result: Result) -> Json:
    """What a command printed as JSON; it must have gone well."""
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)
