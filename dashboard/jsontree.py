"""A JSON value as a tree that a page can draw: exact numbers, searched, and cut where it says so.

Numbers keep the characters of the report, and a member that is there twice is shown twice.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from dashboard import wording

MOST_NODES: Final = 3000
MOST_CHILDREN: Final = 200
MOST_CHARACTERS: Final = 1500
DEEPEST: Final = 60
_BRIEF: Final = 72

Pieces = list[tuple[str, bool]]
"""Text in pieces, each with whether it is what was searched for."""


class Number(str):
    """A number or one of JSON's literals, with the characters it was written in."""

    __slots__ = ()


class Members(NamedTuple):
    """The members of an object, in order and with repeats."""

    pairs: list[tuple[str, "Value"]]


Value = str | Number | bool | None | list["Value"] | Members


@dataclass(slots=True)
class Node:
    """One value of the tree; a value without children is a leaf."""

    key: Pieces | None
    tone: str = ""
    value: Pieces = field(default_factory=list)
    brief: str = ""
    children: list["Node"] | None = None
    more: str = ""
    open: bool = False
    found: int = 0


class Budget:
    """How many nodes one page may still draw."""

    def __init__(self, nodes: int = MOST_NODES) -> None:
        """Start with a number of nodes."""
        self.left = nodes

    def take(self) -> bool:
        """Use one node; false when there is none left."""
        self.left -= 1
        return self.left >= 0


def parse(text: str) -> Value:
    """Return JSON as values that lose nothing; text that is no JSON stays text."""
    try:
        parsed: Value = json.loads(
            text,
            parse_int=Number,
            parse_float=Number,
            parse_constant=Number,
            object_pairs_hook=Members,
        )
    except (ValueError, RecursionError):
        return text
    return parsed


def member(value: Value, *path: str) -> Value:
    """Return what is at a path of member names, null where there is nothing."""
    for name in path:
        pairs = value.pairs if isinstance(value, Members) else []
        value = next((one for key, one in pairs if key == name), None)
    return value


def flat(value: Value) -> str:
    """Return a value on one line, as it would be written in JSON, a text without its quotes."""
    return str(value) if isinstance(value, str) else "".join(_written(value))


def _written(value: Value) -> Iterator[str]:
    if isinstance(value, Members):
        yield "{"
        for place, (key, one) in enumerate(value.pairs):
            yield f"{', ' if place else ''}{json.dumps(key, ensure_ascii=False)}: "
            yield from _written(one)
        yield "}"
    elif isinstance(value, list):
        yield "["
        for place, one in enumerate(value):
            yield ", " if place else ""
            yield from _written(one)
        yield "]"
    else:
        yield str(value) if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def mark(text: str, needle: str) -> Pieces:
    """Return text in pieces, those that were searched for marked, upper and lower case alike."""
    if not needle:
        return [(text, False)]
    pieces: Pieces = []
    lower, start = text.lower(), 0
    if len(lower) != len(text):  # a few letters change their length with their case
        return [(text, needle in lower)]
    while (at := lower.find(needle, start)) >= 0:
        pieces += [(text[start:at], False), (text[at : at + len(needle)], True)]
        start = at + len(needle)
    pieces.append((text[start:], False))
    return [piece for piece in pieces if piece[0]]


def cut(text: str) -> tuple[str, str]:
    """Return the beginning of a long text, and in words how much was cut."""
    over = len(text) - MOST_CHARACTERS
    if over <= 0:
        return text, ""
    return text[:MOST_CHARACTERS], f"… {wording.plural(over, 'more character')}"


def build(value: Value, budget: Budget, *, find: str = "", key: str | None = None) -> Node | None:
    """Return the tree of a value, or null when nothing in it is what was searched for."""
    return _node(value, key, budget, find.lower(), 0)


def _node(value: Value, key: str | None, budget: Budget, needle: str, depth: int) -> Node | None:
    here = key is not None and bool(needle) and needle in key.lower()
    node = Node(mark(key, needle) if key is not None else None, found=int(here))
    if isinstance(value, (Members, list)):
        _grow(node, value, budget, "" if here else needle, depth)
        node.open = bool(node.found) if needle else depth == 0
    else:
        _leaf(node, value, needle)
    return node if node.found or not needle else None


def _grow(
    node: Node, value: Members | list[Value], budget: Budget, needle: str, depth: int
) -> None:
    pairs = _pairs(value)
    node.brief, node.children = brief(value), []
    if depth >= DEEPEST:
        node.more = f"nested deeper than {DEEPEST} levels"
        return
    for place, (key, one) in enumerate(pairs):
        if len(node.children) >= MOST_CHILDREN or not budget.take():
            node.more = f"{wording.count(len(pairs) - place)} more, search to find them"
            return
        child = _node(one, key, budget, needle, depth + 1)
        if child is None:
            budget.left += 1
        else:
            node.found += child.found
            node.children.append(child)
    hidden = len(pairs) - len(node.children)
    if hidden and depth == 0:
        node.more = f"and {wording.plural(hidden, 'member')} without a match"


def _pairs(value: Members | list[Value]) -> Sequence[tuple[str, Value]]:
    if isinstance(value, Members):
        return value.pairs
    return [(str(place), one) for place, one in enumerate(value)]


def brief(value: Members | list[Value]) -> str:
    """Return how much an object or a list holds, and the first names of an object."""
    if isinstance(value, list):
        return f"[{wording.count(len(value))}]"
    names = ", ".join(key for key, _ in value.pairs[:12])
    names = names if len(names) <= _BRIEF else names[: _BRIEF - 1] + "…"
    return f"{{{wording.count(len(value.pairs))}}} {names}".rstrip()


def _leaf(node: Node, value: Value, needle: str) -> None:
    literal = isinstance(value, (bool, Number)) or value is None
    text, node.more = cut(flat(value))
    node.tone = ("num" if isinstance(value, Number) else "lit") if literal else "s"
    node.value = mark(text, needle) if text or literal else [("″″", False)]
    node.found += bool(needle) and needle in flat(value).lower()
