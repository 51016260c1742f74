"""Reports that try a reader's patience: text that wants to act, deep nesting, very long cases."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

SWIFT: Final = (
    Path(__file__).parents[1] / "sample_reports" / "evaluation" / "library-desk.swift-model.json"
)
BAD: Final = (
    '<img src=x onerror="window.hit=1"><script>window.hit=2</script>'
    "\u202eevil\u202c \u0000 \u200b \U0001f469\u200d\U0001f680 ]]> {{ 7*7 }} `x` **b** javascript:0"
)
DEEP: Final = 50


def _report(native_run: str) -> tuple[dict[str, Any], dict[str, Any]]:
    report: dict[str, Any] = json.loads(SWIFT.read_text("utf-8"))
    report["runId"] = native_run
    failed = [case for case in report["cases"] if case["status"] == "failed"]
    return report, failed[0]


def hostile() -> str:
    """A report whose failing case says everything that a page must not obey."""
    report, case = _report("run-hostile")
    nested: Any = BAD
    for level in range(DEEP):
        nested = {f"level-{level}": nested} if level % 2 else [nested]
    for turn in case["turns"]:
        turn["input"] = {"text": BAD}
        turn["observation"]["response"]["message"] = BAD
        turn["observation"]["nested"] = nested
        turn["observation"][BAD] = BAD
        for check in turn["assertions"]:
            check["actual"] = {"present": True, "value": BAD}
            check["expected"] = BAD.replace("evil", "good")
    report["target"]["id"] = BAD
    return json.dumps(report)


def large(turns: int = 200, size: int = 1_000_000) -> str:
    """A report with one failing case of many turns with large observations."""
    report, case = _report("run-large")
    words = " ".join(f"word{number}" for number in range(1000))
    rows = [{"n": number, "text": words[:900]} for number in range(size // 950)]
    exchange = case["turns"][-1]
    made = []
    for number in range(turns):
        turn = deepcopy(exchange)
        turn["turnId"] = f"turn-{number}"
        turn["observation"]["rows"] = rows
        turn["observation"]["response"]["message"] = f"Answer {number}"
        if number < turns - 1:
            turn["status"], turn["assertions"] = "passed", []
        made.append(turn)
    case["turns"] = made
    report["cases"] = [case]
    return json.dumps(report)
