"""JUnit XML of a gated run: rulings and failing criteria as tests, with evidence as the text."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree

from dashboard import brief, brief_text, markup, text
from dashboard.gating import Gated
from queries.rules import RuleBook

Record = Mapping[str, Any]

EVIDENCE: Final = brief.Asked(limit=1_000, budget=500_000)
OF_GATE: Final = {"fail": "failure", "inconclusive": "error"}
"""How a ruling is told: what cannot be decided is an error, not a failure."""
COUNTED: Final = {"failure": "failures", "error": "errors", "skipped": "skipped"}


class Case(NamedTuple):
    """One test: it passes where it has no kind."""

    classname: str
    name: str
    kind: str = ""
    message: str = ""
    told: str = ""


def write(path: Path, db: Path, gated: Sequence[Gated], rulebook: RuleBook) -> None:
    """Write the tests of some gated runs, a suite a run."""
    root = ElementTree.Element("testsuites", name="unaveraged gate")
    for each in gated:
        found = brief.of(db, each.run["run"], rulebook, EVIDENCE)
        cases = [*_rulings(each), *_criteria(found), *_incomplete(found)]
        name = f"{each.run['suite'] or 'no suite'} · {text.subject(each.run)}"
        _suite(root, f"{name} ({each.run['run']})", cases)
    ElementTree.indent(root)
    path.write_bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")


def _suite(root: ElementTree.Element, name: str, cases: Sequence[Case]) -> None:
    counts = {
        counter: str(sum(case.kind == kind for case in cases)) for kind, counter in COUNTED.items()
    }
    suite = ElementTree.SubElement(
        root, "testsuite", {"name": _plain(name), "tests": str(len(cases)), **counts}
    )
    for case in cases:
        told = {"classname": _plain(case.classname), "name": _plain(case.name)}
        test = ElementTree.SubElement(suite, "testcase", told)
        if case.kind:
            result = ElementTree.SubElement(test, case.kind, {"message": _plain(case.message)})
            result.text = _plain(case.told) or None


def _rulings(each: Gated) -> Iterator[Case]:
    for row in each.outcome.to_json()["explained"]:
        kind = OF_GATE.get(row["verdict"], "")
        yield Case("gate", f"{row['rule']} [{row['scope']}]", kind, row["detail"] if kind else "")


def _criteria(found: Record) -> Iterator[Case]:
    for members, kind in (("failures", "failure"), ("errored", "error")):
        for entry in found[members]:
            fails = entry["fails"]
            message = (
                f"fails in {fails['failed']} of {fails['graded_repetitions']} graded repetitions"
            )
            if kind == "error":
                message = f"errored: {entry.get('error_code', 'its evaluator broke')}"
            variants = "".join(
                f" {step}={name}" for step, name in entry.get("variants", {}).items()
            )
            place = "/".join(filter(None, (entry.get("step"), entry["criterion"])))
            yield Case(
                f"{entry['item']}{variants}",
                f"{place} [{fails['trials'][0]}]",
                kind,
                message,
                "\n".join(brief_text.evidence(entry)),
            )


def _incomplete(found: Record) -> Iterator[Case]:
    for group in found["incomplete"]:
        why = " ".join(group[name] for name in ("error_code", "reason") if name in group)
        for trial in group["trials"]:
            yield Case("not graded", trial, "skipped", f"{group['outcome']} {why}".strip())


def _plain(written: str) -> str:
    """Return text that XML can hold, with what acts unseen written out."""
    return markup.visible(written)
