"""Which trial a case stands beside, and where the two part, in words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import pairbook, traces, wording
from dashboard.data import Source
from dashboard.link import DivergenceLink
from dashboard.masks import alike
from dashboard.pairbook import Parting, Row
from dashboard.runtable import Run
from ingest.records import trial_name, trial_number

MOST_TRIED: Final = 6
_TELLING: Final = ("input", "response", "facts", "interaction", "effects", "observation", "events")
"""What says most about a difference, first; then criteria, statuses and codes."""


def options(others: pl.DataFrame, runs: Mapping[str, Run], own: str) -> dict[str, str]:
    """Return the trials a case can stand beside, those that passed first, each with its words."""
    rows = sorted(others.iter_rows(named=True), key=lambda row: _order(row, own))
    return {trial_name(row["trial"]): _called(row, runs, own) for row in rows}


def _order(row: Row, own: str) -> tuple[bool, bool, str, int]:
    return (row["outcome"] != "passed", row["run"] != own, row["run"], row["repetition"] or 0)


def _called(row: Row, runs: Mapping[str, Run], own: str) -> str:
    sign = wording.sign(row["outcome"])
    number = "" if row["repetition"] is None else f"repetition {row['repetition'] + 1} "
    text = f"{sign.mark} {number}{sign.word}"
    if row["run"] == own:
        return text
    run = runs[row["run"]]
    return f"{text} · {run['subject'] or 'no subject'} · {wording.moment(run['started_at'])}"


def nearest(at: Source, own: tuple[str, int], others: pl.DataFrame) -> int | None:
    """Return the trial to compare with: one that passed and was followed furthest."""
    rows = sorted(others.iter_rows(named=True), key=lambda row: _order(row, own[0]))
    if not rows or rows[0]["outcome"] != "passed":
        return int(rows[0]["trial"]) if rows else None
    tried = _tried(others, own[0])
    found = pairbook.closest(at, own, tried)
    return tried[0][1] if found is None else found.passing


def _tried(others: pl.DataFrame, run: str) -> tuple[tuple[str, int], ...]:
    """Return the first trials that passed, those of the same run if there are any."""
    rows = sorted(others.iter_rows(named=True), key=lambda row: _order(row, run))
    best = [row for row in rows if _order(row, run)[:2] == _order(rows[0], run)[:2]]
    return tuple((row["run"], int(row["trial"])) for row in best[:MOST_TRIED])


def says(parting: Parting) -> str:
    """Return in one sentence where two trials part."""
    found = parting.found
    if found is None:
        if parting.compared < parting.turns:
            compared = wording.plural(parting.compared, "turn")
            return f"The first {compared} agree; the rest is too large to compare here."
        return "Nothing recorded differs but ids, times and usage."
    if found.turn is None:
        return "All turns agree; only criteria of the whole case differ."
    place = telling(found.paths)[0]
    step = f" ({found.step})" if found.step else ""
    return f"turn {found.turn + 1}{step}, {place['part']} {place['path']}".rstrip()


def telling(paths: Sequence[Row]) -> list[Row]:
    """Return the places that differ, the most telling first, those of mere ids left out."""
    meant = [path for path in paths if not alike(path["passing"], path["failing"])]
    return sorted(meant or paths, key=_rank)


def _rank(path: Row) -> int:
    if path["path"] == "/response/message":
        return 0
    member = path["path"].split("/")[1] if "/" in path["path"] else ""
    name = member if member in _TELLING else path["part"]
    return _TELLING.index(name) if name in _TELLING else len(_TELLING)


def number(link: DivergenceLink, parting: Parting) -> int | None:
    """Return the turn to show, counted from zero: the one asked for, else the first to differ."""
    if link.turn is not None:
        return max(0, link.turn - 1)
    if parting.found is None:
        return 0
    return parting.found.turn


class Parted(NamedTuple):
    """In a line, where a case leaves the way of another trial, and the page that shows it."""

    outcome: str
    name: str
    says: str
    href: str


def parted(
    at: Source, own: Mapping[str, Any], others: pl.DataFrame, run: str, runs: Mapping[str, Run]
) -> Parted | None:
    """Return where a trial that did not pass leaves the way of one that did, if there is one."""
    passed = others.filter(pl.col("outcome") == "passed")
    if own["outcome"] not in {"failed", "error"} or passed.is_empty() or not own["turns"]:
        return None
    me = (run, int(own["trial"]))
    chosen = nearest(at, me, passed)
    row = passed.row(by_predicate=pl.col("trial") == chosen, named=True)
    tried = _tried(passed, run)
    found = pairbook.closest(at, me, tried)
    told = "" if found is None else says(Parting(found if found.paths else None, 0, 0))
    named = f"repetition {(row['repetition'] or 0) + 1}"
    if row["run"] != run:
        named += f" of {runs[row['run']]['subject'] or 'another run'}"
    link = DivergenceLink(case=trial_name(me[1]), other=trial_name(row["trial"]))
    return Parted(row["outcome"], named, told, link.href)


def other_of(link: DivergenceLink, others: pl.DataFrame) -> int | None:
    """Return the trial that the address names, null when it is none of these."""
    try:
        number = trial_number(link.other or "")
    except ValueError:
        return None
    return number if number in others["trial"] else None


def name(trial: int) -> str:
    """Return how a trial is called in addresses."""
    return trial_name(trial)


def title(trial: Mapping[str, Any], *words: str) -> list[str]:
    """Return the words beside the name of the item: its variants, and some more."""
    return [*filter(None, [traces.variants(trial["variants"])]), *words]
