"""`unaveraged routing`: who has to act on what trial rows found, and what never ran."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text, wording
from dashboard.commands import options

Row = Mapping[str, Any]

TICKETS: Final = (
    text.Column("ticket for"),
    text.Column("scenario"),
    text.Column("check"),
    text.Column("trials", right=True),
    text.Column("models", right=True),
    text.Column("reasons"),
)
CODES: Final = (
    text.Column("agents' fault"),
    text.Column("channel"),
    text.Column("models", right=True),
    text.Column("trials", right=True),
    text.Column("checks", right=True),
    text.Column("route"),
    text.Column("why"),
)
GREEN: Final = (
    text.Column("never failed"),
    text.Column("scenario"),
    text.Column("check"),
    text.Column("trials", right=True),
)
GRID: Final = (
    text.Column("not covered"),
    text.Column("scenario"),
    text.Column("model"),
    text.Column("graded", right=True),
    text.Column("age", right=True),
    text.Column("state"),
)
ARMS: Final = (
    text.Column("full minus ablated"),
    text.Column("scenario"),
    text.Column("model"),
    text.Column("full", right=True),
    text.Column("ablated", right=True),
    text.Column("difference"),
)


@click.command
@options.run_names
@options.channels
@options.counted
@options.json_output
def routing(*, runs: tuple[str, ...], channels: Path | None, db: Path, as_json: bool) -> None:
    """Show whose work each fault of trial rows is."""
    from dashboard import battery, figures, pair_shapes

    chosen = figures.chosen(db, runs)
    known = battery.channels(channels)
    found = pair_shapes.routing(battery.route(db, chosen, known, battery.now()))
    if as_json:
        text.say_json(found)
        return
    tickets = [(tool, check) for tool in found["tickets"] for check in tool["checks"]]
    _say(TICKETS, [_ticket(*pair) for pair in tickets])
    codes = [row for way in ("channel", "recorded", "not_routed") for row in found[way]]
    _say(CODES, list(map(_code, codes)))
    _say(GREEN, list(map(_green, found["never_failing"])))
    _say(GRID, [_cell(row) for row in found["coverage"] if row["state"] != "covered"])
    _say(ARMS, list(map(_arm, found["ablation"])))
    if not (tickets or codes or found["coverage"]):
        text.say("None of these runs holds trial rows.")


def _say(columns: Sequence[text.Column], rows: Sequence[Sequence[str]]) -> None:
    if rows:
        text.say_table(columns, rows)
        text.say()


def _tool(row: Row) -> str:
    section = "" if row["dialect"] == "contract" else f" ({row['dialect']})"
    return text.shown(f"{row['tool'] or 'no tool'}{section}")


def _ticket(tool: Row, check: Row) -> tuple[str, ...]:
    return (
        _tool(tool),
        text.shown(check["scenario"]),
        text.shown(check["check"]),
        str(check["trials"]),
        str(len(check["models"])),
        text.shown("; ".join(check["reasons"]), text.CELL),
    )


def _code(row: Row) -> tuple[str, ...]:
    return (
        text.shown(row["code"]),
        text.shown(row["channel"]),
        str(len(row["models"])),
        str(row["trials"]),
        str(row["checks"]),
        wording.spoken(row["route"]),
        text.shown(row["reason"]),
    )


def _green(row: Row) -> tuple[str, ...]:
    return _tool(row), *(text.shown(row[name]) for name in ("scenario", "criterion", "trials"))


def _cell(row: Row) -> tuple[str, ...]:
    age = wording.NOTHING if row["age_days"] is None else wording.plural(row["age_days"], "day")
    named = (text.shown(row[name]) for name in ("scenario", "model"))
    return (_tool(row), *named, f"{row['graded']}/{row['trials']}", age, row["state"])


def _arm(row: Row) -> tuple[str, ...]:
    delta = row["reason"] if row["delta"] is None else f"{100 * row['delta']:+.1f} pts"
    counts = (f"{row[f'{arm}_passed']}/{row[f'{arm}_graded']}" for arm in ("full", "ablated"))
    named = (text.shown(row[name]) for name in ("scenario", "model"))
    return (_tool(row), *named, *counts, text.shown(delta))
