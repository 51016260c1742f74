"""Unmet criteria put together by cell and evidence, and ranked."""

import polars as pl

from queries import entries, evidence
from tests.builders import RUN, checks, definitions, items, runs, trial_number, trials, turns
from tests.queries.figures import BOOK


def found(failing: dict[int, str], repetitions: int, item: str = "item") -> pl.DataFrame:
    """Entries of a cell whose repetitions of these numbers failed with these actual values."""
    rows = [
        {
            "trial": trial_number(number),
            "repetition": number,
            "item": item,
            "outcome": "failed" if number in failing else "passed",
        }
        for number in range(repetitions)
    ]
    results = [
        {"trial": trial_number(number), "passed": False, "decisive": True, "actual": actual}
        for number, actual in failing.items()
    ]
    tried = trials(*rows)
    failures = evidence.failures(
        runs({}), items({}), tried, turns(), checks(*results), definitions({}), BOOK
    )
    return entries.entries(failures, tried).collect()


def test_equal_evidence_of_a_cell_is_one_entry() -> None:
    (entry,) = found({0: '"a"', 2: '"a"'}, repetitions=3).to_dicts()

    assert (entry["failed"], entry["failed_at_all"], entry["graded"]) == (2, 2, 3)
    assert entry["trials"] == [trial_number(0), trial_number(2)]
    assert (entry["run"], entry["rank"]) == (RUN, 0)


def test_other_evidence_is_another_entry_of_the_same_criterion() -> None:
    table = found({0: '"a"', 1: '"b"', 2: '"b"'}, repetitions=4)

    assert table["failed"].to_list() == [2, 1]
    assert table["failed_at_all"].to_list() == [3, 3]
    assert table["rank"].to_list() == [0, 1]
