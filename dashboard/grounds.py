"""Why a criterion failed, in one line: what was expected and found, and what the report says."""

import json
from collections.abc import Mapping
from typing import Any, Final

from dashboard import text

EVALUATED: Final = '"evaluator"'


def variants(written: str) -> str:
    """Return the chosen variants of a cell, a space before each."""
    named = json.loads(written).items()
    return "".join(f" {text.shown(step)}={text.shown(name)}" for step, name in named)


def evidence(failure: Mapping[str, Any], most: int = text.CELL) -> str:
    """Whose fault, what was expected and found, and why: what of it the report says."""
    blamed = " ".join(filter(None, (failure["fault"], failure["code"])))
    told = [blamed, _difference(failure), failure["reason"] or ""]
    leaves = [_leaf(leaf) for leaf in failure["decisive"]]
    return text.shown("; ".join(filter(None, told)) or "; ".join(leaves), most)


def _difference(failure: Mapping[str, Any]) -> str:
    """What a single deciding leaf expected and found; an evaluator only says yes or no."""
    expected, actual = failure["expected"], failure["actual"]
    if expected is None:
        return "" if actual is None else f"got {actual}"
    if actual is None and EVALUATED in expected:
        return ""
    return f"expected {expected}, " + ("nothing there" if actual is None else f"got {actual}")


def _leaf(leaf: Mapping[str, Any]) -> str:
    held = "held, and must not: " if leaf["negated"] else ""
    code = f" ({leaf['error_code']})" if leaf["error_code"] else ""
    return f"{held}{leaf['path']}{code}"
