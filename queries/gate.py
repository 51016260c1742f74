"""Whether a run may merge: every rule of a policy, decided from counts that are shown.

What is missing is asked before any rate: a rate over half a run is no evidence. A rule passes,
fails, or is inconclusive where the data cannot decide it; one failure fails the gate, and without
one a single open rule leaves it inconclusive.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from queries import gate_evidence, gate_regression
from queries.gate_rulings import Evidence, Row, Ruling, Verdict, scope, word
from queries.intervals import clopper_pearson
from queries.policy import Policy, Skip

SIDE_EFFECTS: Final = "side_effect_integrity"


class Outcome(NamedTuple):
    """The verdict of a gate on one run, and what it was decided from."""

    verdict: Verdict
    rulings: tuple[Ruling, ...]
    exclusions: tuple[dict[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as JSON values; ``explained`` lists every rule that was asked."""
        told: dict[str, list[dict[str, Any]]] = {"fail": [], "inconclusive": []}
        for ruling in self.rulings:
            if ruling.verdict in told:
                told[ruling.verdict].append(ruling.named())
        return {
            "verdict": self.verdict,
            "violations": told["fail"],
            "undecided": told["inconclusive"],
            "exclusions": list(self.exclusions),
            "explained": [ruling.explained() for ruling in self.rulings],
        }


def decide(policy: Policy, evidence: Evidence) -> Outcome:
    """Return what the policy makes of a run."""
    excluded, kept = _exclusions(policy, evidence.cells)
    counted = evidence._replace(cells=kept)
    rulings = tuple(ruling for rule in RULES for ruling in rule(policy, counted))
    verdicts = {ruling.verdict for ruling in rulings}
    verdict: Verdict = "fail" if "fail" in verdicts else "pass"
    if verdict == "pass" and "inconclusive" in verdicts:
        verdict = "inconclusive"
    return Outcome(verdict, rulings, tuple(excluded))


def _exclusions(
    policy: Policy, cells: Sequence[Row]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Take the skipped trials that the policy names out of the cells, and list them."""
    excluded, kept = [], []
    for cell in cells:
        skip = policy.skips(cell["item"]) if cell["skipped"] else None
        taken = cell["skipped"] if skip else 0
        if skip:
            excluded.append(_exclusion(cell, skip))
        less = {name: cell[name] - taken for name in ("planned", "trials", "skipped")}
        if not skip or less["planned"]:
            unmeasured = cell["unmeasured"] + less["skipped"]
            kept.append({**cell, **less, "unmeasured": unmeasured})
    return excluded, kept


def _exclusion(cell: Row, skip: Skip) -> dict[str, Any]:
    named = {name: cell[name] for name in ("item", "variants")}
    return {**named, "trials": cell["skipped"], "reason": skip.reason}


def _suite(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    run = evidence.run
    known = run["suite_passed"] + run["suite_failed"] + run["suite_errored"]
    if not policy.require_suite_criteria or not known:
        return
    rule = "require_suite_criteria"
    counts = {"passed": run["suite_passed"], "of": known}
    for failure in evidence.suite_failures:
        told = "errored" if failure["errored"] else "failed"
        yield Ruling("fail", failure["criterion"], rule, f"the suite's criterion {told}", counts)
    if not evidence.suite_failures:
        told = f"{run['suite_passed']} of {known} criteria of the suite passed"
        yield Ruling("pass", evidence.suite, rule, told, counts)


def _every(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    wanted = policy.every_trial_passes
    if wanted is None:
        wanted = evidence.run["format"] == "evaluation-report"
    short = [cell for cell in evidence.cells if cell["passed"] < cell["trials"]]
    if wanted and not short:
        told = f"every one of {evidence.total('trials')} {word(evidence)} passed"
        yield Ruling("pass", evidence.suite, "every_trial_passes", told, {})
    for cell in short if wanted else ():
        failed, other = cell["graded"] - cell["passed"], cell["trials"] - cell["graded"]
        told = f"{cell['passed']}/{cell['trials']} {word(evidence)} passed"
        parts = [f"{failed} failed"] * bool(failed) + [f"{other} ungraded"] * bool(other)
        counts = {name: cell[name] for name in ("passed", "graded", "trials")}
        detail = f"{told}: {', '.join(parts)}"
        yield Ruling("fail", scope(cell), "every_trial_passes", detail, counts)


def _pass_rate(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    passed, trials = evidence.total("passed"), evidence.total("trials")
    rate, least = passed / trials if trials else 0.0, policy.min_deterministic_pass_rate
    yield Ruling.compared(
        evidence.suite,
        "min_deterministic_pass_rate",
        (f"{rate:.3f}", "<", f"{least:.3f}"),
        {"passed": passed, "trials": trials, "graded": evidence.total("graded")},
        held=rate >= least,
    )


def _side_effects(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    row = evidence.category(SIDE_EFFECTS)
    if not policy.forbid_side_effect_failures or row is None:
        return
    failing, more = row["failing_trials"], row["failures_ungraded"]
    told = f"{failing} {word(evidence)} failed a side-effect integrity assertion"
    if more:
        told += f", and {more} such assertions failed in ungraded ones"
    size = row["again_size"]
    if not failing and not more and size:
        limit = 1 - 0.05 ** (1 / size)
        told += f"; with none in {size:g} the rate can still be {limit:.1%}"
    counts = {"failing": failing, "failures_ungraded": more, "of": denominator(row)}
    held = not failing and not more
    yield Ruling.of(evidence.suite, "forbid_side_effect_failures", told, counts, held=held)


def _abandonment(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    abandoned, trials = evidence.abandoned()
    rate, most = abandoned / trials if trials else 0.0, policy.max_abandonment_rate
    yield Ruling.compared(
        evidence.suite,
        "max_abandonment_rate",
        (f"{rate:.3f}", ">", f"{most:.3f}"),
        {"abandoned": abandoned, "trials": trials},
        held=rate <= most,
    )


def _flaky(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    if policy.allow_flaky_items:
        return
    flaky = [cell for cell in evidence.cells if 0 < cell["passed"] < cell["trials"]]
    for cell in flaky:
        told = f"{cell['passed']}/{cell['trials']} {word(evidence)} passed"
        counts = {name: cell[name] for name in ("passed", "graded", "trials")}
        yield Ruling("fail", scope(cell), "allow_flaky_items", told, counts)
    if not flaky:
        told = f"none of {len(evidence.cells)} cells both passed and failed"
        yield Ruling("pass", evidence.suite, "allow_flaky_items", told, {})


def _judges(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    least = policy.min_judge_score
    for row in evidence.votes if least is not None else ():
        score = row["mean_score"]
        if score is None:
            told = "no vote has a score"
            yield Ruling("inconclusive", row["criterion"], "min_judge_score", told, {})
            continue
        numbers = (f"{score:.2f}", "<", f"{least:.2f}")
        counts = {name: row[name] for name in ("judged", "failed_votes")}
        yield Ruling.compared(
            row["criterion"], "min_judge_score", numbers, counts, held=score >= least
        )


def _categories(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    for category, threshold in policy.category.items():
        row = evidence.category(category)
        if row is None or row["rate"] is None:
            continue
        size = row["again_size"] or denominator(row)
        low, high = clopper_pearson(row["rate"] * size, size, threshold.level)
        held = denominator(row) - row["failing_trials"]
        told = f"{held}/{denominator(row)} held, {low:.3f} to {high:.3f} at {threshold.level:g}"
        verdict: Verdict = "fail" if high < threshold.min_rate else "inconclusive"
        if low >= threshold.min_rate:
            verdict = "pass"
        sign = {"pass": "≥", "fail": "<", "inconclusive": "against"}[verdict]
        counts = {"held": held, "of": denominator(row), "size": size, "low": low, "high": high}
        detail = f"{told} {sign} {threshold.min_rate:.3f}"
        yield Ruling(verdict, category, "category.min_rate", detail, counts)


def denominator(row: Row) -> int:
    """Return the trials a category's rate is over."""
    return int(row["graded"] if row["covered"] is None else row["covered"])


RULES: Final[tuple[Callable[[Policy, Evidence], Iterator[Ruling]], ...]] = (
    *gate_evidence.RULES,
    *(_suite, _every, _pass_rate, _side_effects, _abandonment, _flaky, _judges, _categories),
    gate_regression.regressions,
)
"""In the order they are asked and told: what is missing comes before any rate."""
