"""What a gate asks before any rate: whether the run is there, whole, once, and measured."""

from collections.abc import Callable, Iterator
from typing import Final

from queries.gate_rulings import Evidence, Ruling, scope, word
from queries.policy import Policy


def _completed(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    run = evidence.run
    if policy.require_completed and run["status"] is not None:
        held = run["status"] == "completed"
        told = f"the run is {run['status']}"
        counts = {"status": run["status"]}
        yield Ruling.of(evidence.suite, "require_completed", told, counts, held=held)


def _rejected(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    rejected = evidence.run["rejected"]
    if not policy.allow_rejected_records:
        rule = "allow_rejected_records"
        told = f"{rejected} records of this run could not be loaded"
        counts = {"rejected": rejected}
        yield Ruling.of(evidence.suite, rule, told, counts, held=not rejected)


def _limited(evidence: Evidence, count: str, rule: str, limit: int, told: str) -> Iterator[Ruling]:
    """Limit a count summed over cells; name each cell where it is exceeded."""
    found = [cell for cell in evidence.cells if cell[count]]
    total = evidence.total(count)
    counts = {"count": total, "limit": limit, "planned": evidence.total("planned")}
    if total <= limit:
        detail = f"{total} of {counts['planned']} planned {word(evidence)} {told}"
        yield Ruling("pass", evidence.suite, rule, detail, counts)
        return
    for cell in found:
        detail = f"{cell[count]} of {cell['planned']} planned {word(evidence)} {told}"
        yield Ruling("fail", scope(cell), rule, detail, {**counts, "count": cell[count]})


def _duplicates(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    if not policy.allow_duplicates:
        yield from _limited(evidence, "duplicates", "allow_duplicates", 0, "are there twice")


def _missing(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    rule, limit = "max_missing_trials", policy.max_missing_trials
    if not evidence.total("planned"):
        yield Ruling("fail", evidence.suite, rule, "there is no trial at all", {})
        return
    yield from _limited(evidence, "missing", rule, limit, "did not run to an end")


def _unmeasured(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    rule, limit = "max_unmeasured_trials", policy.max_unmeasured_trials
    yield from _limited(evidence, "unmeasured", rule, limit, "were not measured")


def _errored(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    errored = evidence.run["criteria_errored"] + evidence.run["suite_errored"]
    if not policy.allow_errored_criteria:
        told = f"{errored} criteria errored: their evaluator broke"
        counts = {"errored": errored}
        rule = "allow_errored_criteria"
        yield Ruling.of(evidence.suite, rule, told, counts, held=not errored)


def _empty(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    if policy.allow_empty_categories:
        return
    rates = {row["category"]: row["rate"] for row in evidence.categories}
    demanded = {row["category"] for row in evidence.categories if row["ungraded_relevant"]}
    for category in sorted({*policy.category, *demanded}):
        measured = rates.get(category) is not None
        told = "measured" if measured else "no trial measured it"
        yield Ruling.of(category, "allow_empty_categories", told, {}, held=measured)


RULES: Final[tuple[Callable[[Policy, Evidence], Iterator[Ruling]], ...]] = (
    *(_completed, _rejected, _duplicates, _missing, _unmeasured, _errored, _empty),
)
