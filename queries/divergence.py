"""Where a failing repetition first left the way that a passing one of its cell took."""

import functools
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any, Final, NamedTuple

from queries.likeness import Difference, Likeness

MOST: Final = 50
"""Paths told of one turn; how many there are is told as well."""

Row = Mapping[str, Any]
_PAYLOADS: Final = ("input", "observation")
Decode = Callable[[str], Any]


class Divergence(NamedTuple):
    """The first turn at which a trial differs from one that passed.

    ``turn`` is null where all turns agree and only the trial's own criteria differ. ``paths`` says
    of each difference whether it is of the input, the observation or the criteria, its JSON path
    there, and both values; ``more`` counts those left out.
    """

    trial: int
    passing: int
    turn: int | None
    step: str | None
    paths: tuple[dict[str, Any], ...]
    more: int

    def to_json(self) -> dict[str, Any]:
        """Return the divergence as JSON values."""
        return self._asdict() | {"paths": list(self.paths)}


class _Trial(NamedTuple):
    number: int
    turns: list[Row]
    criteria: dict[int | None, dict[str, str]]


def first(
    trials: Sequence[Row], turns: Sequence[Row], checks: Sequence[Row]
) -> dict[int, Divergence | None]:
    """Return per failing trial of one cell where it first diverged; None where none passed.

    Of the repetitions that passed the one is chosen that the failing one followed furthest.

    Args:
        trials: ``trial, repetition, outcome`` of every repetition of the cell.
        turns: ``trial, turn, step, status, error_code, input, observation`` of their turns.
        checks: ``trial, turn, scope, criterion, parent, passed, errored`` of their criteria.
    """
    ordered = sorted(trials, key=lambda row: (row["repetition"] or 0, row["trial"]))
    whole = _gathered([row["trial"] for row in ordered], turns, checks)
    passing = [row["trial"] for row in ordered if row["outcome"] == "passed"]
    failing = [row["trial"] for row in ordered if row["outcome"] in ("failed", "error")]
    others = [whole[each] for each in passing]
    # A payload is decoded once, however many trials it is compared with.
    decode = functools.cache(json.loads)
    return {trial: _furthest(whole[trial], others, decode) for trial in failing}


def _gathered(
    trials: Sequence[int], turns: Sequence[Row], checks: Sequence[Row]
) -> dict[int, _Trial]:
    whole = {trial: _Trial(trial, [], defaultdict(dict)) for trial in trials}
    for check in checks:
        if check["trial"] in whole and check["parent"] is None:
            result = "errored" if check["errored"] else "passed" if check["passed"] else "failed"
            whole[check["trial"]].criteria[check["turn"]][check["criterion"]] = result
    for row in sorted(turns, key=lambda row: row["turn"]):
        if row["trial"] in whole:
            whole[row["trial"]].turns.append(row)
    return whole


def _furthest(own: _Trial, others: Sequence[_Trial], decode: Decode) -> Divergence | None:
    """Look for the place with each of the others, and for what differs there with one of them."""
    best, far = None, -1
    most = len(own.turns) + 1
    for other in others:
        turn = next(_places(own, other, decode), (None,))[0]
        place = most if turn is None else turn
        if place > far:
            best, far = other, place
        if far >= most:
            break
    return None if best is None else _divergence(own, best, decode)


def _places(
    own: _Trial, other: _Trial, decode: Decode
) -> Iterator[tuple[int, str | None, Iterator[dict[str, Any]]]]:
    """Yield the turns that differ: turn, step and, as long as they are read at once, the paths."""
    likeness = Likeness()
    for left, right in zip_longest(other.turns, own.turns):
        known = right or left or {}
        turn = known["turn"]
        paths = chain(
            _turn(likeness, left, right, decode),
            _criteria(other.criteria.get(turn, {}), own.criteria.get(turn, {})),
        )
        first = next(paths, None)
        if first is not None:
            yield turn, known["step"], chain((first,), paths)


def _divergence(own: _Trial, other: _Trial, decode: Decode) -> Divergence:
    for turn, step, paths in _places(own, other, decode):
        return _told(own, other, turn, step, [*paths])
    paths = _criteria(other.criteria.get(None, {}), own.criteria.get(None, {}))
    return _told(own, other, None, None, [*paths])


def _told(
    own: _Trial, other: _Trial, turn: int | None, step: str | None, paths: list[dict[str, Any]]
) -> Divergence:
    more = max(0, len(paths) - MOST)
    return Divergence(own.number, other.number, turn, step, tuple(paths[:MOST]), more)


def _turn(
    likeness: Likeness, other: Row | None, own: Row | None, decode: Decode
) -> Iterator[dict[str, Any]]:
    """Compare two turns of one place; a turn that only one trial has is a difference itself."""
    if other is None or own is None:
        there = ["turn" if side is not None else None for side in (other, own)]
        yield _path("turn", Difference("", *there))
        return
    for part in ("step", "status", "error_code"):
        if other[part] != own[part]:
            yield _path(part, Difference("", other[part], own[part]))
    for part in _PAYLOADS:
        if (other[part] is None) != (own[part] is None):
            yield _path(part, Difference("", other[part], own[part]))
        elif other[part] is not None:
            decoded = (decode(side[part]) for side in (other, own))
            for difference in likeness.differences(*decoded):
                yield _path(part, difference)


def _criteria(other: Mapping[str, str], own: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Compare criteria of one scope; formats that record failures alone leave the others out."""
    for name in sorted(other.keys() | own.keys()):
        left, right = other.get(name), own.get(name)
        if left != right:
            yield _path("criteria", Difference(f"/{name}", left, right))


def _path(part: str, difference: Difference) -> dict[str, Any]:
    path, other, own = difference
    return {"part": part, "path": path, "passing": other, "failing": own}
