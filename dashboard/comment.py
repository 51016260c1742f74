"""What a pull request is told: the verdict first, what got worse with links, the rest folded."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from dashboard import text, wording
from dashboard.export.markdown import code, escaped
from dashboard.gating import Gated
from dashboard.link import FailuresLink

Record = Mapping[str, Any]

MOST_ROWS: Final = 12
"""Rows of a list that stand open; the others are folded."""
REGRESSIONS: Final = ("deterministic_regression", "judge_regression")
VERDICTS: Final = {
    "pass": "✅ Gate: pass",
    "fail": "❌ Gate: fail",
    "inconclusive": "⚠️ Gate: not enough evidence",
}
_RULE: Final = "max_regressions"


class Links(NamedTuple):
    """Where the pages are served, for links; without an address there are none."""

    pages: str | None = None
    items: frozenset[str] = frozenset()

    def item(self, run: str, about: str) -> str:
        """Return what a row is about, linked to its failures where it is an item."""
        name = about.partition(" {")[0]
        if self.pages is None or name not in self.items:
            return code(about)
        href = FailuresLink(run=(run,), item=name).href
        return f"[{code(about)}](<{self.pages.rstrip('/')}/{href}>)"


def gate(gated: Sequence[Gated], verdict: str, links: Links) -> Iterator[str]:
    """Yield the comment of a gate."""
    yield from (f"### {VERDICTS[verdict]}", "")
    for each in gated:
        yield from _gated(each, links)


def _gated(each: Gated, links: Links) -> Iterator[str]:
    outcome = each.outcome.to_json()
    failing = sorted(outcome["violations"], key=lambda row: row["rule"] != _RULE)
    counts = f"{len(failing)} failing, {len(outcome['undecided'])} cannot say, of"
    rules = text.plural(len(outcome["explained"]), "ruling")
    yield f"{_run(each.run)}: **{each.outcome.verdict}**, {counts} {rules}"
    yield ""
    run = each.run["run"]
    rows = [
        (mark, _spoken(row["rule"]), links.item(run, row["scope"]), escaped(row["detail"]))
        for mark, members in (("✗", failing), ("?", outcome["undecided"]))
        for row in members
    ]
    yield from _rows(("", "rule", "about", "what was found"), rows)
    excluded = [
        (code(row["item"]), str(row["trials"]), escaped(row["reason"]))
        for row in outcome["exclusions"]
    ]
    yield from _fold("Reviewed skips: exclusions, not passes", ("item", "trials", "why"), excluded)
    passed = [
        (_spoken(row["rule"]), code(row["scope"]), escaped(row["detail"]))
        for row in outcome["explained"]
        if row["verdict"] == "pass"
    ]
    yield from _fold("Rules that pass", ("rule", "about", "what was found"), passed)


def compare(found: Record, links: Links) -> Iterator[str]:
    """Yield the comment of a comparison, of the shape of `compare --json`."""
    worse = [row for row in found["changes"] if row["kind"] in REGRESSIONS]
    others = [row for row in found["changes"] if row["kind"] not in REGRESSIONS]
    yield from (f"### {_headline(found, worse)}", "")
    sides = [", ".join(map(_run, found[side])) for side in ("base", "current")]
    yield from (f"{sides[0]} → {sides[1]}", "")
    yield from _paired(found)
    run = found["current"][0]["run"]
    columns = ("cell", "change", "before", "after", "newly failing", "noise")
    yield from _rows(columns, [_change(row, links, run) for row in worse])
    yield from _categories(found["categories"])
    rows = [_change(row, links, run) for row in others]
    yield from _fold("Everything else that changed", columns, rows)
    excluded = [
        (code(row["item"]), escaped(", ".join([*row["recorded"], *row["authored"]])))
        for row in found["excluded"]
    ]
    yield from _fold("Items that are not the same on both sides", ("item", "differs in"), excluded)


def _headline(found: Record, worse: Sequence[Record]) -> str:
    if found["headline"]["withheld"]:
        return f"⚠️ No comparison: {escaped(found['headline']['reason'])}"
    beyond = sum(row["noise"] != "within_noise" for row in worse)
    if not worse:
        return "✅ No cell got worse"
    noise = f", {beyond} beyond noise" if found["noise_floor"] else ", noise unmeasured"
    return f"{'❌' if beyond else '✅'} {text.plural(len(worse), 'change')} for the worse{noise}"


def _paired(found: Record) -> Iterator[str]:
    headline = found["headline"]
    counts = [
        f"{found['compared']} cells paired",
        f"{len(found['excluded'])} items excluded",
        f"{found['unverified']} unverified",
        f"{found['added']} added",
        f"{found['removed']} removed",
    ]
    if not headline["withheld"]:
        passed = (
            f"{headline[f'{side}_passed']} of {headline[f'{side}_graded']} graded"
            for side in ("base", "current")
        )
        counts.append(f"passed {' → '.join(passed)}")
    yield from (f"{', '.join(counts)}.", "")


def _change(row: Record, links: Links, run: str) -> tuple[str, ...]:
    variants = "".join(f" {step}={name}" for step, name in (row["variants"] or {}).items())
    what = row.get("newly_failing") or row.get("parts") or [row.get("criterion") or ""]
    about = links.item(run, row["item"]) + (f" {code(variants.strip())}" if variants else "")
    return (
        about,
        wording.spoken(row["kind"]),
        *(wording.moved(row, side) for side in ("before", "after")),
        " ".join(map(code, what)),
        wording.spoken(row["noise"]),
    )


def _categories(categories: Sequence[Record]) -> Iterator[str]:
    rows = [
        (
            wording.category(row["category"]),
            f"{row['base_passed']}/{row['base_trials']}",
            f"{row['current_passed']}/{row['current_trials']}",
            f"{100 * row['difference']:+.1f} pts",
            f"{100 * row['again_low']:+.1f} to {100 * row['again_high']:+.1f}",
            wording.spoken(row["verdict"]),
        )
        for row in categories
    ]
    columns = ("category", "base", "current", "difference", "these cells again", "verdict")
    yield from _rows(columns, rows)


def _rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the first rows of a list, the others folded."""
    if rows:
        yield from (*_table(columns, rows[:MOST_ROWS]), "")
        more = rows[MOST_ROWS:]
        yield from _fold(f"{len(more)} more", columns, more, counted=False)


def _fold(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, counted: bool = True
) -> Iterator[str]:
    if rows:
        number = f" ({len(rows)})" if counted else ""
        yield from (f"<details><summary>{escaped(title)}{number}</summary>", "")
        yield from (*_table(columns, rows), "", "</details>", "")


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for cells in (columns, ["---"] * len(columns), *rows):
        yield f"| {' | '.join(cells)} |"


def _run(run: Record) -> str:
    parts = (run["suite"] or "no suite", run["subject"] or "no subject")
    return " · ".join(map(code, parts)) + f" (run {code(run['run'])})"


def _spoken(rule: str) -> str:
    return escaped(wording.spoken(rule))
