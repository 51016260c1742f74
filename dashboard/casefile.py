"""One trial as a page: head, siblings, turns, what holds for all of it, and its definition."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from dashboard import (
    criteria,
    jsontree,
    runtable,
    siblings,
    story,
    ticket,
    traces,
    turnrail,
    wording,
)
from dashboard.casebook import Case
from dashboard.criteria import Node
from dashboard.jsontree import Budget
from dashboard.link import CaseLink, RawLink
from dashboard.parts import Badge, Piece
from dashboard.runtable import Run
from dashboard.siblings import Sibling
from dashboard.story import Teller, TurnCard
from dashboard.turnrail import RailEntry
from dashboard.whole import Block, blocks

SAMPLE: Final = "sample-report"

Trial = Mapping[str, Any]


class Note(NamedTuple):
    """One fact about the trial that a reader must know first."""

    mark: str
    tone: str
    text: str
    code: str | None = None


class Whole(NamedTuple):
    """What holds for the trial and not for one of its turns."""

    title: str
    heading: str
    criteria: list[Node]
    remark: str
    blocks: list[Block]


class Definition(NamedTuple):
    """What the report says the item is."""

    description: str | None
    facts: list[tuple[str, str]]
    parts: list[story.Part]


class Page(NamedTuple):
    """All that the template of a case draws."""

    siblings: list[Sibling]
    siblings_more: str
    notes: list[Note]
    rail: list[RailEntry]
    turns: list[TurnCard]
    whole: Whole
    definition: Definition
    copy: str


def page(found: Case, link: CaseLink, run: Run) -> Page:
    """Return a trial as it is drawn."""
    trial = found.trial.row(0, named=True)
    checks = list(found.tree.iter_rows(named=True))
    payloads = {row["turn"]: row for row in found.payloads.iter_rows(named=True)}
    teller = Teller(link, Budget())
    cards = [
        teller.card(
            turn,
            payloads.get(turn["turn"]),
            payloads.get(turn["turn"] - 1),
            criteria.trees(one for one in checks if one["turn"] == turn["turn"]),
        )
        for turn in found.turns.iter_rows(named=True)
    ]
    context = _context(found, trial, run)
    for card in cards:
        _copied(card.criteria, link, f"{card.title} · {context}")
    whole = _whole(found, trial, run, criteria.trees(one for one in checks if one["turn"] is None))
    _copied(whole.criteria, link, f"{whole.title} · {context}")
    copies = [_turn(card, context) for card in cards]
    cards = [
        card._replace(copy=copy, href=f"{link.but(find=None).href}#{card.anchor}")
        for card, copy in zip(cards, copies, strict=True)
    ]
    title, says, _ = head(found, run)
    told = [copy for card, copy in zip(cards, copies, strict=True) if _unmet(card.criteria)]
    told += [node.copy for node in _unmet(whole.criteria)]
    return Page(
        copy=ticket.case(title, says, told),
        siblings=siblings.listed(found.siblings, trial["trial"]),
        siblings_more=siblings.more(found.siblings.height),
        notes=list(_notes(trial)),
        rail=turnrail.rail(cards, whole.criteria, whole.title.lower()),
        turns=cards,
        whole=whole,
        definition=_definition(found, trial),
    )


def _context(found: Case, trial: Trial, run: Run) -> str:
    parts = [
        trial["item"],
        traces.variants(trial["variants"]),
        _repetition(trial, found.siblings.height),
        runtable.suite(run),
        run["subject"] or "no subject",
    ]
    return " · ".join(ticket.plain(part) for part in parts if part)


def _copied(nodes: Iterable[Node], link: CaseLink, context: str) -> None:
    """Give every criterion its address and, where it was not met, its text for a ticket."""
    for node in _unmet(nodes):
        node.href = f"{link.but(find=None).href}#{node.anchor}"
        node.copy = ticket.criterion(node, context)
        position = int(node.anchor.removeprefix("c"))
        node.raw = RawLink(case=link.case, part="criterion", position=position).href


def _unmet(nodes: Iterable[Node]) -> list[Node]:
    return [node for node in nodes if node.word != wording.SIGNS["passed"].word]


def _turn(card: TurnCard, context: str) -> str:
    said = [
        (row.name, "".join(text for text, _ in row.pieces)) for row in card.said if row.tree is None
    ]
    return ticket.turn(card.title, said, card.criteria, context)


def head(found: Case, run: Run) -> tuple[str, list[Piece], list[Badge]]:
    """Return the title of the page, the line beside it, and its remarks."""
    trial = found.trial.row(0, named=True)
    item = found.item.row(0, named=True) if found.item.height else {}
    sign = wording.sign(trial["outcome"])
    says = [
        Piece(f"{sign.mark} {sign.word}", strong=True, tone=sign.tone),
        Piece(_repetition(trial, found.siblings.height)),
    ]
    if chosen := traces.variants(trial["variants"]):
        says.append(Piece(chosen))
    says.append(Piece(runtable.suite(run), tone="dim"))
    says.append(Piece(run["subject"] or "no subject", tone="dim"))
    badges = [Badge("superseded run", "warn")] if run["superseded_by"] else []
    badges += runtable.incomplete(run)
    return item.get("name") or trial["item"], says, badges


def _repetition(trial: Trial, siblings: int) -> str:
    if trial["repetition"] is None:
        return "no repetition recorded"
    return f"repetition {trial['repetition'] + 1} of {max(siblings, trial['repetition'] + 1)}"


def _notes(trial: Trial) -> Iterable[Note]:
    sign = wording.sign(trial["outcome"])
    if trial["error_code"] is not None:
        where = {"trial": "the trial", "turn": "a turn"}.get(trial["error_scope"], "a criterion")
        yield Note("!", "err", f"The report gives {where} the error code", trial["error_code"])
    if trial["bound_reached"]:
        bound = wording.BOUND
        yield Note(bound.mark, bound.tone, "Stopped by the bound", trial["bound_reached"])
    if trial["reason"]:
        yield Note(sign.mark, sign.tone, trial["reason"])
    if trial["native_status"] not in {None, trial["outcome"]}:
        yield Note(sign.mark, sign.tone, "The report calls this", trial["native_status"])
    if trial["unfinished"]:
        text = "Cut short: what a check looks for in later steps may only be missing."
        yield Note(wording.BOUND.mark, wording.BOUND.tone, text)


def _whole(found: Case, trial: Trial, run: Run, nodes: list[Node]) -> Whole:
    kinds = {
        SAMPLE: ("The sample", "Failures"),
        "trial-row": ("The trial", "Checks"),
    }
    title, heading = kinds.get(run["format"], ("Whole case", "Criteria of the whole case"))
    return Whole(title, heading, nodes, _remark(trial, run, nodes), blocks(found, trial))


def _remark(trial: Trial, run: Run, nodes: list[Node]) -> str:
    if nodes:
        return ""
    if run["format"] == SAMPLE:
        return "No expectation failed." if trial["graded"] else "Nothing was measured."
    if run["format"] == "trial-row":
        return "No check was recorded."
    return "" if trial["turns"] else "No turn was recorded and no criterion was evaluated."


def _definition(found: Case, trial: Trial) -> Definition:
    item: Mapping[str, Any] = found.item.row(0, named=True) if found.item.height else {}
    facts = [
        ("item", trial["item"]),
        ("tags", ", ".join(item.get("tags") or []) or wording.NOTHING),
        ("write policy", item.get("write_policy")),
        ("steps", " → ".join(item.get("steps") or [])),
        ("skip reason", item.get("skip_reason")),
        ("case id", trial["native_id"]),
        ("thread", trial["thread"]),
        ("place in the file", trial["place"]),
    ]
    parts = []
    for name, text in (
        ("metadata", item.get("metadata")),
        ("members kept as written", trial["raw"]),
    ):
        tree = None if text is None else jsontree.build(jsontree.parse(text), Budget())
        if tree is not None:
            parts.append(story.Part(name, tree.brief, tree, open=True))
    return Definition(
        item.get("description"), [(name, value) for name, value in facts if value], parts
    )
