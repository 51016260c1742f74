"""Evaluated criteria as check rows.

Thousands of results differ in what they found and in nothing else. Whatever explains a criterion
is its *form*; it is worked out when a form is first seen, and only findings go from row to row.
What stands below a criterion often repeats to the letter, and is read once.
"""

import itertools
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ingest.cut import list_cutter
from ingest.derive import surely_once
from ingest.expression import MAX_DEPTH, Demand, Node, TooDeep, flatten, siblings
from ingest.faults import RecordInvalid
from ingest.formats.evaluation_report.columns import Columns, Form
from ingest.formats.evaluation_report.models import AssertionResult

children_of: Final = list_cutter(AssertionResult, once=False)
MOST: Final = 20_000
SHORT: Final = 1000

Texts = list[bytes | None]
TakeText = Callable[[msgspec.Raw], bytes]
"""Returns a payload as written, and refuses it when it is no text."""


class Below(NamedTuple):
    """What stands below a node, as far as its form and findings are concerned.

    Attributes:
        number: Equal where the form is the same.
        children: The nodes right below, and what stands below them.
        actual: What each node found, in pre-order; ``expected`` and ``evidence`` likewise.
        listed: Whether every member is one the model lists.
        once: Whether surely none is written twice.
    """

    number: int
    children: Sequence[tuple[Any, "Below"]]
    actual: Sequence[bytes | None]
    expected: Sequence[bytes | None]
    evidence: Sequence[bytes | None]
    listed: bool
    once: bool


NOTHING: Final = Below(0, (), (), (), (), listed=True, once=True)


class Forms:
    """The forms seen so far of the criteria of one suite."""

    def __init__(self) -> None:
        """Start with none."""
        self._forms: dict[Hashable, Form] = {}
        self._numbers: dict[Hashable, int] = {}
        self._fresh = itertools.count(1)
        self._below: dict[bytes, Below] = {}
        self.get = self._forms.get
        """Returns the form with a key, None when it was not seen."""

    def learn(self, form_key: Hashable, result: Any, below: Below, told: tuple[Any, ...]) -> Form:
        """Work out a form; ``told`` is the demand, the scope and whether the trial is graded."""
        if len(self._forms) >= MOST:
            self._forms.clear()
        demand, scope, graded = told
        held: dict[int, Sequence[tuple[Any, Below]]] = {}
        _hold(result, below, held)
        nodes = flatten(result, demand, lambda each: [child for child, _ in held[id(each)]])
        number = demand.definition if demand else None
        shared = [_shared(node, (number, scope, result.id), graded=graded) for node in nodes]
        form = self._forms[form_key] = Form(shared, result.error_code)
        return form

    def below(self, children: msgspec.Raw, take: TakeText) -> Below:
        """Read what stands below a criterion.

        Raises:
            RecordInvalid: When it does not have the shape of its model.
            TooDeep: When it is nested more than ``MAX_DEPTH`` levels.
        """
        text = bytes(children)
        found = self._below.get(text)
        if found is None:
            found = self._read(text, take, 1)
            if len(text) <= SHORT:
                if len(self._below) >= MOST:
                    self._below.clear()
                self._below[text] = found
        return found

    def _read(self, text: bytes, take: TakeText, depth: int) -> Below:
        if depth > MAX_DEPTH:
            raise TooDeep
        results, listed = children_of(text)
        once = listed and surely_once(results, text)
        children = []
        columns: tuple[Texts, Texts, Texts] = ([], [], [])
        for result in results:
            below = NOTHING
            if result.children is not None:
                below = self._read(bytes(result.children), take, depth + 1)
            children.append((result, below))
            gather(columns, result, below, take)
        said = tuple([said_by(result, below) for result, below in children])
        number = self._numbers.get(said)
        if number is None:
            if len(self._numbers) >= MOST:
                self._numbers.clear()
            number = self._numbers[said] = next(self._fresh)
        listed = listed and all(below.listed for _, below in children)
        once = once and all(below.once for _, below in children)
        return Below(number, children, *columns, listed, once)


class Checks:
    """The check rows of one trial (or of the run), numbered in pre-order."""

    def __init__(
        self,
        columns: Columns,
        forms: Forms,
        owner: tuple[str, int | None],
        take: TakeText,
        *,
        graded: bool,
    ) -> None:
        """Start without rows; ``owner`` is the run and the trial."""
        self.columns = columns
        self.forms = forms
        self.run, self.trial = owner
        self.take = take
        self.graded = graded
        self.listed = True
        self.once = True
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
        columns = self.columns
        lists = (columns.actual, columns.expected, columns.evidence)
        for index, (result, demand) in enumerate(siblings(results, demands)):
            below = NOTHING
            if result.children is not None:
                below = self._below(result.children, f"{place}[{index}].children")
            number = demand.definition if demand else None
            form_key = (scope, number, self.graded, said_by(result, below))
            form = self.forms.get(form_key)
            if form is None:
                told = (demand, scope, self.graded)
                form = self.forms.learn(form_key, result, below, told)
            columns.criteria.append((form, self.run, self.trial, turn, len(columns.actual)))
            gather(lists, result, below, self.take)
            if form.error is not None and self.first_error is None:
                self.first_error = (form.error, f"{scope}-criterion")

    def _below(self, children: msgspec.Raw, place: str) -> Below:
        try:
            below = self.forms.below(children, self.take)
        except RecordInvalid as error:
            raise error.within(place) from None
        self.listed = self.listed and below.listed
        self.once = self.once and below.once
        return below


def said_by(result: Any, below: Below) -> Hashable:
    """Return everything of a result that its form depends on."""
    actual = result.actual
    return (
        result.id,
        result.label,
        result.passed,
        result.error_code,
        None if actual is None else actual.present,
        below.number,
    )


def gather(columns: tuple[Texts, Texts, Texts], result: Any, below: Below, take: TakeText) -> None:
    """Add what a result and the nodes below it found: actual, expected and evidence."""
    found, expected, evidence = columns
    actual = result.actual
    there = actual is not None and actual.value is not None
    value = take(actual.value) if there else None
    found.append(value if there and actual.present else None)
    expected.append(None if result.expected is None else take(result.expected))
    evidence.append(None if result.evidence is None else take(result.evidence))
    if below is not NOTHING:
        found.extend(below.actual)
        expected.extend(below.expected)
        evidence.extend(below.evidence)


def _hold(result: Any, below: Below, held: dict[int, Sequence[tuple[Any, Below]]]) -> None:
    held[id(result)] = below.children
    for child, under in below.children:
        _hold(child, under, held)


def _shared(node: Node, told: tuple[Any, ...], *, graded: bool) -> tuple[Any, ...]:
    """Return what rows share; ``told`` is their criterion: its number, scope and id."""
    result, demand = node.result, node.demand
    number, scope, criterion = told
    label = demand.label if result.label is None and demand else result.label
    wanted = (demand.operator, demand.target, demand.evaluator) if demand else (None,) * 3
    broken = result.error_code is not None
    present = None if result.actual is None else result.actual.present
    return (
        *(number, node.parent, present, scope, criterion, node.path, result.id, label, node.kind),
        *(*wanted, result.passed, broken, result.error_code),
        *(node.decisive, node.negated, graded),
    )
