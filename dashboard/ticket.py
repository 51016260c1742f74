"""What is copied for a ticket: a criterion, turn, case, group or run with its evidence.

It is Markdown; what a report says is quoted as code, so that it is no markup where it is pasted.
The script that copies a text puts the address of the page under it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dashboard import wording
from dashboard.criteria import Node, Row
from dashboard.parts import Piece

MOST_CHARACTERS: Final = 6000
_BACKTICKS: Final = re.compile(r"`+")
_ACTING: Final = re.compile(r"([\\`*_\[\]<>#|~])")


def plain(text: str) -> str:
    """Return text on one line in which no character is Markdown."""
    return _ACTING.sub(r"\\\1", " ".join(text.split()))


def code(text: str) -> str:
    """Return text as code: on the line where it fits there, else as a block."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    if "\n" in text:
        fence = "`" * max(3, longest + 1)
        return f"\n{fence}\n{text}\n{fence}"
    fence = "`" * (longest + 1)
    return f"{fence}{text}{fence}" if longest == 0 and text else f"{fence} {text} {fence}"


def cut(text: str) -> str:
    """Return the beginning of a long text, with how much of it is left out."""
    over = len(text) - MOST_CHARACTERS
    if over <= 0:
        return text
    return f"{text[:MOST_CHARACTERS]}\n… {wording.plural(over, 'more character')}"


def criterion(node: Node, context: str) -> str:
    """Return a criterion with the leaves that decided it."""
    lines = [f"**{node.mark} {plain(node.id)}** {node.word} · {context}", ""]
    return cut("\n".join([*lines, *_tree(node, 0)]))


def _tree(node: Node, depth: int) -> Iterator[str]:
    told = [code(node.id), *filter(None, [node.joins, plain(node.test), node.role, node.remark])]
    label = f" “{plain(node.label)}”" if node.label else ""
    yield f"{'  ' * depth}- {node.mark} {' '.join(told)}{label}"
    for row in node.rows:
        yield f"{'  ' * (depth + 1)}- {row.name}: {code(_joined(row))}"
    for child in node.children:
        yield from _tree(child, depth + 1)


def _joined(row: Row) -> str:
    return " ".join(("".join(text for text, _ in row.pieces) + row.more).split("\n"))


def turn(title: str, said: Iterable[tuple[str, str]], nodes: Sequence[Node], context: str) -> str:
    """Return a turn: what was said, and the criteria that were not met."""
    lines = [f"**{plain(title)}** · {context}", ""]
    lines += [f"- {name}: {code(text)}" for name, text in said]
    for node in nodes:
        if node.word != wording.SIGNS["passed"].word:
            lines += _tree(node, 0)
    return cut("\n".join(lines))


def case(title: str, says: Sequence[Piece], turns: Iterable[str]) -> str:
    """Return a case with its turns."""
    head = " · ".join(plain(piece.text) for piece in says)
    return cut("\n\n".join([f"### {plain(title)}\n\n{head}", *turns]))


def group(name: str, says: str, causes: Iterable[tuple[Sequence[tuple[str, str]], str]]) -> str:
    """Return a group of failures with its causes and where each was found."""
    lines = [f"### {plain(name)}", "", plain(says), ""]
    for evidence, where in causes:
        lines.append(f"- {plain(where)}")
        lines += [f"  - {label}: {code(' '.join(text.split()))}" for label, text in evidence]
    return cut("\n".join(lines))


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table under a title."""
    lines = [f"### {plain(title)}", "", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    lines += [f"| {' | '.join(plain(cell) for cell in row)} |" for row in rows]
    return cut("\n".join(lines))
