"""`unaveraged compare`: two runs on the same cells, or a reason why nothing can be said."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text, wording
from dashboard.commands import options

CATEGORIES: Final = (
    text.Column("category"),
    text.Column("cells", right=True),
    text.Column("base", right=True),
    text.Column("current", right=True),
    text.Column("difference", right=True),
    text.Column("these cells again", right=True),
    text.Column("p (Holm)", right=True),
    text.Column("both/base/current/neither/unstable", right=True),
    text.Column("verdict"),
)
CHANGES: Final = (
    text.Column("item"),
    text.Column("change"),
    text.Column("before", right=True),
    text.Column("after", right=True),
    text.Column("what"),
    text.Column("noise"),
)
EXCLUDED: Final = (
    text.Column("excluded item"),
    text.Column("recorded part changed"),
    text.Column("pairing broken"),
)


@click.command
@click.argument("base")
@click.argument("current")
@options.control
@options.markdown
@options.pages
@click.option("--suite", metavar="NAME", help="Of runs that a name fits, those of this suite.")
@options.rule_files
@options.counted
@options.json_output
def compare(
    *,
    base: str,
    current: str,
    control: tuple[str, str] | None,
    as_markdown: bool,
    pages: str | None,
    suite: str | None,
    rule_files: tuple[Path, ...],
    db: Path,
    as_json: bool,
) -> None:
    """Compare two runs, or two subjects, on the same cells."""
    from dashboard import figures, pair_shapes, sides

    chosen = sides.chosen(db, base, current, control, suite)
    found = pair_shapes.compare(sides.compare(db, chosen, figures.rules(rule_files)))
    if as_json:
        text.say_json(found)
        return
    if as_markdown:
        _say_comment(db, found, pages)
        return
    _say_pairs(found)
    if found["excluded"]:
        text.say_table(EXCLUDED, map(_excluded, found["excluded"]))
    if found["categories"]:
        text.say_table(CATEGORIES, map(_category, found["categories"]))
        for row in found["categories"]:
            _say_plan(row)
    if found["changes"]:
        text.say_table(CHANGES, map(_change, found["changes"]))


def _say_comment(db: Path, found: Mapping[str, Any], pages: str | None) -> None:
    from dashboard import comment, figures

    links = comment.Links(pages, figures.item_ids(db, [run["run"] for run in found["current"]]))
    for line in comment.compare(found, links):
        text.say(line)


def _say_pairs(found: Mapping[str, Any]) -> None:
    headline = found["headline"]
    counts = (
        f"{found['compared']} cells paired",
        f"{len(found['excluded'])} items excluded",
        f"{found['unverified']} unverified",
        f"{found['added']} added",
        f"{found['removed']} removed",
    )
    text.say(" · ".join(counts))
    floor = found["noise_floor"]
    if floor is None:
        text.say("noise unmeasured: no control pair")
    else:
        rate, score = (wording.NOTHING if n is None else f"{n:.3f}" for n in _floor(floor))
        text.say(f"the control pair moved by: pass rate {rate}, judge score {score}")
    if headline["withheld"]:
        text.say(f"no figure: {headline['reason']}")
        return
    sides = (
        f"{headline[f'{side}_passed']} of {headline[f'{side}_trials']} passed"
        for side in ("base", "current")
    )
    text.say(" → ".join(sides))


def _floor(floor: Mapping[str, Any]) -> tuple[float | None, float | None]:
    return floor["pass_rate"], floor["judge_score"]


def _excluded(row: Mapping[str, Any]) -> tuple[str, ...]:
    parts = (", ".join(row[name]) or wording.NOTHING for name in ("recorded", "authored"))
    return (text.shown(row["item"]), *map(text.shown, parts))


def _category(row: Mapping[str, Any]) -> tuple[str, ...]:
    square = ("both", "only_base", "only_current", "neither", "unstable")
    p = wording.NOTHING if row["p_holm"] is None else f"{row['p_holm']:.3f}"
    return (
        text.shown(row["category"]),
        str(row["cells"]),
        f"{row['base_passed']}/{row['base_trials']}",
        f"{row['current_passed']}/{row['current_trials']}",
        f"{100 * row['difference']:+.1f} pts",
        f"{100 * row['again_low']:+.1f} to {100 * row['again_high']:+.1f}",
        p,
        "/".join(str(row[name]) for name in square),
        row["verdict"],
    )


def _say_plan(row: Mapping[str, Any]) -> None:
    """Say what these data could have shown, where they show nothing."""
    if row["verdict"] != "cannot say" or row["detectable"] is None:
        return
    more = [
        f"{row[name]} more {what}"
        for name, what in (("more_cells", "cells"), ("more_repetitions", "repetitions"))
        if row[name] is not None
    ]
    would = f"; {' or '.join(more)} would show the one seen" if more else ""
    told = f"{row['category']}: a difference of {100 * row['detectable']:.1f} pts could be found"
    text.say(text.shown(told + would))


def _change(row: Mapping[str, Any]) -> tuple[str, ...]:
    variants = json.dumps(row["variants"], ensure_ascii=False) if row["variants"] else ""
    what = row.get("newly_failing") or row.get("parts") or [row.get("criterion") or ""]
    return (
        text.shown(f"{row['item']} {variants}".strip()),
        wording.spoken(row["kind"]),
        *(wording.moved(row, side) for side in ("before", "after")),
        text.shown(", ".join(what)),
        wording.spoken(row["noise"]),
    )
