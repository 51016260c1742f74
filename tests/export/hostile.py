"""A report that is hostile in every text a person or a program could meet in an export."""

import json
from pathlib import Path
from typing import Final

from tests.cli.reports import failing, row, write

FILE: Final = "=cmd|' (a)<script>alert(1)<script>;@here.jsonl"
FORMULAS: Final = ("=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", "\r=1+1", "＝1+1")  # noqa: RUF001
MARKUP: Final = "<script>alert(1)</script><img src=x onerror=alert(1)>"
MARKDOWN: Final = "`x` | [a](javascript:alert(1)) **b** @octocat #1 www.example.org <!-- -->"
CONTROL: Final = "\x1b[31mred\x1b[0m \u202egnp.exe\u202c zero\u200bwidth\x00"
TEXTS: Final = (*FORMULAS, MARKUP, MARKDOWN, CONTROL)


def hostile_report(folder: Path) -> Path:
    """Write it, with a name as hostile as what it holds."""
    rows = [
        failing(
            text,
            tool=MARKUP,
            model="=HYPERLINK(1)",
            check_members={"name": text, "reason": text, "expected": text, "actual": text},
        )
        for text in TEXTS
    ]
    rows.append(row("fine", tool=MARKUP, model="=HYPERLINK(1)"))
    return write(folder / FILE, *json.loads(json.dumps(rows)))
