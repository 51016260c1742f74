"""Criteria as expressions: what is demanded, what was found, which leaves explain the outcome.

A criterion is a tree of ``all``, ``any`` and ``not`` over checks and custom evaluators. The result
repeats neither kind nor path nor operator, so :class:`Demand` holds them and :func:`flatten` joins
the two by id among siblings. The *decisive leaves* of a failing criterion are those that explain
it: of ``all`` the failed children, of ``any`` all of them, of ``not`` whatever made its child pass.
An error code anywhere makes the criterion errored, and then the leaves that carry a code are the
decisive ones.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol

COMPOSITES: Final = frozenset({"all", "any", "not"})


class Demand(NamedTuple):
    """One node of a definition, with its children in definition order."""

    definition: int
    id: str
    path: str
    label: str | None
    kind: str
    operator: str | None
    target: str | None
    evaluator: str | None
    value: str | None
    children: tuple["Demand", ...]

    def walk(self) -> Iterator["Demand"]:
        """Yield the node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


class Result(Protocol):
    """What a result node must offer; attribute names as in the models."""

    id: str
    passed: bool
    error_code: str | None


class Node:
    """One evaluated node in pre-order, with what is needed to explain its criterion."""

    __slots__ = ("children", "decisive", "demand", "kind", "negated", "parent", "path", "result")

    def __init__(self, result: Any, demand: Demand | None, parent: int | None, path: str) -> None:
        """Start with no children and nothing decided."""
        self.result = result
        self.demand = demand
        self.parent = parent
        self.path = path
        self.kind = demand.kind if demand else "custom"
        self.children: list[Node] = []
        self.negated = False
        self.decisive = False

    @property
    def errored(self) -> bool:
        """Whether this node's evaluation broke."""
        return self.result.error_code is not None


class TooDeep(Exception):
    """A criterion is nested deeper than any definition may be."""


MAX_DEPTH: Final = 200


class Children(Protocol):
    """Gives the decoded children of a result node, in order."""

    def __call__(self, result: Any) -> Sequence[Any]:
        """Return the children; empty for a leaf."""


def flatten(root: Any, demand: Demand | None, children: Children) -> list[Node]:
    """Return the nodes of one evaluated criterion in pre-order, decisive leaves marked.

    Raises:
        TooDeep: When the result is nested more than ``MAX_DEPTH`` levels.
    """
    nodes: list[Node] = []
    _descend(nodes, root, demand, None, root.id, children, 0)
    if nodes[0].errored:
        _mark_errors(nodes)
    elif not nodes[0].result.passed:
        _explain(nodes[0])
    return nodes


def siblings(
    results: Sequence[Any], demands: Sequence[Demand]
) -> Iterator[tuple[Any, Demand | None]]:
    """Pair results with definitions by id among siblings; order decides when it agrees."""
    named: dict[str, Demand] | None = None
    for place, result in enumerate(results):
        if place < len(demands) and demands[place].id == result.id:
            yield result, demands[place]
            continue
        named = named if named is not None else {demand.id: demand for demand in demands}
        yield result, named.get(result.id)


def _descend(
    nodes: list[Node],
    result: Any,
    demand: Demand | None,
    parent: int | None,
    path: str,
    children: Children,
    depth: int,
) -> Node:
    if depth > MAX_DEPTH:
        raise TooDeep
    place = len(nodes)
    node = Node(result, demand, parent, path)
    if parent is not None:
        above = nodes[parent]
        node.negated = above.negated != (above.kind == "not")
    nodes.append(node)
    below = children(result)
    if below and demand is None:
        node.kind = _guess_kind(result, below)
    elif demand is None and getattr(result, "actual", None) is not None:
        node.kind = "check"
    for child, wanted in siblings(below, demand.children if demand else ()):
        child_path = f"{path}/{child.id}"
        node.children.append(_descend(nodes, child, wanted, place, child_path, children, depth + 1))
    return node


def _guess_kind(result: Any, below: Sequence[Any]) -> str:
    """Return the only kind that fits a composite whose definition is missing."""
    if len(below) == 1 and below[0].passed != result.passed:
        return "not"
    return "any" if result.passed and not all(child.passed for child in below) else "all"


def _mark_errors(nodes: list[Node]) -> None:
    leaves = [node for node in nodes if node.errored and not node.children]
    for leaf in leaves or nodes[:1]:
        leaf.decisive = True


def _explain(node: Node) -> None:
    """Mark what made the node come out as it did."""
    reasons = _reasons(node)
    if not reasons:
        node.decisive = True
    for child in reasons:
        _explain(child)


def _reasons(node: Node) -> list[Node]:
    """Return the children that explain a node's outcome; none when the node explains itself.

    A composite whose children cannot explain it (a writer's inconsistency) explains itself.
    """
    children, passed = node.children, node.result.passed
    if node.kind == "not":
        return [child for child in children if child.result.passed != passed]
    if node.kind == "any" and passed:
        return [child for child in children if child.result.passed]
    if node.kind == "all" and not passed:
        return [child for child in children if not child.result.passed]
    return children
