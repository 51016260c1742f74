"""What of two or more sides can be compared, said before any figure: pairs, exclusions, noise."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import wording
from dashboard.contrast import Beside, Contrast, Side
from dashboard.decisions import CompareLink
from dashboard.sides import Paired

MOST_EXCLUDED: Final = 200
FEW: Final = 2
_COUNTED: Final = ("regressed", "fixed", "improved", "still failing")


class Excluded(NamedTuple):
    """An item that is left out, and the parts of it that differ."""

    item: str
    cells: int
    recorded: str
    authored: str


class Pairing(NamedTuple):
    """What the baseline and one other side have in common."""

    title: str
    detail: str
    place: int
    compared: int
    both: int
    excluded: int
    unverified: int
    derived: int
    added: int
    removed: int
    withheld: str
    excluded_items: list[Excluded]
    more: str


class Refused(NamedTuple):
    """A count of a run that stands beside its rates."""

    number: int
    of: int
    codes: list[tuple[str, int]]


class Changed(NamedTuple):
    """Cells of one word: how many, their names where they are few."""

    word: str
    cells: int
    href: str
    names: list[str]


class Sight(NamedTuple):
    """One side at first sight: how its trials ended, what changed, what stands beside."""

    title: str
    detail: str
    href: str
    place: int
    passed: int
    graded: int
    trials: int
    withheld: bool
    changes: list[Changed]
    unstable: int
    unstable_href: str
    refused: list[Refused | None]
    discarded: list[Refused | None]


def pairings(contrast: Contrast, found: Sequence[Paired]) -> list[Pairing]:
    """Return what each side has in common with the baseline."""
    return [_pairing(side, one) for side, one in zip(contrast.others, found, strict=True)]


def _pairing(side: Side, found: Paired) -> Pairing:
    told = found.headline.row(0, named=True)
    rows = found.exclusions.head(MOST_EXCLUDED).to_dicts()
    hidden = found.exclusions.height - len(rows)
    compared = found.pairs.filter(pl.col("state") == "compared")
    return Pairing(
        side.title,
        side.detail,
        side.place,
        told["compared"],
        told["compared"] + told["excluded"],
        told["excluded"],
        told["unverified"],
        compared.filter(pl.col("derived").list.len() > 0).height,
        told["added"],
        told["removed"],
        told["reason"] or "",
        [_excluded(row) for row in rows],
        f"{wording.plural(hidden, 'more item')} excluded." if hidden else "",
    )


def _excluded(row: dict[str, Any]) -> Excluded:
    return Excluded(
        row["item"], row["cells"], ", ".join(row["recorded"]), ", ".join(row["authored"])
    )


def noise(contrast: Contrast, floor: pl.DataFrame | None) -> str:
    """Say how much the unchanged system moves, or that nothing says so."""
    if floor is None:
        return (
            "No control pair is chosen, so it is unknown how much the unchanged system moves by "
            "itself: noise is unmeasured."
        )
    told = floor.row(0, named=True)
    moved = [
        f"{name} by up to {value:.3f}"
        for name, value in (
            ("the pass rate of a cell", told["pass_rate"]),
            ("the mean score of a judge", told["judge_score"]),
        )
        if value is not None
    ]
    pair = " and ".join(
        wording.file_name(runs["path"][0] or runs["run"][0]) for runs in contrast.control or ()
    )
    return f"Control pair ({pair}): without any change it moved {' and '.join(moved) or 'nothing'}."


def sights(
    contrast: Contrast,
    found: Sequence[Paired],
    statuses: Sequence[pl.DataFrame],
    beside: Beside,
    link: CompareLink,
) -> list[Sight]:
    """Return the sides as they are first seen; the baseline has no changes of its own."""
    drawn = []
    for side in contrast.all:
        place = max(0, side.place - 1)
        sight = _sight(side, statuses[place], beside, link)
        drawn.append(sight._replace(withheld=bool(found[place].headline["withheld"].item())))
    return drawn


def _sight(side: Side, status: pl.DataFrame, beside: Beside, link: CompareLink) -> Sight:
    which = "current" if side.place else "base"
    rows = status.filter(pl.col("state") == "compared")
    words = dict(rows["word"].value_counts().iter_rows())
    changes = [
        Changed(word, words.get(word, 0), link.but(show=word, page=1).href, _names(rows, word))
        for word in _COUNTED
        if side.place
    ]
    passed, graded, trials = (
        int(rows[f"{which}_{name}"].sum()) for name in ("passed", "graded", "trials")
    )
    return Sight(
        *(side.title, side.detail, side.href, side.place),
        *(passed, graded, trials),
        withheld=False,
        changes=changes,
        unstable=int(rows[f"{which}_unstable"].sum()),
        unstable_href=link.but(show="unstable", page=1).href,
        refused=[_refused(beside.refused.get(run)) for run in side.ids],
        discarded=[_refused(beside.discards.get(run)) for run in side.ids],
    )


def _names(rows: pl.DataFrame, word: str) -> list[str]:
    own = rows.filter(pl.col("word") == word)["item"].unique(maintain_order=True)
    return own.to_list() if len(own) <= FEW else []


def _refused(row: dict[str, Any] | None) -> Refused | None:
    if row is None:
        return None
    codes = [(one["code"], one["answers"]) for one in row.get("codes", ())]
    return Refused(row["count"], row["measured"], codes)
