"""Every figure of the deciding pages is the command line's, value by value."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import wording
from queries.rules import CATEGORIES
from tests.dashboard.conftest import Opened
from tests.dashboard.equal import FILES, HISTORIES, Row, named, paged, tally
from tests.dashboard.reading import charts, markup, rows
from tests.dashboard.said import said
from tests.dashboard.stored import run_of


@pytest.mark.parametrize(("store", "file"), FILES)
def test_variance(opened: Opened, db: Path, file: str) -> None:
    run = run_of(db, file)
    found = said(db, "variance", "--run", run)
    page = opened(db, "variance", run=run)
    drawn = rows(markup(page), "Categories")
    cells = {row[0]: row[1:] for row, _ in paged(opened, db, "variance", "Cells", run=run)}

    assert {row[0]: row[1:] for row in drawn} == {
        wording.category(row["category"]): category(row) for row in found["categories"]
    }
    assert {name: [*row[:1], *row[2:]] for name, row in cells.items()} == {
        named(row): steadiness(row) for row in found["cells"]
    }
    for row in found["cells"]:
        marks = cells[named(row)][1].split()
        ways = [mark for mark in marks if mark.isalpha()]
        assert len(set(ways)) == min(row["distinct_behaviours"], len(ways))
    same_charts(page, found)


def points(value: float | None) -> str:
    return wording.NOTHING if value is None else f"{100 * value:.1f} pts"


def category(row: Row) -> list[str]:
    least, most = row["repetitions_least"], row["repetitions_most"]
    last = row["attempts"][-1] if row["attempts"] else None
    chances = (
        f"{wording.percent(last['any'])}, {wording.percent(last['all'])} at k = {last['k']}"
        if last
        else ""
    )
    return [
        str(row["cells"]),
        str(least) if least == most else f"{least} to {most}",
        *(str(row[name]) for name in ("always_passed", "never_passed", "mixed")),
        wording.percent(row["pair_disagreement"]),
        points(row["rerun_error"]),
        points(row["smallest_gap"]),
        wording.percent(row["item_share"]),
        row["reason"] or chances,
    ]


def steadiness(row: Row) -> list[str]:
    raw, masked = row["distinct_behaviours"], row["distinct_behaviours_masked"]
    limit = row["stable_so_far"]
    return [
        tally(row["passed"], row["measured"], row["ungraded"]),
        str(raw) if raw == masked else f"{raw} {masked}",
        wording.percent(row["pair_disagreement"]),
        "" if limit is None else wording.percent(limit),
        row["reason"] or "",
    ]


def same_charts(page: AppTest, found: Row) -> None:
    """The marks of the charts are the figures of the tables."""
    drawn = [mark for chart in charts(page) for mark in chart]
    known = [row for row in found["cells"] if row["pair_disagreement"] is not None]
    flakes = Counter((row["pass_rate"], row["pair_disagreement"]) for row in known)
    assert {(one["rate"], one["differ"]): one["cells"] for one in drawn if "rate" in one} == flakes
    curves = {
        (
            f"{wording.category(row['category'])} · {wording.plural(row['cells'], 'cell')}",
            step["k"],
        ): step
        for row in found["categories"]
        if len(row["attempts"] or ()) > 1
        for step in row["attempts"]
    }
    chances = {(one["panel"], one["k"]): one for one in drawn if "panel" in one}
    assert chances.keys() == curves.keys()
    for key, step in curves.items():
        assert (chances[key]["any"], chances[key]["all"]) == (step["any"], step["all"])


@pytest.mark.parametrize(("store", "file"), FILES)
def test_judges(opened: Opened, db: Path, file: str) -> None:
    run = run_of(db, file)
    found = said(db, "votes", "--run", run)
    for criterion in found["criteria"]:
        asked = {"run": run, "criterion": criterion["criterion"]}
        drawn = {row[0]: row for row, _ in paged(opened, db, "judges", "Items", **asked)}
        own = [row for row in found["items"] if row["criterion"] == criterion["criterion"]]
        assert drawn.keys() == {" ".join(row["item"].split()) for row in own}
        for row in own:
            assert drawn[" ".join(row["item"].split())][2:] == [
                f"{score(row['mean_score'])} over {row['judged']}",
                score(row["mean_vote_spread"]),
                *(str(row[name]) for name in ("straddling", "failed_votes")),
            ]
    table = {row[0]: row for row in rows(markup(opened(db, "judges", run=run)), "Judge criteria")}
    assert len(table) == len(found["criteria"])
    for row in found["criteria"]:
        (line,) = [
            one for name, one in table.items() if name.startswith(wording.spoken(row["criterion"]))
        ]
        assert line[1].startswith(f"{score(row['mean_score'])} over {row['judged']}")
        assert line[3].endswith(f"mean {score(row['mean_vote_spread'])}")
        assert line[4:8] == [
            f"{row['failed_votes']}/{row['votes']}",
            f"{row['straddling']}/{row['comparable']}",
            f"{row['below_shared']}, {row['below_split']}",
            row["alpha_reason"] or score(row["alpha"]),
        ]
        shares = (wording.percent(row[f"{name}_share"]) for name in ("item", "repetition", "vote"))
        named_shares = zip(("items", "repetitions", "votes"), shares, strict=True)
        told = " · ".join(f"{name} {share}" for name, share in named_shares)
        assert line[8] == (row["shares_reason"] or told)


def score(value: float | None) -> str:
    return wording.NOTHING if value is None else f"{value:.2f}"


@pytest.mark.parametrize(("store", "suite"), HISTORIES)
def test_history(opened: Opened, db: Path, suite: str) -> None:
    found = said(db, "history", suite)
    page = opened(db, "history", suite=suite)
    held = {(row["category"], row["run"]): row for row in found["categories"]}
    names = [
        name for name in CATEGORIES if any((name, row["run"]) in held for row in found["runs"])
    ]
    runs = rows(markup(page), "Runs")

    assert len(runs) == len(found["runs"])
    for line, row in zip(runs, found["runs"], strict=True):
        assert line[0].startswith(row["subject"] or "no subject")
        assert ("suspect" in line[0].split()) == row["suspect"]
        assert line[1:3] == [
            wording.moment(row["seen_at"]),
            tally(row["passed"], row["graded"], row["trials"] - row["graded"]),
        ]
        assert line[3:-1] == [category_held(held.get((name, row["run"]))) for name in names]
        assert line[-1] == "; ".join(row["breaks"])
    for row, line in strips(opened, db, suite, found):
        assert line[1] == (str(row["changes"]) if row["changes"] else "")
        assert line[2:-1] == board(row, found)
    same_history(page, found)


def category_held(row: Row | None) -> str:
    if row is None or row["rate"] is None:
        return wording.NOTHING
    basis = row["graded"] if row["covered"] is None else row["covered"]
    return f"{basis - row['failing_trials']}/{basis}"


def strips(opened: Opened, db: Path, suite: str, found: Row) -> Iterator[tuple[Row, list[str]]]:
    """The cells as the command gives them, each with its line on the page, in the same order."""
    drawn = [row for row, _ in paged(opened, db, "history", "Cells run by run", suite=suite)]
    assert [row[0] for row in drawn] == [named(row) for row in found["cells"]]
    yield from zip(found["cells"], drawn, strict=True)


def board(row: Row, found: Row) -> list[str]:
    """The marks of a cell over the runs that are read."""
    marks = {"passed": "✓", "failed": "✗", "ungraded": "○"}
    stood = {
        one["run"]: marks.get(one["state"], f"{one['passed']}/{one['measured']}")
        for one in row["runs"]
    }
    return [stood.get(one["run"], "") for one in found["runs"] if not one["suspect"]]


def same_history(page: AppTest, found: Row) -> None:
    """The marks of the chart are the rates and intervals of the runs."""
    drawn = [mark for chart in charts(page) for mark in chart]
    order = {row["run"]: row["order"] for row in found["runs"]}
    assert {
        (one["category"], one["order"]): (one["rate"], one["low"], one["high"], one["n"])
        for one in drawn
    } == {
        (wording.category(row["category"]), order[row["run"]]): (
            *(row[name] for name in ("rate", "again_low", "again_high")),
            category_held(row),
        )
        for row in found["categories"]
        if row["rate"] is not None
    }


@pytest.mark.parametrize(("store", "file"), FILES)
def test_trials(opened: Opened, db: Path, file: str) -> None:
    run = run_of(db, file)
    found = said(db, "trials", "--run", run)
    (plan,) = rows(markup(opened(db, "trials", run=run)), "Planned and observed")
    (about,) = found["runs"]

    assert plan[1:] == [
        *(str(about[name]) for name in ("planned", "trials")),
        f"{about['passed']}/{about['graded']}",
        *(
            str(about[name])
            for name in ("unmeasured", "skipped", "missing", "waiting", "duplicates")
        ),
        about["plan"],
    ]
    drawn = {row[0]: row[1] for row, _ in paged(opened, db, "trials", "Cells", run=run)}
    assert drawn.keys() == {named(row) for row in found["cells"]}
    for row in found["cells"]:
        line = drawn[named(row)]
        counts = tally(row["passed"], row["graded"], row["trials"] - row["graded"])
        own = [wording.sign(one["outcome"]).mark for one in row["repetitions"]]
        if line == "no trial":
            assert (row["planned"], own) == (0, [])
            continue
        marks = [mark for mark in line.removeprefix(f"{counts} ").split() if mark != "·"]
        assert line.startswith(counts)
        assert marks == own or (marks[:-1] == own[: len(marks) - 1] and marks[-1].startswith("+"))
