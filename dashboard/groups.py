"""The groups of one list as they are drawn: evidence, cells, and a mark for every repetition."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import marks, ticket, traces, triage, wording
from dashboard.link import CaseLink, FailuresLink, ReliabilityLink, anchor
from dashboard.marks import Place
from ingest.records import trial_name
from ingest.subjects import Notes

TIMES: Final = "\N{MULTIPLICATION SIGN}"
MOST_GROUPS: Final = 40
MOST_CAUSES: Final = 8
MOST_CELLS: Final = 12
MOST_MARKS: Final = 40

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
    marks: list[str]
    mark_href: str
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
    marks: list[str]
    mark_href: str
    href: str
    copy: str


@dataclass(frozen=True)
class Drawer:
    """Draws the groups of one list."""

    link: FailuresLink
    hits: pl.DataFrame
    trials: pl.DataFrame
    names: Mapping[str, str]
    """Subject and suite of each run."""
    notes: Notes

    def groups(self, ranked: pl.DataFrame, *, first: bool) -> list[Group]:
        """Return the drawn groups of one page of the list; the first of all is open."""
        return [
            self._group(row, opened=first and place == 0)
            for place, row in enumerate(ranked.iter_rows(named=True))
        ]

    def _group(self, group: Row, *, opened: bool) -> Group:
        mine = triage.within(self.hits, group)
        causes = mine.group_by("cause", maintain_order=True).agg(pl.len().alias("hits"))
        causes = causes.sort("hits", descending=True, maintain_order=True)
        hidden = causes.height - MOST_CAUSES
        place = triage.anchor_of(group)
        marked = Place(tuple(mine["suite"].unique().sort()), group["name"], group["detail"])
        evidence = [
            self._evidence(place, marked, mine.filter(pl.col("cause").eq_missing(cause)))
            for cause in causes["cause"].head(MOST_CAUSES)
        ]
        size = _size(group["hits"], group["trials"], group["cells"])
        return Group(
            anchor=place,
            kind=wording.category(group["kind"]),
            name=group["name"],
            label=group["label"] if group["label"] != group["name"] else None,
            detail=group["detail"],
            size=size,
            rule=group["rule"],
            category=group["category"],
            rule_href=f"{ReliabilityLink(run=self.link.run).href}#{anchor('rule', group['rule'])}",
            evidence=evidence,
            more=f"{wording.plural(hidden, 'more cause')} of this; search or filter to see them."
            if hidden > 0
            else "",
            open=opened,
            **self._own(place, marked),
            href=f"{self._only(group).href}#{place}",
            copy=ticket.group(group["name"], _says(group, size), _causes(evidence)),
        )

    def _own(self, place: str, marked: Place) -> dict[str, Any]:
        """Return the marks of failures, and the address at which they are marked."""
        return {
            "marks": [marks.said(mark) for mark in marked.marks(self.notes)],
            "mark_href": self.link.but(marking=place).href,
        }

    def _only(self, group: Row) -> FailuresLink:
        """Return the address of one group, which says what the group is."""
        link = self.link.but(page=1, marking=None)
        if link.tab in {"failed", "errored"} and group["category"]:
            link = link.but(category=group["category"])
        return link.but(criterion=group["name"]) if link.tab == "failed" else link

    def _evidence(self, place: str, group: Place, hits: pl.DataFrame) -> Evidence:
        cell = ["run", "item", "variants"]
        cells = hits.select(cell).unique(maintain_order=True)
        hidden = cells.height - MOST_CELLS
        cause = hits["cause"][0] or ""
        shown = cells.head(MOST_CELLS)
        here = hits.join(shown, on=cell, how="semi").partition_by(cell, as_dict=True)
        beside = self.trials.join(shown, on=cell, how="semi").partition_by(cell, as_dict=True)
        return Evidence(
            **self._own(anchor(place, cause), group._replace(cause=cause)),
            lines=list(traces.lines(hits.row(0, named=True))),
            size=f"{wording.count(hits.height)}{TIMES} in {wording.plural(cells.height, 'cell')}",
            cells=[
                self._cell(place, row, here[tuple(row.values())], beside[tuple(row.values())])
                for row in shown.iter_rows(named=True)
            ],
            more=f"{wording.plural(hidden, 'more cell')}; choose an item to see its cells."
            if hidden > 0
            else "",
        )

    def _cell(self, place: str, cell: Row, hits: pl.DataFrame, siblings: pl.DataFrame) -> CellLine:
        siblings = siblings.sort("repetition", "trial", nulls_last=True)
        within = self.link.but(page=1, marking=None).text
        hit = {row["trial_number"]: row for row in hits.iter_rows(named=True)}
        marks = [
            _mark(number, row, hit.get(row["trial"]), within)
            for number, row in enumerate(siblings.head(MOST_MARKS).iter_rows(named=True), start=1)
        ]
        names = ", ".join(mark.title for mark in marks if mark.href)
        return CellLine(
            anchor=anchor(place, *cell.values(), hits["cause"][0]),
            item=cell["item"],
            variants=traces.variants(cell["variants"]),
            run=self.names.get(cell["run"], ""),
            href=_href(hits.row(0, named=True), within),
            reps=marks,
            says=f"{names} of {len(marks)}",
        )


def _mark(place: int, trial: Row, hit: Row | None, within: str) -> Mark:
    number = place if trial["repetition"] is None else trial["repetition"] + 1
    title = f"repetition {number}: {wording.sign(trial['outcome']).word}"
    if hit is not None:
        return Mark("●", title, _href(hit, within))
    return Mark("○" if trial["graded"] else "◌", title, None)


def _href(hit: Row, within: str) -> str:
    address = CaseLink(case=trial_name(hit["trial_number"]), within=within or None).href
    position = hit.get("position")
    return address if position is None else f"{address}#c{position}"


def _size(hits: int, trials: int, cells: int) -> str:
    text = wording.plural(trials, "trial")
    if hits != trials:
        text = f"{wording.count(hits)}{TIMES} in {text}"
    return f"{text}, {wording.plural(cells, 'cell')}"


def _says(group: Row, size: str) -> str:
    parts = [wording.category(group["kind"]), group["label"] or "", group["detail"], size]
    return " · ".join(part for part in parts if part)


def _causes(evidence: list[Evidence]) -> Iterator[tuple[list[tuple[str, str]], str]]:
    for one in evidence:
        cells = ", ".join(" ".join(filter(None, [cell.item, cell.variants])) for cell in one.cells)
        yield one.lines, f"{one.size}: {cells}"
