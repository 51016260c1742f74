"""The seven boundaries a turn crosses, each with the evidence the report has for it.

Input, model request, interpretation, plan, capabilities, committed state, published response: the
first at which something is wrong is where to look. What a report did not record is said so.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from dashboard import jsontree, wording
from dashboard.jsontree import Budget, Members, Node, Value

MOST_NODES: Final = 600
MOST_PIECES: Final = 12


class Rule(NamedTuple):
    """Where the evidence of a boundary stands: in events, and in members of the observation."""

    title: str
    question: str
    events: tuple[str, ...] = ()
    members: tuple[str, ...] = ()


RULES: Final = (
    Rule(
        "Submitted input",
        "Was it the intended variant, with the right selection?",
        members=("request",),
    ),
    Rule(
        "Model request",
        "Did the model get the conversation's context and the capabilities' guidance?",
        events=("context.built", "model.invoked", "model.failed"),
    ),
    Rule(
        "Interpretation",
        "Were the requested work and its references identified?",
        events=("capabilities.selected", "intention.interpreted", "model.completed"),
    ),
    Rule(
        "Plan",
        "Were the right operations and dependencies authorized?",
        events=("plan.created", "step.deferred"),
    ),
    Rule(
        "Capability inputs",
        "Did capabilities get the right inputs and return the expected evidence?",
        events=("step.started", "capability."),
    ),
    Rule(
        "Committed state",
        "Do facts, agenda, effects and interaction represent the right state?",
        events=("facts.reduced", "effect.", "agenda.", "interaction.", "state.committed"),
        members=("facts", "effects", "interaction", "checkpoint"),
    ),
    Rule(
        "Published response",
        "Does it reflect that state and its evidence?",
        events=("response.composed", "turn.completed", "turn.failed"),
        members=("response",),
    ),
)


class Piece(NamedTuple):
    """One piece of evidence."""

    name: str
    brief: str
    tree: Node | None


class Boundary(NamedTuple):
    """One boundary with what the report has for it."""

    title: str
    question: str
    pieces: list[Piece]
    more: str


class Walk(NamedTuple):
    """All boundaries of a turn."""

    recorded: int
    boundaries: list[Boundary]


def walk(turn: Mapping[str, Any], observation: Value) -> Walk:
    """Return the boundaries of a turn in the order in which it crosses them."""
    budget = Budget(MOST_NODES)
    found = [_boundary(rule, turn, observation, budget) for rule in RULES]
    return Walk(sum(bool(one.pieces) for one in found), found)


def _boundary(rule: Rule, turn: Mapping[str, Any], observation: Value, budget: Budget) -> Boundary:
    pieces = list(_pieces(rule, turn, observation))
    hidden = len(pieces) - MOST_PIECES
    return Boundary(
        rule.title,
        rule.question,
        [_piece(name, value, budget) for name, value in pieces[:MOST_PIECES]],
        f"and {wording.plural(hidden, 'more event')}" if hidden > 0 else "",
    )


def _pieces(rule: Rule, turn: Mapping[str, Any], observation: Value) -> Iterator[tuple[str, Value]]:
    if rule is RULES[0] and turn["input"] is not None:
        yield "input", jsontree.parse(turn["input"])
    events = jsontree.member(observation, "events")
    for event in events if isinstance(events, list) else []:
        kind = jsontree.flat(jsontree.member(event, "type"))
        if kind.startswith(rule.events) if rule.events else False:
            yield kind, jsontree.member(event, "data")
    members = observation.pairs if isinstance(observation, Members) else []
    for name, value in members:
        if name in rule.members:
            yield name, value


def _piece(name: str, value: Value, budget: Budget) -> Piece:
    if value is None:
        return Piece(name, "recorded, its content was not" if "." in name else "null", None)
    if not isinstance(value, (Members, list)):
        return Piece(name, jsontree.flat(value), None)
    tree = jsontree.build(value, budget)
    return Piece(name, jsontree.brief(value), tree)
