"""What leaves of planned trials and histories is what the commands say."""

from pathlib import Path
from typing import Any

import pytest

from dashboard.errors import InputError
from dashboard.export import tables
from dashboard.export.about import Selection
from tests.cli.conftest import Cli, parsed

DESK = "library-desk.conversations"


def rows(db: Path, name: str, *runs: str) -> list[dict[str, Any]]:
    return tables.build(db, name, Selection(runs)).frame().to_dicts()


def test_the_table_of_trials_says_what_the_command_says(cli: Cli, samples: Path) -> None:
    found = parsed(cli("trials", "--run", "lost-items.limited", "--json", "--db", samples))
    counts = ("planned", "trials", "graded", "passed", "unmeasured", "skipped", "missing")

    assert [
        {name: row[name] for name in counts} | {"results": (row["results"] or "").split()}
        for row in rows(samples, "trials", "lost-items.limited")
    ] == [
        {name: row[name] for name in counts}
        | {"results": [one["outcome"] for one in row["repetitions"]]}
        for row in found["cells"]
    ]


def test_the_tables_of_a_history_say_what_the_command_says(cli: Cli, samples: Path) -> None:
    found = parsed(cli("history", DESK, "--json", "--db", samples))
    runs = [row["run"] for row in found["runs"]]
    categories, cells = (rows(samples, name, *runs) for name in ("history", "history-cells"))

    assert {(row["run"], row["category"]): row["rate"] for row in categories} == {
        (row["run"], row["category"]): row["rate"]
        for row in found["categories"]
        if row["rate"] is not None
    }
    assert [(row["run"], row["order"], row["breaks"], row["suspect"]) for row in categories] == [
        (row["run"], row["order"], "; ".join(row["breaks"]) or None, row["suspect"])
        for row in found["runs"]
        for one in categories
        if one["run"] == row["run"]
    ]
    stood = {
        (cell["item"], str(cell["variants"]), one["run"]): (one["passed"], one["changed"])
        for cell in found["cells"]
        for one in cell["runs"]
    }
    assert len(cells) == len(stood)
    assert sorted((row["passed"], row["changed"]) for row in cells) == sorted(stood.values())


@pytest.mark.parametrize(
    ("name", "asked", "message"),
    [
        ("trials", Selection(categories=("clarification",)), "a cell has no category"),
        ("history", Selection(items=("renew-loan",)), "see history-cells"),
        ("history-cells", Selection(categories=("clarification",)), "see history"),
        ("history", Selection(channels=Path("channels.toml")), "they are for routing"),
    ],
)
def test_a_filter_that_means_nothing_is_refused(
    samples: Path, name: str, asked: Selection, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        tables.build(samples, name, asked)
