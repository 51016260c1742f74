"""The pages over real stores, run without a browser."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.server import STORE_VARIABLE
from ingest.load import Said, load_paths
from tests.acceptance import DATA

ROOT = Path(__file__).parents[2]
APP = ROOT / "dashboard" / "app.py"
FOLDERS = ("evaluation_report", "sample_report", "trial_row")
SUBJECT_FROM = r"-x\d+-(.+)\.json$"

Opened = Callable[..., AppTest]


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of all sample reports; tests only read it."""
    db = tmp_path_factory.mktemp("pages") / "samples.duckdb"
    said = Said(subject_from=re.compile(SUBJECT_FROM))
    load_paths([str(ROOT / "sample_reports")], db, said=said)
    return db


@pytest.fixture(scope="session")
def acceptance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the acceptance reports; only for tests that are skipped where these are not."""
    db = tmp_path_factory.mktemp("acceptance") / "acceptance.duckdb"
    said = Said(subject_from=re.compile(SUBJECT_FROM))
    load_paths([str(DATA / folder) for folder in FOLDERS], db, said=said)
    return db


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Open a page of a store at an address, as a browser would."""

    def call(db: Path, view: str = "overview", **query: str | list[str]) -> AppTest:
        monkeypatch.setenv(STORE_VARIABLE, str(db))
        test = AppTest.from_file(str(APP), default_timeout=60)
        if view != "overview":
            test.switch_page(f"views/{view}.py")
        for name, value in query.items():
            test.query_params[name] = value
        return test.run()

    return call


@pytest.fixture
def db(request: pytest.FixtureRequest, store: str) -> Path:
    path: Path = request.getfixturevalue(store)
    return path
