"""Two trials of one cell as a page: which stand beside which, and how their turns are drawn."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import polars as pl

from dashboard import criteria, jsontree, sidebyside, wording
from dashboard import parting as words
from dashboard.criteria import Node
from dashboard.link import CaseLink, DivergenceLink
from dashboard.masks import Mask
from dashboard.pairbook import Pair, Parting, Row
from dashboard.runtable import Run
from dashboard.sidebyside import Comparison, Shown
from ingest.records import trial_name

MOST_PATHS: Final = 8
_LONGEST: Final = 160
_PARTS: Final = ("input", "observation")


class Column(NamedTuple):
    """What stands at the head of one side."""

    outcome: str
    title: str
    detail: str
    href: str


class Place(NamedTuple):
    """One path that differs, with both values."""

    part: str
    path: str
    other: str
    own: str


class Part(NamedTuple):
    """One part of a turn, side by side."""

    name: str
    comparison: Comparison | None
    says: str


class Verdict(NamedTuple):
    """One criterion of the turn with how it ended on either side."""

    name: str
    other: str
    own: str
    differs: bool


class Step(NamedTuple):
    """One turn to go to."""

    title: str
    href: str
    current: bool
    first: bool


class Page(NamedTuple):
    """All that the template draws."""

    columns: list[Column]
    says: str
    steps: list[Step]
    title: str
    places: list[Place]
    hidden: list[Place]
    more: str
    parts: list[Part]
    verdicts: list[Verdict]
    criteria: list[Node]


def page(
    pair: Pair,
    parting: Parting,
    link: DivergenceLink,
    sides: Sequence[tuple[Row, Run]],
    turn: int | None,
) -> Page:
    """Return the page; ``sides`` are the other trial and the own one, each with its run."""
    numbers = [row["trial"] for row, _ in sides]
    found = parting.found
    here = found is not None and found.turn == turn
    places = list(_places(parting)) if here else []
    shown = Shown(link.ids, link.spent, link.equal)
    return Page(
        columns=[_column(row, run, turn) for row, run in sides],
        says=words.says(parting),
        steps=list(_steps(parting, link, turn)),
        title="The whole case" if turn is None else f"Turn {turn + 1}",
        places=places[:MOST_PATHS],
        hidden=places[MOST_PATHS:],
        more=_more(parting) if here else "",
        parts=[] if turn is None else list(_parts(pair, parting, numbers, shown)),
        verdicts=list(_verdicts(pair.tree, numbers)),
        criteria=_unmet(pair.tree, numbers[1]),
    )


def _column(row: Row, run: Run, turn: int | None) -> Column:
    link = CaseLink(case=trial_name(row["trial"]))
    repetition = "" if row["repetition"] is None else f"repetition {row['repetition'] + 1}"
    place = "#whole" if turn is None else f"#turn-{turn + 1}"
    return Column(
        row["outcome"],
        repetition or link.case or "",
        f"{run['subject'] or 'no subject'} · {wording.moment(run['started_at'])}",
        f"{link.href}{place}",
    )


def _steps(parting: Parting, link: DivergenceLink, turn: int | None) -> Iterator[Step]:
    first = parting.found.turn if parting.found else -1
    for place in range(parting.turns):
        yield Step(str(place + 1), link.but(turn=place + 1).href, place == turn, place == first)


def _places(parting: Parting) -> Iterator[Place]:
    for path in words.telling(parting.found.paths) if parting.found else ():
        yield Place(
            path["part"], path["path"] or "/", _short(path["passing"]), _short(path["failing"])
        )


def _short(value: str | None) -> str:
    if value is None:
        return "nothing there"
    return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"


def _more(parting: Parting) -> str:
    more = parting.found.more if parting.found else 0
    return f"and {wording.plural(more, 'more place')}" if more else ""


def _parts(pair: Pair, parting: Parting, numbers: Sequence[int], shown: Shown) -> Iterator[Part]:
    rows = {row["trial"]: row for row in pair.turns.iter_rows(named=True)}
    masks = (Mask(), Mask())
    for name in _PARTS:
        left, right = (rows.get(trial, {}).get(name) for trial in numbers)
        if left is None and right is None:
            continue
        if left is None or right is None:
            there = "this case" if left is None else "the other trial"
            yield Part(name, None, f"Recorded only for {there}.")
            continue
        paths = [
            path["path"]
            for path in (parting.found.paths if parting.found else ())
            if path["part"] == name
        ]
        told = sidebyside.compare(jsontree.parse(left), jsontree.parse(right), shown, masks, paths)
        yield Part(name, told, told.note if told.differences else f"Equal. {told.note}".strip())


def _verdicts(tree: pl.DataFrame, numbers: Sequence[int]) -> Iterator[Verdict]:
    roots = tree.filter(pl.col("parent").is_null())
    ended: dict[str, dict[int, str]] = {}
    for row in roots.iter_rows(named=True):
        word = "error" if row["errored"] else "passed" if row["passed"] else "failed"
        ended.setdefault(row["criterion"], {})[row["trial"]] = word
    for name, by_trial in ended.items():
        left, right = (by_trial.get(trial, "") for trial in numbers)
        yield Verdict(name, left, right, left != right)


def _unmet(tree: pl.DataFrame, trial: int) -> list[Node]:
    own = tree.filter(pl.col("trial") == trial)
    nodes = criteria.trees(own.iter_rows(named=True))
    return [node for node in nodes if node.word != wording.SIGNS["passed"].word]
