"""Every page of a lake says what the page of its store says."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from ingest import subjects
from ingest.load import Said, load_paths
from ingest.store import lake
from tests.dashboard.conftest import SUBJECT_FROM, Opened
from tests.dashboard.reading import text
from tests.dashboard.stored import case_of, run_of
from tests.ingest.stores import SAMPLES, rows

SWIFT = "2026-11-02-loans-x4-swift-model.json"
PATIENT = "2026-11-02-loans-x4-patient-model.json"


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A store of the sample reports, and a lake of it that has the same name.

    Without their README: what was refused whole is known to the store that refused it alone.
    """
    db = tmp_path_factory.mktemp("store") / "samples.duckdb"
    folder = tmp_path_factory.mktemp("lake") / db.name
    said = Said(subject_from=re.compile(SUBJECT_FROM))
    load_paths([str(each) for each in SAMPLES.iterdir() if each.is_dir()], db, said=said)
    lake.sync(db, folder, 30.0, subjects.sayings(db))
    return db, folder


def test_the_pages_of_a_lake_are_those_of_its_store(
    places: tuple[Path, Path], opened: Opened
) -> None:
    samples, folder = places
    base, run = run_of(samples, SWIFT), run_of(samples, PATIENT)
    failing = case_of(samples, run, outcome="failed")
    suite = rows(samples, "run", run=run)[0]["suite"]
    pages: Mapping[str, Mapping[str, str]] = {
        "overview": {},
        "reliability": {"run": run},
        "failures": {"run": run},
        "compare": {"base": base, "run": run},
        "variance": {"run": run},
        "judges": {"run": run},
        "history": {"suite": suite},
        "trials": {"suite": suite},
        "routing": {},
        "case": {"case": failing},
        "divergence": {"case": failing},
        "search": {"run": run, "find": "loan"},
    }
    for page, query in pages.items():
        of_store, of_lake = (opened(db, page, **query) for db in (samples, folder))
        assert not of_lake.exception, page
        assert text(of_lake) == text(of_store), page
        assert len(text(of_lake)) > 100, page
