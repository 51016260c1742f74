"""Which run a person means."""

import polars as pl
import pytest

from dashboard import selection
from dashboard.errors import InputError

COLUMNS = ("run", "report", "path", "native_run", "suite", "subject", "superseded_by")
RUNS = pl.DataFrame(
    [
        ("0a1b2c3d4e", "aa11", "./in/week-1.jsonl", None, "tool", "small", None),
        ("0a1b999999", "aa11", "./in/week-1.jsonl", None, "tool", "large", None),
        ("5555555555", "bb22", "in/shop.json.gz", "uuid-1", "shop", "agent", None),
        ("6666666666", "cc33", "in/shop.first.json", "uuid-1", "shop", "agent", "5555555555"),
        ("7777777777", "dd44", "/old/week-2.jsonl", None, "tool", "small", None),
        ("8888888888", "ee55", "/new/week-2.jsonl", None, None, None, None),
    ],
    schema=dict.fromkeys(COLUMNS, pl.String),
    orient="row",
)
REPORTS = RUNS.select("report", "path").unique(maintain_order=True)


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("0a1b2c3d4e", "0a1b2c3d4e"),
        ("0a1b2", "0a1b2c3d4e"),
        ("7", "7777777777"),
        ("uuid-1", "5555555555"),
        ("in/shop.json.gz", "5555555555"),
        ("./in/shop.json.gz", "5555555555"),
        ("/somewhere/in/shop.json.gz", "5555555555"),
        ("shop.json.gz", "5555555555"),
        ("shop", "5555555555"),
        ("shop.first", "6666666666"),
        ("/old/week-2.jsonl", "7777777777"),
        ("new/week-2.jsonl", "8888888888"),
        ("large", "0a1b999999"),
        ("agent", "5555555555"),
    ],
)
def test_a_run_is_meant_by_any_name_that_fits_it_alone(name: str, run: str) -> None:
    assert selection.one(RUNS, name)["run"] == run


@pytest.mark.parametrize(
    ("name", "candidates"),
    [
        ("0a1b", ["0a1b2c3d4e (tool of small in week-1.jsonl)", "0a1b999999"]),
        ("week-1.jsonl", ["0a1b2c3d4e", "0a1b999999"]),
        ("week-2", ["7777777777", "8888888888 (no suite of no subject in week-2.jsonl)"]),
        ("small", ["0a1b2c3d4e", "7777777777"]),
    ],
)
def test_a_name_that_fits_several_runs_lists_them(name: str, candidates: list[str]) -> None:
    with pytest.raises(InputError, match=f"'{name}' fits 2 runs: ") as raised:
        selection.one(RUNS, name)

    assert [one for one in candidates if one not in str(raised.value)] == []
    assert str(raised.value).endswith("; give the id of one")


@pytest.mark.parametrize("name", ["", "nothing", "week", "/", ".", "json"])
def test_a_name_that_fits_none_says_what_is_there(name: str) -> None:
    with pytest.raises(InputError, match="no run is named") as raised:
        selection.one(RUNS, name)

    assert "0a1b2c3d4e (tool of small)" in str(raised.value)
    assert "and 1 more; all of them: unaveraged runs" in str(raised.value)


def test_an_empty_store_says_how_to_fill_it() -> None:
    with pytest.raises(InputError, match="the store is empty; fill it: unaveraged ingest"):
        selection.one(RUNS.clear(), "small")


def test_without_a_name_the_runs_that_none_replaces_are_meant() -> None:
    everything = RUNS["run"].to_list()

    assert selection.several(RUNS, ()) == [run for run in everything if run != "6666666666"]


def test_a_report_means_all_its_runs_and_a_named_run_may_be_replaced() -> None:
    assert selection.several(RUNS, ["week-1.jsonl"]) == ["0a1b2c3d4e", "0a1b999999"]
    assert selection.several(RUNS, ["shop.first", "large"]) == ["0a1b999999", "6666666666"]


@pytest.mark.parametrize("name", ["week-2.jsonl", "small", "0a1b"])
def test_runs_of_several_reports_are_not_meant_by_one_name(name: str) -> None:
    with pytest.raises(InputError, match="fits 2 runs"):
        selection.several(RUNS, [name])


@pytest.mark.parametrize(
    ("name", "report"),
    [
        ("aa", "aa11"),
        ("week-1.jsonl", "aa11"),
        ("0a1b", "aa11"),
        ("shop", "bb22"),
        ("7777", "dd44"),
    ],
)
def test_a_report_is_meant_by_its_hash_its_file_or_a_run(name: str, report: str) -> None:
    assert selection.report(RUNS, REPORTS, name)["report"] == report


def test_a_name_that_fits_several_reports_lists_them() -> None:
    with pytest.raises(InputError, match=r"'week-2' fits 2 reports: dd44 .*, ee55"):
        selection.report(RUNS, REPORTS, "week-2")
