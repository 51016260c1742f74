"""The groups of one list as they are drawn: evidence, cells, and a mark for every repetition."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import criteria, jsontree, triage, wording
from dashboard.link import CaseLink, FailuresLink, ReliabilityLink, anchor
from ingest.records import trial_name

TIMES: Final = "\N{MULTIPLICATION SIGN}"
MOST_GROUPS: Final = 40
MOST_CAUSES: Final = 8
MOST_CELLS: Final = 12
MOST_MARKS: Final = 40
_LINE: Final = 400

Row = Mapping[str, Any]


class Mark(NamedTuple):
    """One repetition of a cell."""

    mark: str
    title: str
    href: str | None


class CellLine(NamedTuple):
    """One cell that a cause hit."""

    anchor: str
    item: str
    variants: str
    run: str
    href: str
    reps: list[Mark]
    says: str


class Evidence(NamedTuple):
    """What was found, in how many places, and where."""

    lines: list[tuple[str, str]]
    size: str
    cells: list[CellLine]
    more: str


class Group(NamedTuple):
    """One criterion, code or end, with everything that came of it."""

    anchor: str
    kind: str
    name: str
    label: str | None
    detail: str
    size: str
    category: str | None
    rule: str | None
    rule_href: str
    evidence: list[Evidence]
    more: str
    open: bool


@dataclass(frozen=True)
class Drawer:
    """Draws the groups of one list."""

    link: FailuresLink
    hits: pl.DataFrame
    trials: pl.DataFrame
    names: Mapping[str, str]
    """Subject and suite of each run."""

    def groups(self, ranked: pl.DataFrame, *, first: bool) -> list[Group]:
        """Return the drawn groups of one page of the list; the first of all is open."""
        return [
            self._group(row, opened=first and place == 0)
            for place, row in enumerate(ranked.iter_rows(named=True))
        ]

    def _group(self, group: Row, *, opened: bool) -> Group:
        mine = self.hits.filter(
            pl.all_horizontal(pl.col(name) == group[name] for name in triage.GROUP)
        )
        causes = mine.group_by("cause", maintain_order=True).agg(pl.len().alias("hits"))
        causes = causes.sort("hits", descending=True, maintain_order=True)
        hidden = causes.height - MOST_CAUSES
        place = anchor("g", *(group[name] for name in triage.GROUP))
        rule = group["rule"]
        return Group(
            anchor=place,
            kind=wording.category(group["kind"]),
            name=group["name"],
            label=group["label"] if group["label"] != group["name"] else None,
            detail=group["detail"],
            size=_size(group["hits"], group["trials"], group["cells"]),
            rule=rule,
            category=group["category"],
            rule_href=f"{ReliabilityLink(run=self.link.run).href}#{anchor('rule', rule)}",
            evidence=[
                self._evidence(place, mine.filter(pl.col("cause").eq_missing(cause)))
                for cause in causes["cause"].head(MOST_CAUSES)
            ],
            more=f"{wording.plural(hidden, 'more cause')} of this; search or filter to see them."
            if hidden > 0
            else "",
            open=opened,
        )

    def _evidence(self, place: str, hits: pl.DataFrame) -> Evidence:
        cell = ["run", "item", "variants"]
        cells = hits.select(cell).unique(maintain_order=True)
        hidden = cells.height - MOST_CELLS
        shown = cells.head(MOST_CELLS)
        return Evidence(
            lines=list(_lines(hits.row(0, named=True))),
            size=f"{wording.count(hits.height)}{TIMES} in {wording.plural(cells.height, 'cell')}",
            cells=[
                self._cell(place, row, hits.join(_only(row, cell), on=cell, how="semi"))
                for row in shown.iter_rows(named=True)
            ],
            more=f"{wording.plural(hidden, 'more cell')}; choose an item to see its cells."
            if hidden > 0
            else "",
        )

    def _cell(self, place: str, cell: Row, hits: pl.DataFrame) -> CellLine:
        siblings = self.trials.join(_only(cell, list(cell)), on=list(cell), how="semi").sort(
            "repetition", "trial", nulls_last=True
        )
        hit = {row["trial_number"]: row for row in hits.iter_rows(named=True)}
        marks = [
            _mark(number, row, hit.get(row["trial"]))
            for number, row in enumerate(siblings.head(MOST_MARKS).iter_rows(named=True), start=1)
        ]
        names = ", ".join(mark.title for mark in marks if mark.href)
        return CellLine(
            anchor=anchor(place, *cell.values(), hits["cause"][0]),
            item=cell["item"],
            variants=variants(cell["variants"]),
            run=self.names.get(cell["run"], ""),
            href=_href(hits.row(0, named=True)),
            reps=marks,
            says=f"{names} of {len(marks)}",
        )


def _only(row: Row, columns: list[str]) -> pl.DataFrame:
    return pl.DataFrame({name: [row[name]] for name in columns})


def _mark(place: int, trial: Row, hit: Row | None) -> Mark:
    number = place if trial["repetition"] is None else trial["repetition"] + 1
    title = f"repetition {number}: {wording.sign(trial['outcome']).word}"
    if hit is not None:
        return Mark("●", title, _href(hit))
    return Mark("○" if trial["graded"] else "◌", title, None)


def _href(hit: Row) -> str:
    address = CaseLink(case=trial_name(hit["trial_number"])).href
    position = hit.get("position")
    return address if position is None else f"{address}#c{position}"


def _size(hits: int, trials: int, cells: int) -> str:
    text = wording.plural(trials, "trial")
    if hits != trials:
        text = f"{wording.count(hits)}{TIMES} in {text}"
    return f"{text}, {wording.plural(cells, 'cell')}"


def variants(text: str) -> str:
    """Return the chosen variants of a cell as step=variant."""
    chosen = jsontree.parse(text)
    if not isinstance(chosen, jsontree.Members):
        return ""
    return " · ".join(f"{step}={jsontree.flat(variant)}" for step, variant in chosen.pairs)


def _lines(hit: Row) -> Iterator[tuple[str, str]]:
    """Return the evidence of a hit, one name and one short text a line."""
    expected = None if hit.get("expected") is None else jsontree.parse(hit["expected"])
    evaluator = hit.get("evaluator") or jsontree.member(expected, "evaluator")
    leaves = hit.get("decisive") or []
    if hit.get("reason"):
        yield "reason", _short(hit["reason"])
    if len(leaves) > 1:
        for leaf in leaves[:MOST_CAUSES]:
            yield "decided by", leaf["path"] + (" (passed, under a not)" if leaf["negated"] else "")
    elif evaluator:
        said = "broke" if hit.get("errored") else "said no"
        yield "evaluator", f"{jsontree.flat(evaluator)} {said}"
    elif leaves and not hit.get("errored"):
        yield from _compared(hit, expected)


def _compared(hit: Row, expected: jsontree.Value) -> Iterator[tuple[str, str]]:
    if hit["expected"] is None and hit["actual"] is None:
        return
    (leaf, *_) = hit["decisive"]
    where = " ".join(part for part in (criteria.pointer(hit["target"]), hit["operator"]) if part)
    if where or "/" in leaf["path"]:
        yield "at", where or leaf["path"]
    if hit["expected"] is not None:
        yield "not expected" if leaf["negated"] else "expected", _short(jsontree.flat(expected))
    actual = hit["actual"]
    got = "nothing at that path" if actual is None else jsontree.flat(jsontree.parse(actual))
    yield "got", _short(got)


def _short(text: str) -> str:
    over = len(text) - _LINE
    return text if over <= 0 else f"{text[:_LINE]}… {wording.plural(over, 'more character')}"


class TabLine(NamedTuple):
    """One list to choose, with how much it holds."""

    title: str
    number: int
    href: str
    current: bool


def tabs(found: triage.Lists, link: FailuresLink) -> list[TabLine]:
    """Return the lists to choose from."""
    return [
        TabLine(
            title,
            triage.of(found, tab).height,
            link.but(tab=tab, page=1).href,
            tab == link.tab,
        )
        for tab, title in triage.TITLES.items()
    ]
