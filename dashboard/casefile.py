"""One trial as a page: head, siblings, turns, what holds for all of it, and its definition."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import criteria, groups, jsontree, runtable, story, wording
from dashboard.casebook import Case
from dashboard.criteria import Node
from dashboard.jsontree import Budget
from dashboard.link import CaseLink
from dashboard.parts import Badge, Piece, Tool
from dashboard.runtable import Run
from dashboard.story import RailEntry, Teller, TurnCard
from dashboard.whole import Block, blocks
from ingest.records import trial_name

MOST_SIBLINGS: Final = 60
SAMPLE: Final = "sample-report"

Trial = Mapping[str, Any]


class Sibling(NamedTuple):
    """One repetition of the same cell."""

    href: str
    outcome: str
    name: str
    title: str
    current: bool


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
            criteria.trees(one for one in checks if one["turn"] == turn["turn"]),
        )
        for turn in found.turns.iter_rows(named=True)
    ]
    whole = _whole(found, trial, run, criteria.trees(one for one in checks if one["turn"] is None))
    return Page(
        siblings=_siblings(found.siblings, trial["trial"]),
        siblings_more=_more(found.siblings.height - MOST_SIBLINGS),
        notes=list(_notes(trial)),
        rail=story.rail(cards, whole.criteria, whole.title.lower()),
        turns=cards,
        whole=whole,
        definition=_definition(found, trial),
    )


def head(found: Case, run: Run) -> tuple[str, list[Piece], list[Badge]]:
    """Return the title of the page, the line beside it, and its remarks."""
    trial = found.trial.row(0, named=True)
    item = found.item.row(0, named=True) if found.item.height else {}
    sign = wording.sign(trial["outcome"])
    says = [
        Piece(f"{sign.mark} {sign.word}", strong=True, tone=sign.tone),
        Piece(_repetition(trial, found.siblings.height)),
    ]
    if chosen := groups.variants(trial["variants"]):
        says.append(Piece(chosen))
    says.append(Piece(runtable.suite(run), tone="dim"))
    says.append(Piece(run["subject"] or "no subject", tone="dim"))
    badges = [Badge("superseded run", "warn")] if run["superseded_by"] else []
    return item.get("name") or trial["item"], says, badges


def _repetition(trial: Trial, siblings: int) -> str:
    if trial["repetition"] is None:
        return "no repetition recorded"
    return f"repetition {trial['repetition'] + 1} of {max(siblings, trial['repetition'] + 1)}"


def tools(failed: Sequence[int], trial: int) -> list[Tool]:
    """Return links to the failed trials of the run before and after this one."""
    before, after = bisect_left(failed, trial), bisect_right(failed, trial)
    previous = failed[before - 1] if before else None
    following = failed[after] if after < len(failed) else None
    return [
        _tool("← previous failed", previous, "p"),
        _tool("next failed →", following, "n"),
    ]


def _tool(text: str, trial: int | None, key: str) -> Tool:
    return Tool(text, None if trial is None else CaseLink(case=trial_name(trial)).href, key)


def _siblings(siblings: pl.DataFrame, trial: int) -> list[Sibling]:
    shown = siblings.sort("repetition", "trial_number", nulls_last=True).head(MOST_SIBLINGS)
    return [
        Sibling(
            CaseLink(case=row["trial"]).href,
            row["outcome"],
            str(place if row["repetition"] is None else row["repetition"] + 1),
            f"repetition {place if row['repetition'] is None else row['repetition'] + 1}: "
            + wording.sign(row["outcome"]).word,
            row["trial_number"] == trial,
        )
        for place, row in enumerate(shown.iter_rows(named=True), start=1)
    ]


def _more(over: int) -> str:
    return f"and {wording.count(over)} more" if over > 0 else ""


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
