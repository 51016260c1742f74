"""Comparisons and noise floors agree with figures computed by somebody else's program."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
import pytest

from ingest.load import load_paths
from ingest.store import Reader, TableName, open_reader
from queries import categories, changes, comparison, noise, pairing

DATA: Final = Path(__file__).parent.parent.parent / "shared" / "data" / "sample_report"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="acceptance data is not here")
EXPECTED: Final = json.loads((DATA / "expected.json").read_text()) if DATA.is_dir() else {}
NAMES: Final[tuple[TableName, ...]] = (
    *("run", "item", "part", "trial", "check", "definition", "vote"),
)
MEMBERS: Final = {
    "added": (),
    "removed": (),
    "derived_input": ("parts",),
    "judge_drift": ("criterion", "before", "after"),
    "deterministic_improvement": ("before", "after"),
    "deterministic_regression": ("before", "after", "newly_failing", "categories"),
}


class Compared(NamedTuple):
    tables: pairing.Tables
    sides: pl.LazyFrame
    pairs: pl.LazyFrame


class Reports:
    """The reports of the folder, loaded once."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        runs = reader.frame("run").join(reader.frame("report"), on="report")
        self.runs = {Path(path).name: run for path, run in runs.select("path", "run").iter_rows()}

    def compared(self, base: str, current: str) -> Compared:
        ids = [self.runs[base], self.runs[current]]
        read = (self.reader.frame(name, runs=ids).lazy() for name in NAMES)
        tables = pairing.Tables(*read)
        sides = pl.LazyFrame({"run": ids, "side": ["base", "current"]})
        return Compared(tables, sides, pairing.pairs(tables, sides))

    def floor(self) -> pl.LazyFrame:
        control = EXPECTED["noise_floor"]
        return noise.floor(*self.compared(control["first"], control["second"]))


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reports]:
    path = tmp_path_factory.mktemp("acceptance") / "store.duckdb"
    load_paths([str(DATA)], path)
    with open_reader(path) as reader:
        yield Reports(reader)


def test_the_noise_floor(reports: Reports) -> None:
    wanted = {key: value for key, value in EXPECTED["noise_floor"].items() if key[-2:] != "st"}

    found = reports.floor().collect().row(0, named=True)

    assert {key: found[key] for key in wanted if key in found} == {
        key: value for key, value in wanted.items() if key != "second"
    }


@pytest.mark.parametrize("wanted", EXPECTED.get("comparisons", []))
def test_a_comparison(reports: Reports, wanted: dict[str, Any]) -> None:
    compared = reports.compared(wanted["baseline"], wanted["current"])
    floor = reports.floor() if wanted["with_noise_floor"] else None
    rows = changes.changes(*compared, categories.shipped(), changes.Tolerances(), floor).collect()
    headline = comparison.headline(compared.pairs).collect().row(0, named=True)
    excluded = pairing.exclusions(compared.pairs).collect()

    assert excluded.select("item", "recorded", "authored").to_dicts() == wanted["excluded"]
    for name in ("compared", "unverified"):
        assert headline[name] == wanted[name]
    assert headline["excluded_share"] == pytest.approx(wanted["excluded_share"], abs=1e-12)
    assert headline["withheld"] == wanted["headline"]["withheld"]
    for name in ("baseline", "current"):
        assert headline[name] == pytest.approx(wanted["headline"].get(name), abs=1e-12)
    assert [
        {name: row[name] for name in ("item", "kind", *MEMBERS[row["kind"]], "noise")}
        for row in rows.to_dicts()
    ] == wanted["changes"]


@pytest.mark.parametrize("wanted", EXPECTED.get("comparisons", []))
def test_a_withheld_headline_withholds_every_category(
    reports: Reports, wanted: dict[str, Any]
) -> None:
    compared = reports.compared(wanted["baseline"], wanted["current"])
    headline = comparison.headline(compared.pairs)
    rows = comparison.categories(*compared, categories.shipped())
    shown = comparison.on_one_page(rows, headline).collect()

    assert shown.is_empty() == wanted["headline"]["withheld"]
