"""The rail of a case: every turn with how it ended and how long it took."""

from typing import NamedTuple

from dashboard import wording
from dashboard.criteria import Node
from dashboard.story import TurnCard


class RailEntry(NamedTuple):
    """One turn in the rail, with how it ended."""

    href: str
    mark: str
    word: str
    tone: str
    title: str
    note: str
    current: bool = False


def rail(cards: list[TurnCard], whole: list[Node], heading: str) -> list[RailEntry]:
    """Return the entries of the rail: every turn, then the whole case."""
    entries = [
        RailEntry(
            f"#{card.anchor}",
            *_ended(card.outcome, card.criteria),
            card.title.removeprefix("Turn ") if " · " in card.title else card.title,
            wording.duration(card.duration),
        )
        for card in cards
    ]
    if whole or not cards:
        entries.append(RailEntry("#whole", *_ended(None, whole), heading, ""))
    return entries


def _ended(status: str | None, nodes: list[Node]) -> wording.Sign:
    """How a turn ended: by its own status, else by the worst of its criteria."""
    if status is not None:
        return wording.sign(status)
    words = {node.word for node in nodes}
    for outcome in ("error", "failed", "passed"):
        if wording.SIGNS[outcome].word in words:
            return wording.SIGNS[outcome]
    return wording.UNRECORDED
