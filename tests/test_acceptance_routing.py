"""Tickets, green checks and models per code agree with somebody else's program."""

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
import pytest

from ingest.load import load_paths
from ingest.store import open_reader
from queries import routing

DATA: Final = Path(__file__).parent.parent.parent / "shared" / "data" / "trial_row"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="acceptance data is not here")
EXPECTED: Final[dict[str, Any]] = (
    json.loads((DATA / "expected.json").read_text()) if DATA.is_dir() else {}
)


class Battery(NamedTuple):
    runs: pl.LazyFrame
    trials: pl.LazyFrame
    checks: pl.LazyFrame
    definitions: pl.LazyFrame


@pytest.fixture(params=EXPECTED)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def battery(name: str, tmp_path: Path) -> Battery:
    load_paths([str(DATA / name)], tmp_path / "store.duckdb")
    with open_reader(tmp_path / "store.duckdb") as reader:
        return Battery(
            reader.frame("run").lazy(),
            reader.frame("trial").lazy(),
            reader.frame("check").lazy(),
            reader.frame("definition").lazy(),
        )


def test_tools_with_a_ticket(name: str, battery: Battery) -> None:
    faults = routing.faults(battery.runs, battery.trials, battery.checks)
    tools = routing.tickets(faults).collect()["suite"]

    assert tools.unique().sort().to_list() == EXPECTED[name]["tickets"]


def test_models_of_every_code(name: str, battery: Battery) -> None:
    faults = routing.faults(battery.runs, battery.trials, battery.checks)
    found = routing.channels(faults, None).collect()

    assert {row["code"]: len(row["models"]) for row in found.to_dicts()} == EXPECTED[name][
        "distinct_models_by_code"
    ]


def test_checks_that_never_failed(name: str, battery: Battery) -> None:
    found = routing.never_failing(battery.runs, battery.definitions, battery.checks).collect()

    assert [list(row) for row in found.select("suite", "item", "criterion").rows()] == EXPECTED[
        name
    ]["never_failing"]
