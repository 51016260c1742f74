"""The criteria of a trial as trees to draw: what decided in colour, the rest as context."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import difference, jsontree, wording
from dashboard.difference import Pieces
from dashboard.jsontree import Members, Number, Value

Check = Mapping[str, Any]
"""A row of the figure ``cases.tree``."""

_INLINE: Final = 80
_DECISIVE: Final = "decisive"
_JOINS: Final = frozenset({"all", "any", "not"})


class Row(NamedTuple):
    """One line under a criterion: a name, and a value in pieces."""

    name: str
    pieces: Pieces
    tag: str = ""
    absent: bool = False
    more: str = ""


@dataclass(slots=True)
class Node:
    """One check of a criterion."""

    anchor: str
    mark: str
    tone: str
    word: str
    id: str
    label: str | None
    test: str
    joins: str
    role: str = ""
    role_tone: str = ""
    remark: str = ""
    decides: bool = False
    context: bool = False
    rows: list[Row] = field(default_factory=list)
    copy: str = ""
    href: str = ""
    raw: str = ""
    children: list["Node"] = field(default_factory=list)


def trees(checks: Iterable[Check]) -> list[Node]:
    """Return the criteria of a trial or of one of its turns: what failed or errored first."""
    nodes: dict[int, Node] = {}
    roots: list[tuple[bool, Node]] = []
    for check in checks:
        node = nodes[check["position"]] = _node(check)
        above = nodes.get(check["parent"]) if check["parent"] is not None else None
        if above is None:
            roots.append((check["passed"] and not check["errored"], node))
        else:
            above.children.append(node)
    return [node for _, node in sorted(roots, key=lambda root: root[0])]


def of_suite(tree: pl.DataFrame) -> list[Node]:
    """Return the criteria of a run's suite."""
    return trees(tree.iter_rows(named=True))


def _node(check: Check) -> Node:
    decides = check["role"] == "decisive"
    node = Node(
        anchor=f"c{check['position']}",
        mark="·" if check["role"] == "context" else _sign(check).mark,
        tone="ctx" if check["role"] == "context" else _sign(check).tone,
        word=_sign(check).word,
        id=check["id"],
        label=check["label"] if check["label"] != check["id"] else None,
        test=_test(check),
        joins=check["kind"] if check["kind"] in _JOINS else "",
        decides=decides,
        context=check["role"] == "context",
        remark=f"({check['note']})".replace("`", "″") if check["note"] and not decides else "",
    )
    if decides:
        _explain(node, check)
    if check["parent"] is None and node.role == _DECISIVE:
        node.role = ""
    return node


def _sign(check: Check) -> wording.Sign:
    if check["errored"]:
        return wording.SIGNS["error"]
    return wording.SIGNS["passed" if check["passed"] else "failed"]


def _explain(node: Node, check: Check) -> None:
    """Say what role a decisive leaf plays, and show what it compared."""
    if check["errored"]:
        node.role, node.role_tone = "the measurement broke", "err"
    elif check["passed"]:
        node.role, node.role_tone = "passed, so its negation fails", "fail"
        node.tone = "fail"
    else:
        node.role, node.role_tone = _DECISIVE, "fail"
    node.rows = _rows(check)


def _test(check: Check) -> str:
    """Return what a check looks at and how, and what it expects where nothing else shows that."""
    if check["evaluator"]:
        return f"evaluator {check['evaluator']}"
    parts = [pointer(check["target"]), check["operator"] or ""]
    if check["role"] != "decisive" and check["expected"] is not None:
        expected = jsontree.flat(jsontree.parse(check["expected"]))
        parts.append(expected if len(expected) <= _INLINE else expected[:_INLINE] + "…")
    return " ".join(part for part in parts if part)


def pointer(target: str | None) -> str:
    """Return an observation path as its names joined by slashes."""
    if target is None:
        return ""
    path = jsontree.parse(target)
    if not isinstance(path, list):
        return target
    return "/".join(jsontree.flat(name) for name in path) or "the whole observation"


def _rows(check: Check) -> list[Row]:
    rows = [
        _row(name.replace("_", " "), check[name])
        for name in ("error_code", "fault", "code")
        if check[name]
    ]
    if check["reason"]:
        rows.append(_row("reason", check["reason"]))
    if check["evidence"] is not None:
        rows += _members(jsontree.parse(check["evidence"]), "evidence")
    return rows if check["errored"] else rows + _compared(check)


def _compared(check: Check) -> list[Row]:
    expected = None if check["expected"] is None else jsontree.parse(check["expected"])
    if check["kind"] == "custom":
        parameters = jsontree.member(expected, "parameters")
        return [_row("parameters", jsontree.flat(parameters))] if parameters is not None else []
    if check["actual_present"] is None and check["actual"] is None and expected is None:
        return []
    actual = None if check["actual"] is None else jsontree.parse(check["actual"])
    if _is_text(expected) and _is_text(actual) and check["actual"] is not None:
        told = difference.words(str(expected), str(actual))
        return [_said("expected", told.expected, "ins"), _said("actual", told.actual, "del")]
    rows = [Row("expected", [("something at that path", False)], absent=True)]
    if check["expected"] is not None:
        rows = [_row("expected", jsontree.flat(expected), "ins")]
    elif check["operator"] == "absent":
        rows = [Row("expected", [("nothing at that path", False)], absent=True)]
    if check["actual"] is None:
        return [*rows, Row("actual", [("nothing at that path", False)], absent=True)]
    return [*rows, _row("actual", jsontree.flat(actual), "del")]


def _is_text(value: Value) -> bool:
    return isinstance(value, str) and not isinstance(value, Number)


def _said(name: str, pieces: Pieces, tag: str) -> Row:
    if sum(len(text) for text, _ in pieces) > jsontree.MOST_CHARACTERS:
        return _row(name, "".join(text for text, _ in pieces), tag)
    return Row(name, pieces or [("(empty text)", False)], tag)


def _row(name: str, text: str, tag: str = "") -> Row:
    shown, more = jsontree.cut(text)
    return Row(name, [(shown or "(empty text)", False)], tag, more=more)


def _members(value: Value, name: str) -> list[Row]:
    """Return an object's members as rows of their own, anything else as one row."""
    if value is None:
        return []
    if isinstance(value, Members):
        return [_row(key, jsontree.flat(one)) for key, one in value.pairs]
    return [_row(name, jsontree.flat(value))]
