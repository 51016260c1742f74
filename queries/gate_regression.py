"""What a gate says of a run beside a baseline: cells and categories that got worse."""

from collections.abc import Iterator

from queries.gate_rulings import Against, Evidence, Row, Ruling, Verdict, scope
from queries.policy import Policy

REGRESSION = "deterministic_regression"
WITHIN = "within_noise"


def regressions(policy: Policy, evidence: Evidence) -> Iterator[Ruling]:
    """Ask about every cell, then every category; nothing when too little could be paired."""
    against = evidence.against
    if against is None:
        return
    if against.headline["withheld"]:
        told, counts = against.headline["reason"], _paired(against)
        yield Ruling("inconclusive", evidence.suite, "max_excluded_share", told, counts)
        return
    yield from _cells(policy, evidence, against)
    for row in against.categories:
        yield _category(policy, row)


def _paired(against: Against) -> dict[str, int]:
    return {name: against.headline[name] for name in ("compared", "excluded", "added", "removed")}


def _cells(policy: Policy, evidence: Evidence, against: Against) -> Iterator[Ruling]:
    rule = "max_regressions"
    worse = [row for row in against.changes if row["kind"] == REGRESSION]
    counted = [row for row in worse if row["noise"] != WITHIN]
    counts = _paired(against) | {"worse": len(worse), "beyond_noise": len(counted)}
    if len(counted) <= policy.max_regressions:
        told = f"{len(worse)} of {counts['compared']} cells got worse, {len(counted)} beyond noise"
        yield Ruling("pass", evidence.suite, rule, told, counts)
        return
    for row in counted:
        verdict: Verdict = "fail" if row["noise"] != "unmeasured" else policy.unmeasured_noise
        yield Ruling(verdict, scope(row), rule, _told(row), counts)


def _told(row: Row) -> str:
    noise = {
        "exceeds_noise": "more than the control pair moved",
        "unmeasured": "noise unmeasured: no control pair",
    }[row["noise"]]
    newly = ", ".join(row["newly_failing"] or ())
    failing = f"; newly failing: {newly}" if newly else ""
    return f"{row['before']:.3f} → {row['after']:.3f}, {noise}{failing}"


def _category(policy: Policy, row: Row) -> Ruling:
    margin = policy.regression_margin or 0.0
    found = row["p_holm"] is not None and row["p_holm"] < policy.regression_level
    verdict: Verdict = "pass"
    if found and row["difference"] < -margin:
        verdict = "fail"
    elif policy.regression_margin is not None and row["again_low"] < -margin:
        verdict = "inconclusive"
    told = f"{row['difference']:+.3f} on {row['cells']} cells"
    told += f", {row['again_low']:+.3f} to {row['again_high']:+.3f}"
    tested = f"; {row['test']} p = {row['p_holm']:.3f} (Holm)" if row["test"] else "; not tested"
    counts = {
        name: row[name]
        for name in (
            *("cells", "base_passed", "base_trials", "current_passed", "current_trials"),
            *("p", "p_holm", "tests", "again_low", "again_high"),
        )
    }
    return Ruling(verdict, str(row["category"]), "regression_level", told + tested, counts)
