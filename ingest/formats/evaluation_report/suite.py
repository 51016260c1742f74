"""The definition half of an evaluation report: its items, and what each criterion demands."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from pydantic import ValidationError

from ingest.cut import RecordInvalid, faults_of
from ingest.expression import COMPOSITES, Demand
from ingest.formats.evaluation_report.models import Assertion, Scenario, Suite
from ingest.records import Definition, Item, key


class Plan(NamedTuple):
    """One scenario's demands, by step and for the whole conversation."""

    scenario: Scenario
    steps: dict[str, tuple[Demand, ...]]
    whole: tuple[Demand, ...]


class Book:
    """Everything a suite defines, with a key for each criterion.

    Raises:
        RecordInvalid: When the suite does not have the shape of its model.
    """

    def __init__(self, run: str, raw: bytes) -> None:
        """Validate the suite and number its criteria in definition order."""
        document = msgspec.json.decode(raw)
        try:
            self.suite = Suite.model_validate(document)
        except ValidationError as error:
            raise RecordInvalid(faults_of(error)).within("suite") from None
        self.run = run
        self.digest = digest(document)
        self._scenarios = {each["id"]: each for each in document["scenarios"]}
        self._count = 0
        self.whole = self._demands(self.suite.assertions)
        self.plans = {scenario.id: self._plan(scenario) for scenario in self.suite.scenarios}

    def items(self) -> Iterator[Item]:
        """Yield one row per scenario, also for those that were not selected."""
        for place, scenario in enumerate(self.suite.scenarios):
            yield Item(
                self.run,
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

    def definitions(self) -> Iterator[Definition]:
        """Yield one row per node of every criterion of the suite."""
        yield from self._rows(self.whole, "run", None, None)
        for item, plan in self.plans.items():
            yield from self._rows(plan.whole, "trial", item, None)
            for step, demands in plan.steps.items():
                yield from self._rows(demands, "turn", item, step)

    def _plan(self, scenario: Scenario) -> Plan:
        whole = self._demands(scenario.assertions)
        steps = {step.id: self._demands(step.assertions) for step in scenario.steps}
        return Plan(scenario, steps, whole)

    def _demands(self, assertions: Sequence[Assertion]) -> tuple[Demand, ...]:
        demands = []
        for assertion in assertions:
            number = key(self.run, self._count)
            self._count += 1
            demands.append(_demand(assertion, number, ""))
        return tuple(demands)

    def _rows(
        self, demands: Sequence[Demand], scope: str, item: str | None, step: str | None
    ) -> Iterator[Definition]:
        for root in demands:
            for place, node in enumerate(root.walk()):
                yield Definition(
                    run=self.run,
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


def text(value: Any) -> str:
    """Return a decoded value as JSON text, members in their written order."""
    return msgspec.json.encode(value).decode()


def digest(value: Any) -> str:
    """Return the sha256 of a value's canonical JSON (sorted members, no spaces)."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()
