"""Cells that are open: their repetitions one under another, two cells side by side."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import wording
from dashboard.data import Source
from dashboard.link import CaseLink, DivergenceLink
from dashboard.traces import variants
from ingest import store
from ingest.records import trial_name, trial_number

MOST_OPEN: Final = 2
MOST_REPETITIONS: Final = 60
MOST_CRITERIA: Final = 6
_TRIAL: Final = (
    "run",
    "trial",
    "item",
    "variants",
    "repetition",
    "outcome",
    "error_code",
    "turns",
    "duration_ms",
    "masked_signature",
)


class Failing(NamedTuple):
    """A criterion that a repetition failed, with its address."""

    name: str
    href: str


class Repetition(NamedTuple):
    """One repetition of an open cell."""

    trial: str
    number: int
    outcome: str
    href: str
    turns: int
    duration: str
    code: str
    failing: list[Failing]
    more: int


class Open(NamedTuple):
    """One open cell."""

    run: str
    item: str
    variants: str
    repetitions: list[Repetition]
    more: str


def drawn(at: Source, names: Sequence[str]) -> dict[str, object]:
    """Return the cells that these trials belong to, and how two of them stand side by side."""
    found = cells(at, names)
    return {"open": found, "beside": beside(found)}


class Beside(NamedTuple):
    """Two repetitions of two open cells, and where they stand side by side."""

    left: Repetition
    right: Repetition
    href: str


def beside(open_: Sequence[Open]) -> Beside | None:
    """Return a failed repetition of one open cell beside a passed one of the other.

    Of two cells that both failed, or both passed, the first repetitions; null where the cells are
    not the same item and variants, whose turns would have nothing in common.
    """
    if len(open_) < 2 or not all(cell.repetitions for cell in open_):
        return None
    one, two = open_
    if (one.item, one.variants) != (two.item, two.variants):
        return None
    failed = next((cell for cell in (two, one) if _like(cell, "failed")), two)
    other = one if failed is two else two
    left = _like(other, "passed") or other.repetitions[0]
    right = _like(failed, "failed") or failed.repetitions[0]
    return Beside(left, right, DivergenceLink(case=right.trial, other=left.trial).href)


def _like(cell: Open, outcome: str) -> Repetition | None:
    return next((one for one in cell.repetitions if one.outcome == outcome), None)


def cells(at: Source, names: Sequence[str]) -> list[Open]:
    """Return the cells that these trials belong to; unknown names are left out."""
    found = []
    with store.open_reader(Path(at.path)) as reader:
        for name in names[:MOST_OPEN]:
            cell = _cell(reader, name)
            if cell is not None:
                found.append(cell)
    return found


def _cell(reader: store.Reader, name: str) -> Open | None:
    try:
        number = trial_number(name)
    except ValueError:
        return None
    own = reader.frame("trial", ("run", "item", "variants"), trials=(number,))
    if own.is_empty():
        return None
    run, item, chosen = own.row(0)
    where: dict[str, store.Scalar] = {"item": item, "variants": chosen}
    trials = reader.frame("trial", _TRIAL, runs=(run,), where=where).sort("repetition", "trial")
    shown = trials.head(MOST_REPETITIONS)
    failed = (
        reader.frame(
            "check",
            ("trial", "position", "parent", "criterion", "label"),
            runs=(run,),
            trials=shown["trial"].to_list(),
            where={"passed": False},
        )
        .filter(pl.col("parent").is_null())
        .sort("trial", "position")
    )
    hidden = trials.height - shown.height
    by_trial = {
        key[0]: part.to_dicts() for key, part in failed.partition_by("trial", as_dict=True).items()
    }
    return Open(
        run,
        item,
        variants(chosen),
        [
            _repetition(row, place, by_trial.get(row["trial"], []))
            for place, row in enumerate(shown.to_dicts(), 1)
        ],
        f"{wording.plural(hidden, 'more repetition')}." if hidden else "",
    )


def _repetition(row: dict[str, Any], place: int, failed: list[dict[str, Any]]) -> Repetition:
    name = trial_name(row["trial"])
    href = CaseLink(case=name).href
    failing = [Failing(one["criterion"], f"{href}#c{one['position']}") for one in failed]
    return Repetition(
        name,
        place if row["repetition"] is None else row["repetition"] + 1,
        row["outcome"],
        href,
        row["turns"],
        wording.duration(row["duration_ms"]),
        row["error_code"] or "",
        failing[:MOST_CRITERIA],
        max(0, len(failing) - MOST_CRITERIA),
    )
