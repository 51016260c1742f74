"""Evaluated criteria as check rows.

Thousands of results differ in what they found and in nothing else. Whatever explains a criterion
is its *form*; it is worked out when a form is first seen, and only findings go from row to row.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import polars as pl

from ingest.cut import list_cutter, payload
from ingest.derive import MEMBER, own_members
from ingest.expression import MAX_DEPTH, Demand, Node, TooDeep, flatten, siblings
from ingest.faults import RecordInvalid
from ingest.formats.evaluation_report.models import AssertionResult
from ingest.frames import column
from ingest.records import Check, Row, key

children_of: Final = list_cutter(AssertionResult, once=False)
MOST: Final = 20_000
_IN_TEXT: Final = MEMBER.decode()


class Shared:
    """What the check rows of one node of one form have in common."""

    __slots__ = ("values",)

    def __init__(self, *values: Any) -> None:
        """Take the values of ``SHARED``."""
        self.values = values


SHARED: Final = (
    *("definition", "scope", "criterion", "path", "id", "label", "kind", "operator"),
    *("target", "evaluator", "passed", "errored", "error_code", "decisive", "negated", "graded"),
)
OWN: Final = (
    *(
        "run",
        "trial",
        "turn",
        "position",
        "parent",
        "actual_present",
        "actual",
        "expected",
        "evidence",
    ),
)
Found = tuple[Any, ...]
"""A node's :class:`Shared`, the number of its run's first definition, the values of ``OWN``."""


class Columns:
    """Check rows on their way into a frame."""

    def __init__(self, rows: list[Found]) -> None:
        """Take rows."""
        self.rows = rows
        self.trials: Sequence[Any] = ()

    def __len__(self) -> int:
        """Return the number of checks."""
        return len(self.rows)

    def extend(self, other: "Columns") -> None:
        """Take the rows of others below these."""
        self.rows.extend(other.rows)

    def frames(self) -> Mapping[type[Row], pl.DataFrame]:
        """Return the checks."""
        shared, first, *own = zip(*self.rows, strict=True)
        numbers: dict[Shared, int] = {}
        which = pl.Series([numbers.setdefault(each, len(numbers)) for each in shared])
        told = zip(*(each.values for each in numbers), strict=True)
        common = pl.DataFrame(
            [column(Check, name, values) for name, values in zip(SHARED, told, strict=True)]
        )
        rows = [column(Check, name, values) for name, values in zip(OWN, own, strict=True)]
        return {
            Check: common.select(pl.all().gather(which)).with_columns(
                *rows,
                pl.col("definition") + pl.Series(first, dtype=pl.Int64),
                pl.lit(value=False).alias("unfinished"),
            )
        }


class Form(NamedTuple):
    """What evaluated criteria of one form have in common.

    Attributes:
        nodes: What each node shares with those of other trials, and the place of its parent.
        error: The code of the criterion itself.
        members: How many members the nodes are written with.
    """

    nodes: list[tuple[Shared, int | None]]
    error: str | None
    members: int


class Checks:
    """The check rows of one trial (or of the run), numbered in pre-order."""

    def __init__(
        self, run: str, forms: dict[Hashable, Form], trial: int | None, *, graded: bool
    ) -> None:
        """Start without rows; ``forms`` are those seen so far of this suite."""
        self.run = run
        self.first = key(run, 0)
        self.forms = forms
        self.trial = trial
        self.graded = graded
        self.rows: list[Found] = []
        self.size = 0
        self.members = 0
        self.listed = True
        self.first_error: tuple[str, str] | None = None

    def add(
        self,
        results: Sequence[Any],
        demands: Sequence[Demand],
        scope: str,
        turn: int | None,
        place: str,
    ) -> None:
        """Take the results of one place.

        Raises:
            RecordInvalid: When a node below one of them does not have the shape of its model.
            TooDeep: When a result is nested more than ``MAX_DEPTH`` levels.
        """
        for index, (result, demand) in enumerate(siblings(results, demands)):
            found: list[Any] = []
            try:
                said = self._unfold(result, found, 0)
            except RecordInvalid as error:
                raise error.within(f"{place}[{index}].children") from None
            number = demand.definition if demand else None
            form_key = (scope, number, self.graded, said)
            form = self.forms.get(form_key) or self._learn(form_key, result, demand, found)
            self._take(form, found, turn)
            if form.error is not None and self.first_error is None:
                self.first_error = (form.error, f"{scope}-criterion")

    def _unfold(self, result: Any, found: list[Any], depth: int) -> Hashable:
        """Collect the nodes of a result in pre-order; return everything its form depends on."""
        if depth > MAX_DEPTH:
            raise TooDeep
        below: Sequence[Any] = ()
        if result.children is not None:
            below, listed = children_of(result.children)
            self.listed = self.listed and listed
        found.append((result, below))
        actual = result.actual
        return (
            result.id,
            result.label,
            result.passed,
            result.error_code,
            actual is not None and (actual.value is not None, actual.present),
            result.expected is None,
            result.evidence is None,
            result.children is None,
            *[self._unfold(child, found, depth + 1) for child in below],
        )

    def _learn(
        self, form_key: Hashable, result: Any, demand: Demand | None, found: list[Any]
    ) -> Form:
        if len(self.forms) >= MOST:
            self.forms.clear()
        below = {id(node): children for node, children in found}
        scope, number, graded = form_key[:3]  # type: ignore[index]
        told = (number, scope, result.id)
        nodes = [
            (_shared(node, told, graded=graded), node.parent)
            for node in flatten(result, demand, lambda each: below[id(each)])
        ]
        members = sum(own_members(node) + _actual_members(node.actual) for node, _ in found)
        form = self.forms[form_key] = Form(nodes, result.error_code, members)
        return form

    def _take(self, form: Form, found: list[Any], turn: int | None) -> None:
        rows, start = self.rows, len(self.rows)
        owner = (self.first, self.run, self.trial, turn)
        self.members += form.members
        for (shared, parent), (result, _) in zip(form.nodes, found, strict=True):
            actual = result.actual
            present = None if actual is None else actual.present
            value = None if actual is None else self._payload(actual.value)
            above = None if parent is None else start + parent
            expected, evidence = self._payload(result.expected), self._payload(result.evidence)
            told = (present, value if present else None, expected, evidence)
            rows.append((shared, *owner, len(rows), above, *told))

    def _payload(self, raw: msgspec.Raw | None) -> str | None:
        if raw is None:
            return None
        text = payload(raw) or ""
        self.size += len(text)
        self.members += text.count(_IN_TEXT)
        return text


def _shared(node: Node, told: tuple[Any, ...], *, graded: bool) -> Shared:
    """Return what rows share; ``told`` is their criterion: its number, scope and id."""
    result, demand = node.result, node.demand
    label = demand.label if result.label is None and demand else result.label
    wanted = (demand.operator, demand.target, demand.evaluator) if demand else (None,) * 3
    broken = result.error_code is not None
    return Shared(
        *(*told, node.path, result.id, label, node.kind, *wanted),
        *(result.passed, broken, result.error_code, node.decisive, node.negated, graded),
    )


def _actual_members(actual: Any) -> int:
    return 0 if actual is None else own_members(actual)
