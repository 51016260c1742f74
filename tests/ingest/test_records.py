"""Rows have the columns of their tables, and trials have names."""

import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.records import ORDINAL_BITS, TABLES, Row, key, trial_name, trial_number
from ingest.store import TableName, open_reader
from tests.ingest.stores import SAMPLES, ingest

TYPES: Mapping[str, type] = {
    "VARCHAR": str,
    "BIGINT": int,
    "INTEGER": int,
    "BOOLEAN": bool,
    "VARCHAR[]": list,
}


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("store") / "store.duckdb"
    ingest(db, SAMPLES / "trial_rows" / "tidelog.replay.json")
    return db


@pytest.mark.parametrize(("row_type", "table"), TABLES.items())
def test_a_row_type_has_the_columns_of_its_table(db: Path, row_type: type[Row], table: str) -> None:
    with open_reader(db) as reader:
        columns = reader.columns("run" if table == "run_loaded" else cast(TableName, table))
    columns.pop("superseded_by", None)
    assert list(columns) == list(row_type._fields)
    hints = typing.get_type_hints(row_type)
    assert {column: TYPES[kind] for column, kind in columns.items()} == {
        column: plain_type(hints[column]) for column in columns
    }


def plain_type(hint: Any) -> type:
    """Return ``str`` for ``str | None`` and for a vocabulary of words."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return str
    if origin is list or not parts:
        return list if origin is list else hint
    return plain_type(parts[0])


RUNS = st.integers(0, 16**10 - 1).map(lambda number: f"{number:010x}")
ORDINALS = st.integers(0, 2**ORDINAL_BITS - 1)


@given(RUNS, ORDINALS)
def test_a_trial_is_found_again_by_its_name(run: str, ordinal: int) -> None:
    number = key(run, ordinal)
    assert 0 <= number < 2**63
    assert trial_name(number) == f"{run}-{ordinal}"
    assert trial_number(trial_name(number)) == number


@pytest.mark.parametrize(
    "name",
    [
        "",
        "0123456789",
        "012345678-1",
        "0123456789-",
        "0123456789-x",
        "0123456789-4194304",
        "zzzzzzzzzz-1",
        "0123456789-\uff11",
    ],
)
def test_what_is_no_trial_name_is_said_to_be_none(name: str) -> None:
    with pytest.raises(ValueError, match="no trial"):
        trial_number(name)


def test_a_run_says_when_it_has_too_many_trials() -> None:
    with pytest.raises(OverflowError, match="4194304"):
        key("0000000000", 2**ORDINAL_BITS)
