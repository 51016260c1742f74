"""What was found, in a few short lines: the evidence of one failure, and the cell it was in."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dashboard import criteria, jsontree, wording

MOST_LEAVES: Final = 8
_LINE: Final = 400

Row = Mapping[str, Any]


def variants(text: str) -> str:
    """Return the chosen variants of a cell as step=variant."""
    chosen = jsontree.parse(text)
    if not isinstance(chosen, jsontree.Members):
        return ""
    return " · ".join(f"{step}={jsontree.flat(variant)}" for step, variant in chosen.pairs)


def lines(hit: Row) -> Iterator[tuple[str, str]]:
    """Return the evidence of a hit, one name and one short text a line."""
    expected = None if hit.get("expected") is None else jsontree.parse(hit["expected"])
    evaluator = hit.get("evaluator") or jsontree.member(expected, "evaluator")
    leaves = hit.get("decisive") or []
    if hit.get("reason"):
        yield "reason", _short(hit["reason"])
    if len(leaves) > 1:
        for leaf in leaves[:MOST_LEAVES]:
            yield "decided by", leaf["path"] + (" (passed, under a not)" if leaf["negated"] else "")
    elif evaluator:
        said = "broke" if hit.get("errored") else "said no"
        yield "evaluator", f"{jsontree.flat(evaluator)} {said}"
    elif leaves and not hit.get("errored"):
        yield from _compared(hit, expected)


def _compared(hit: Row, expected: jsontree.Value) -> Iterator[tuple[str, str]]:
    if hit["expected"] is None and hit["actual"] is None:
        return
    (leaf, *_) = hit["decisive"]
    where = " ".join(part for part in (criteria.pointer(hit["target"]), hit["operator"]) if part)
    if where or "/" in leaf["path"]:
        yield "at", where or leaf["path"]
    if hit["expected"] is not None:
        yield "not expected" if leaf["negated"] else "expected", _short(jsontree.flat(expected))
    actual = hit["actual"]
    got = "nothing at that path" if actual is None else jsontree.flat(jsontree.parse(actual))
    yield "got", _short(got)


def _short(text: str) -> str:
    over = len(text) - _LINE
    return text if over <= 0 else f"{text[:_LINE]}… {wording.plural(over, 'more character')}"
