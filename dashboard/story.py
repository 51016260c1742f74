"""The turns of a trial in order, each as an exchange: what was said, observed and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from dashboard import boundaries, changes, jsontree, known, wording
from dashboard.boundaries import Walk
from dashboard.changes import Changes
from dashboard.criteria import Node
from dashboard.jsontree import Budget, Members, Pieces, Value
from dashboard.link import CaseLink, RawLink

LARGE: Final = 256_000
"""Bytes of a turn above which its observation is drawn only when it is asked for."""

_ANSWERS: Final = (
    ("response", "message"),
    ("response", "text"),
    ("response",),
    ("message",),
    ("answer",),
    ("output",),
    ("text",),
)
_QUESTIONS: Final = (("text",), ("message",), ("prompt",), ("command",))
_COMMAND: Final = frozenset({"stdout", "stderr"})


class Said(NamedTuple):
    """One line of an exchange: a text in pieces, or a tree."""

    name: str
    pieces: Pieces
    tone: str = ""
    tree: jsontree.Node | None = None


class Part(NamedTuple):
    """One recorded value that opens."""

    name: str
    brief: str
    tree: jsontree.Node
    open: bool
    raw: str = ""


class Remark(NamedTuple):
    """A sentence, with an address to go on to."""

    text: str
    href: str = ""
    link: str = ""


class TurnCard(NamedTuple):
    """One turn as it is drawn."""

    anchor: str
    title: str
    duration: int | None
    outcome: str | None
    error_code: str | None
    said: list[Said]
    parts: list[Part]
    parts_note: Remark | None
    criteria: list[Node]
    remark: str
    changed: Changes | None = None
    walk: Walk | None = None
    copy: str = ""
    href: str = ""


@dataclass(frozen=True)
class Teller:
    """Draws the turns of one trial within one budget of nodes."""

    link: CaseLink
    budget: Budget

    def card(
        self,
        turn: Mapping[str, Any],
        payload: Mapping[str, Any] | None,
        before: Mapping[str, Any] | None,
        checks: list[Node],
    ) -> TurnCard:
        """Return a turn as it is drawn; without its payload it says how to see it."""
        observed = payload["observation"] if payload else None
        observation = None if observed is None else jsontree.parse(observed)
        told = _text(observation) or _is_command(observation)
        parts = [] if told else self._parts(turn, payload)
        return TurnCard(
            anchor=f"turn-{turn['turn'] + 1}",
            title=title(turn),
            duration=turn["duration_ms"],
            outcome=turn["status"],
            error_code=turn["error_code"],
            said=[*self._asked(turn["input"]), *self._answered(observation), *_known(observation)],
            parts=parts,
            parts_note=None if told else self._note(turn, payload, parts),
            criteria=checks,
            remark="" if checks or told else "No criterion was evaluated on this turn.",
            changed=self._changed(turn, observation, before),
            walk=_walk(turn, observation, checks),
        )

    def _changed(
        self, turn: Mapping[str, Any], value: Value, before: Mapping[str, Any] | None
    ) -> Changes | None:
        if not self.link.changes or value is None:
            return None
        if before is None or before["observation"] is None:
            return None
        return changes.between(jsontree.parse(before["observation"]), value, f"turn {turn['turn']}")

    def _mark(self, text: str) -> Pieces:
        return jsontree.mark(text, (self.link.find or "").lower())

    def _asked(self, text: str | None) -> list[Said]:
        if text is None:
            return []
        value = jsontree.parse(text)
        if _text(value):
            return [Said("input", self._mark(str(value)), "question")]
        question = next((at for at in _QUESTIONS if _text(jsontree.member(value, *at))), None)
        if question is None:
            return [self._tree("input", value)]
        said = [Said("input", self._mark(str(jsontree.member(value, *question))), "question")]
        if isinstance(value, Members):
            rest = [pair for pair in value.pairs if pair[0] != question[0]]
            said += [self._line(key, one) for key, one in rest]
        return said

    def _answered(self, value: Value) -> list[Said]:
        if _text(value):
            return [Said("answer", self._mark(str(value)), "answer")]
        if isinstance(value, Members) and _is_command(value):
            return [self._line(key, one) for key, one in value.pairs if key != "command"]
        for path in _ANSWERS:
            text = jsontree.member(value, *path)
            if _text(text):
                return [Said("response", self._mark(str(text)), "answer")]
        return []

    def _line(self, name: str, value: Value) -> Said:
        if isinstance(value, (Members, list)):
            return self._tree(name, value)
        text = jsontree.flat(value)
        tone = "m" if text else "none"
        return Said(name.replace("_", " "), self._mark(text or "(empty)"), tone)

    def _tree(self, name: str, value: Value) -> Said:
        tree = jsontree.build(value, self.budget)
        return Said(name.replace("_", " "), [], "m", tree)

    def _parts(self, turn: Mapping[str, Any], payload: Mapping[str, Any] | None) -> list[Part]:
        if payload is None or (turn["bytes"] > LARGE and self.link.turn != turn["turn"] + 1):
            return []
        parts = []
        for name in ("observation", "checkpoint"):
            if payload[name] is None:
                continue
            value = jsontree.parse(payload[name])
            tree = jsontree.build(value, self.budget, find=self.link.find or "")
            if tree is not None:
                opened = bool(self.link.find) or self.link.turn == turn["turn"] + 1
                brief = (
                    wording.plural(tree.found, "match", "matches") if self.link.find else tree.brief
                )
                raw = RawLink(case=self.link.case, turn=turn["turn"] + 1, part=name).href
                parts.append(Part(name, brief, tree, opened, raw))
        return parts

    def _note(
        self, turn: Mapping[str, Any], payload: Mapping[str, Any] | None, parts: list[Part]
    ) -> Remark | None:
        if not turn["observed"]:
            return Remark("No observation was recorded.")
        if payload is None or (not parts and turn["bytes"] > LARGE):
            number = turn["turn"] + 1
            address = f"{self.link.but(turn=number).href}#turn-{number}"
            return Remark(f"The observation has {wording.size(turn['bytes'])}.", address, "Show it")
        if not parts and self.link.find:
            return Remark("Nothing in the observation matches.")
        return None


def _known(observation: Value) -> list[Said]:
    return [Said(name, [(text, False)], "m") for name, text in known.lines(observation)]


def _walk(turn: Mapping[str, Any], observation: Value, checks: list[Node]) -> Walk | None:
    """Return the boundaries of a turn that failed, where there is evidence to walk along."""
    failed = any(node.word == wording.SIGNS["failed"].word for node in checks)
    if not failed or jsontree.member(observation, "events") is None:
        return None
    return boundaries.walk(turn, observation)


def title(turn: Mapping[str, Any]) -> str:
    """Return how a turn is called: its number, counted from one, and its step."""
    number = f"Turn {turn['turn'] + 1}"
    return f"{number} · {turn['step']}" if turn["step"] else number


def _is_command(value: Value) -> bool:
    """Whether this is what a command printed."""
    return isinstance(value, Members) and {name for name, _ in value.pairs} >= _COMMAND


def _text(value: Value) -> bool:
    return isinstance(value, str) and not isinstance(value, jsontree.Number)
