"""`unaveraged votes`: what judges said, and how far they agree with themselves."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text, wording
from dashboard.commands import options

Row = Mapping[str, Any]

_SCORES: Final = (
    text.Column("judged", right=True),
    text.Column("mean", right=True),
    text.Column("lowest", right=True),
    text.Column("highest", right=True),
    text.Column("spread of votes", right=True),
    text.Column("failed votes", right=True),
    text.Column("low: shared/split", right=True),
    text.Column("agreement", right=True),
)
CRITERIA: Final = (
    text.Column("criterion"),
    *_SCORES,
    text.Column("alpha", right=True),
    text.Column("item/repetition/vote", right=True),
)
ITEMS: Final = (text.Column("criterion"), text.Column("item"), *_SCORES)


@click.command
@options.run_names
@click.option(
    "--threshold",
    type=click.IntRange(1, 5),
    default=3,
    show_default=True,
    metavar="SCORE",
    help="Scores below this are low.",
)
@options.counted
@options.json_output
def votes(*, runs: tuple[str, ...], threshold: int, db: Path, as_json: bool) -> None:
    """Show what judges said, and whether their votes agree."""
    from dashboard import figures, pair_shapes, repeated

    chosen = figures.chosen(db, runs)
    found = pair_shapes.votes(repeated.votes(db, chosen, threshold))
    if as_json:
        text.say_json(found)
        return
    if not found["criteria"]:
        text.say("No judge was asked in these runs.")
    by_run = {part: text.by_run(rows) for part, rows in found.items()}
    for row in chosen.to_dicts():
        own = {part: rows.get(row["run"], []) for part, rows in by_run.items()}
        if own["criteria"]:
            text.say(text.heading(row))
            text.say_table(CRITERIA, map(_criterion, own["criteria"]))
            text.say_table(ITEMS, map(_item, own["items"]))


def _criterion(row: Row) -> tuple[str, ...]:
    alpha = row["alpha_reason"] if row["alpha"] is None else f"{row['alpha']:.2f}"
    parts = (row[f"{part}_share"] for part in ("item", "repetition", "vote"))
    shares = [wording.percent(part) for part in parts]
    return (
        text.shown(row["criterion"]),
        *_scores(row),
        text.shown(alpha),
        text.shown(row["shares_reason"]) if row["shares_reason"] else "/".join(shares),
    )


def _item(row: Row) -> tuple[str, ...]:
    return (text.shown(row["criterion"]), text.shown(row["item"]), *_scores(row))


def _scores(row: Row) -> tuple[str, ...]:
    return (
        str(row["judged"]),
        *(_score(row[name]) for name in ("mean_score", "min_score", "max_score")),
        _score(row["mean_vote_spread"]),
        str(row["failed_votes"]),
        f"{row['below_shared']}/{row['below_split']}",
        wording.percent(row["agreement"]),
    )


def _score(score: float | None) -> str:
    return wording.NOTHING if score is None else f"{score:.2f}".removesuffix(".00")
