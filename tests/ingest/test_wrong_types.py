"""Something else where a list or an object belongs: it is refused with its path, never traced."""

import copy
from pathlib import Path
from typing import Any, Final

import pytest

from ingest.load import LoadResult
from tests.ingest import test_evaluation_report, test_sample_report, test_trial_row
from tests.ingest.stores import ingest, write

VALUES: Final[tuple[Any, ...]] = ({}, "x", 3, None, True, {"a": 1}, [1], [None], [[]])
TURN: Final = ("cases", 0, "turns", 0)
PLACES: Final[list[tuple[Any, tuple[str | int, ...], str]]] = [
    (test_evaluation_report.REPORT, path, place)
    for path, place in (
        (("cases",), "cases"),
        (("assertions",), "assertions"),
        (("assertions", 0, "children"), "assertions"),
        (("suite",), ""),
        (("suite", "scenarios"), "suite.scenarios"),
        (("target",), "target"),
        (("cases", 0, "assertions"), "cases[0]"),
        (("cases", 0, "turns"), "cases[0]"),
        ((*TURN, "assertions"), "cases[0]"),
        ((*TURN, "assertions", 0, "children"), "cases[0]"),
        ((*TURN, "assertions", 0, "children", 0, "children"), "cases[0]"),
    )
] + [
    (test_sample_report.REPORT, ("items",), "items"),
    (test_sample_report.REPORT, ("items", 0, "samples"), "items[0]"),
    (test_sample_report.REPORT, ("items", 0, "samples", 0, "judge"), "items[0].samples[0]"),
    (test_trial_row.LIVE, ("checks",), ""),
    (test_trial_row.CONTRACT, ("checks",), ""),
]
TABLE: Final = [
    pytest.param(
        f"{place}-{value}.json", PLACES[place][2], id=f"{PLACES[place][1]} {VALUES[value]}"
    )
    for place in range(len(PLACES))
    for value in range(len(VALUES))
]


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> LoadResult:
    folder = tmp_path_factory.mktemp("wrong")
    for place, (document, path, _) in enumerate(PLACES):
        for number, value in enumerate(VALUES):
            spoiled = copy.deepcopy(document)
            holder = spoiled
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = value
            write(folder, f"{place}-{number}.json", spoiled)
    return ingest(folder / "store.duckdb", folder)


@pytest.mark.parametrize(("name", "place"), TABLE)
def test_it_is_refused_where_it_stands(result: LoadResult, name: str, place: str) -> None:
    refused = [each for each in result.rejected if Path(each.path).name == name]
    assert refused
    assert all(each.place.startswith(place) for each in refused), refused
