"""A server over the sample reports, a hostile one and a very long case."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ingest import store
from ingest.load import load_paths
from ingest.records import trial_name
from tests import heavy
from tests.browser.conftest import Serve

REPORTS = Path(__file__).parents[2] / "sample_reports"
PATIENT = "library-desk.patient-model.json"
STILL = "[data-test-script-state=notRunning]"


class Served:
    """A server over the sample reports, a hostile one and a very long case."""

    def __init__(self, db: Path, address: str) -> None:
        self.db, self.address = db, address
        self.run = self._value("SELECT run FROM run JOIN report USING (report) WHERE ", PATIENT)

    def _value(self, sql: str, file: str) -> str:
        with store.open_reader(self.db) as reader:
            found = reader.ask(f"{sql} path LIKE '%' || $file", {"file": file})
        return str(found.item(0, 0))

    def case(self, file: str, item: str = "renew-loan") -> str:
        """The name of the failed trial of an item."""
        run = self._value("SELECT run FROM run JOIN report USING (report) WHERE ", file)
        with store.open_reader(self.db) as reader:
            failed = reader.frame("trial", runs=[run], where={"item": item, "outcome": "failed"})
        return trial_name(failed["trial"].min())  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, serve: Serve) -> Served:
    folder = tmp_path_factory.mktemp("paths")
    (folder / "hostile.json").write_text(heavy.hostile(), "utf-8")
    (folder / "large.json").write_text(heavy.large(200, 280_000), "utf-8")
    db = folder / "paths.duckdb"
    load_paths([str(REPORTS), str(folder)], db)
    return Served(db, serve(db))


def opened(page: Page, address: str) -> None:
    page.goto(address)
    settled(page)


def settled(page: Page) -> None:
    expect(page.locator(".stMain h1").first).to_be_visible()
    expect(page.locator(STILL)).to_be_attached()
