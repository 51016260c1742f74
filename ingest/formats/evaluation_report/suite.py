"""The definition half of an evaluation report: its items, and what each criterion demands."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
import polars as pl
from pydantic import ValidationError

from ingest.expression import COMPOSITES, Demand
from ingest.faults import RecordInvalid, faults_of
from ingest.formats.evaluation_report.checks import Forms
from ingest.formats.evaluation_report.models import Assertion, Scenario, Suite
from ingest.frames import frame_of
from ingest.records import Definition, Item, key
from ingest.twice import refuse_repeated

PAYLOADS: Final = frozenset({"metadata", "input", "value", "parameters"})


class Plan(NamedTuple):
    """One scenario's demands, by step and for the whole conversation."""

    scenario: Scenario
    steps: dict[str, tuple[Demand, ...]]
    whole: tuple[Demand, ...]


class Book:
    """Everything a suite defines, with a number for each criterion.

    Attributes:
        forms: What is known of evaluated criteria, whichever report they are in.

    Raises:
        RecordInvalid: When the suite does not have the shape of its model.
    """

    def __init__(self, raw: bytes) -> None:
        """Validate the suite and number its criteria in definition order."""
        refuse_repeated(raw, PAYLOADS)
        document = msgspec.json.decode(raw)
        try:
            self.suite = Suite.model_validate(document)
        except ValidationError as error:
            raise RecordInvalid(faults_of(error)) from None
        self.text = raw.decode()
        self.digest = digest(document)
        self._scenarios = {each["id"]: each for each in document["scenarios"]}
        self.forms = Forms()
        self._count = 0
        self.whole = self._demands(self.suite.assertions)
        self.plans = {scenario.id: self._plan(scenario) for scenario in self.suite.scenarios}
        rows = list(self._definitions())
        self._frame = frame_of(Definition, rows) if rows else None
        self._items = [self._item(*placed) for placed in enumerate(self.suite.scenarios)]

    def items(self, run: str) -> Iterator[Item]:
        """Yield one row per scenario, also for those that were not selected."""
        for item in self._items:
            yield item._replace(run=run)

    def definitions(self, run: str) -> pl.DataFrame | None:
        """Return one row per node of every criterion of the suite."""
        if self._frame is None:
            return None
        return self._frame.with_columns(
            pl.lit(run).alias("run"), pl.col("definition") + key(run, 0)
        )

    def _item(self, place: int, scenario: Scenario) -> Item:
        return Item(
            "",
            scenario.id,
            place,
            scenario.name,
            scenario.description,
            scenario.tags,
            scenario.write_policy,
            scenario.skip_reason,
            [step.id for step in scenario.steps],
            digest(self._scenarios[scenario.id]),
            None if scenario.metadata is None else text(scenario.metadata),
        )

    def _definitions(self) -> Iterator[Definition]:
        yield from _rows(self.whole, "run", None, None)
        for item, plan in self.plans.items():
            yield from _rows(plan.whole, "trial", item, None)
            for step, demands in plan.steps.items():
                yield from _rows(demands, "turn", item, step)

    def _plan(self, scenario: Scenario) -> Plan:
        whole = self._demands(scenario.assertions)
        steps = {step.id: self._demands(step.assertions) for step in scenario.steps}
        return Plan(scenario, steps, whole)

    def _demands(self, assertions: Sequence[Assertion]) -> tuple[Demand, ...]:
        demands = []
        for assertion in assertions:
            demands.append(_demand(assertion, self._count, ""))
            self._count += 1
        return tuple(demands)


def _rows(
    demands: Sequence[Demand], scope: str, item: str | None, step: str | None
) -> Iterator[Definition]:
    for root in demands:
        for place, node in enumerate(root.walk()):
            yield Definition(
                run="",
                definition=root.definition,
                position=place,
                leaf=not node.children,
                scope=scope,
                item=item,
                step=step,
                criterion=root.id,
                path=node.path,
                label=node.label,
                kind=node.kind,
                operator=node.operator,
                target=node.target,
                evaluator=node.evaluator,
                expectation=None,
                fault=None,
                code=None,
                value=node.value,
            )


def _demand(assertion: Assertion, number: int, above: str) -> Demand:
    path = f"{above}/{assertion.id}" if above else assertion.id
    below = assertion.assertions or ([assertion.assertion] if assertion.assertion else [])
    given = "parameters" if assertion.kind == "custom" else "value"
    return Demand(
        definition=number,
        id=assertion.id,
        path=path,
        label=assertion.label,
        kind=assertion.kind,
        operator=assertion.operator,
        target=None if assertion.path is None else text(assertion.path),
        evaluator=assertion.evaluator,
        value=text(getattr(assertion, given)) if given in assertion.model_fields_set else None,
        children=tuple(_demand(child, number, path) for child in below)
        if assertion.kind in COMPOSITES or below
        else (),
    )


@lru_cache(maxsize=4)
def book_of(raw: bytes) -> Book:
    """Return what a suite defines; the reports of a folder often share one."""
    return Book(raw)


def text(value: Any) -> str:
    """Return a decoded value as JSON text, members in their written order."""
    return msgspec.json.encode(value).decode()


def digest(value: Any) -> str:
    """Return the sha256 of a value's canonical JSON (sorted members, no spaces)."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()
