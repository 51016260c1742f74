"""A brief as Markdown: read by a person or an agent, safe to paste where Markdown is obeyed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from dashboard import wording
from dashboard.export.markdown import code, escaped

Record = Mapping[str, Any]

MARKS: Final = {
    "decisive": "✗ decides:",
    "failing": "✗ fails",
    "errored": "! errored",
    "context": "· context",
    "passed": "✓ holds",
}
_ENDS: Final = {"failures": "failing criteria", "errored": "errored criteria"}


def mark_of(node: Record) -> str:
    """Return what part a node plays, in a mark and a word."""
    if node["role"] == "decisive" and node["passed"]:
        return "✗ held, must not:"
    return MARKS[node["role"]]


def lines(brief: Record) -> Iterator[str]:
    """Yield the lines of a brief."""
    subject = " · ".join(code(str(brief[name])) for name in ("suite", "subject") if brief[name])
    yield from (f"# Brief of run {code(brief['run'])}: {subject}", "")
    yield from _state(brief)
    yield from _entries("Failing criteria, the most decisive first", brief["failures"])
    yield from _entries("Errored criteria: mend the evaluator, these say nothing", brief["errored"])
    yield from _suite(brief["suite_failures"])
    yield from _incomplete(brief["incomplete"])
    yield from _rerun(brief)


def _state(brief: Record) -> Iterator[str]:
    counts = ", ".join(f"{n} {wording.sign(name).word}" for name, n in brief["outcomes"].items())
    yield f"Trials: {escaped(counts or 'none')}. Status: {code(brief['status'] or 'unknown')}."
    yield ""
    yield f"File: {code(brief['file'])}."
    if brief["replaced_by"]:
        yield f"A later report replaces this run: {code(brief['replaced_by'])}."
    if brief["records_not_loaded"]:
        yield f"Incomplete: {brief['records_not_loaded']} records could not be loaded."
    yield ""


def _entries(title: str, entries: Sequence[Record]) -> Iterator[str]:
    if not entries:
        return
    yield from (f"## {title}", "")
    for number, entry in enumerate(entries, start=1):
        yield from _entry(number, entry)


def _entry(number: int, entry: Record) -> Iterator[str]:
    place = [entry["item"], *map("=".join, entry.get("variants", {}).items())]
    if "step" in entry:
        place.append(entry["step"])
    yield f"### {number}. {code(' '.join(place))} {code(entry['criterion'])}"
    yield ""
    yield from evidence(entry)
    yield ""


def evidence(entry: Record) -> Iterator[str]:
    """Yield the evidence of one entry."""
    yield from _facts(entry)
    yield from _nodes(entry["expression"], 0)
    yield from _divergence(entry.get("first_divergence"))
    yield from (f"- more: {code(command)}" for command in entry["ask"])


def _facts(entry: Record) -> Iterator[str]:
    fails = entry["fails"]
    again = ", ".join(map(str, fails["repetitions"]))
    alike = (
        ""
        if fails["failed"] == fails["failed_like_this"]
        else (f", like this in {fails['failed_like_this']}")
    )
    yield (
        f"- fails in {fails['failed']} of {fails['graded_repetitions']} graded repetitions{alike} "
        f"(repetition {escaped(again)}), trials {' '.join(map(code, fails['trials']))}"
    )
    if fails["cells_with_this_cause"] > 1:
        yield f"- the same cause in {fails['cells_with_this_cause']} cells"
    for name in ("label", "item_description"):
        if name in entry:
            yield f"- {name.rpartition('_')[2]}: {code(str(entry[name]))}"
    rule = f", by the rule {code(entry['rule'])}" if "rule" in entry else ""
    yield f"- category: {wording.category(entry['category'])}{rule}"
    for name in ("turn", "input", "fault", "code", "reason", "error_code"):
        if name in entry:
            yield f"- {wording.spoken(name)}: {_value(entry[name])}"
    if "cut_short" in entry:
        yield "- cut short: what was looked for later may only be missing"


def _nodes(node: Record, depth: int) -> Iterator[str]:
    what = [mark_of(node), code(node["id"]), node["kind"]]
    if "path" in node:
        what.append(code(node["path"]))
    if "evaluator" in node:
        what.append(code(node["evaluator"]))
    if "operator" in node:
        what.append(node["operator"])
    told = [
        f"{name} {_value(node[name])}"
        for name in ("expected", "actual", "evidence")
        if name in node
    ]
    if node.get("actual_present") is False:
        told.append("nothing there")
    if "note" in node and node["role"] != "decisive":
        told.append(node["note"])
    told += [code(node[name]) for name in ("error_code", "reason") if name in node]
    yield f"{'  ' * depth}- {' '.join(what)}" + (f": {', '.join(told)}" if told else "")
    for child in node.get("children", ()):
        yield from _nodes(child, depth + 1)


def _divergence(found: Record | None) -> Iterator[str]:
    if found is None:
        return
    where = "in the criteria of the whole trial" if found["turn"] is None else ""
    where = where or f"at turn {found['turn']}" + (
        f" ({code(found['step'])})" if found["step"] else ""
    )
    yield f"- first divergence from {code(found['passing'])}, which passed: {where}"
    for path in found["paths"]:
        yield (
            f"  - {' '.join(filter(None, (path['part'], code(path['path']))))}: "
            f"passing {_there(path['passing'])}, failing {_there(path['failing'])}"
        )
    if found["more_paths"]:
        yield f"  - and {found['more_paths']} more paths"


def _suite(roots: Sequence[Record]) -> Iterator[str]:
    if roots:
        yield from ("## Criteria of the suite itself that do not hold", "")
        for root in roots:
            yield from _nodes(root, 0)
        yield ""


def _incomplete(groups: Sequence[Record]) -> Iterator[str]:
    if not groups:
        return
    yield from ("## Trials that neither passed nor failed", "")
    for group in groups:
        why = " ".join(code(group[name]) for name in ("error_code", "reason") if name in group)
        yield (
            f"- {group['number']} {wording.sign(group['outcome']).word}"
            + (f", {why}" if why else "")
            + f": {' '.join(map(code, group['items']))} ({' '.join(map(code, group['trials']))})"
        )
    yield ""


def _rerun(brief: Record) -> Iterator[str]:
    again = brief["rerun"]["all"]
    if again:
        yield from ("## Run again", "", " ".join(map(code, again)), "")
    for name, what in _ENDS.items():
        if brief["not_shown"][name]:
            yield f"{brief['not_shown'][name]} more {what} are not shown."
    if "ask_for_more" in brief:
        yield f"More: {code(brief['ask_for_more'])}"


def _there(value: object) -> str:
    return "has nothing" if value is None else _value(value)


def _value(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return code(text) or code('""')
