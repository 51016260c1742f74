"""What changed beside the pass rate: other input, cells that came or went, judges that drifted."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import wording
from dashboard.contrast import Side
from dashboard.decisions import CompareLink
from dashboard.sides import Compared
from dashboard.traces import variants

MOST: Final = 100
_TITLES: Final = {
    "derived_input": ("Other input, declared derived", "compared all the same"),
    "added": ("Only on this side", "nothing to compare with"),
    "removed": ("Only on the baseline", "nothing to compare with"),
    "judge_drift": (
        "Judges scored differently",
        "an opinion of judges: it enters no rate and no category, also where names are the same",
    ),
}
_NOISE: Final = {
    "exceeds_noise": "beyond noise",
    "within_noise": "within noise",
    "unmeasured": "noise unmeasured",
}


class Change(NamedTuple):
    """One change of a cell."""

    item: str
    variants: str
    href: str
    what: str
    before: str
    after: str
    noise: str


class Group(NamedTuple):
    """All changes of one kind against one side."""

    title: str
    note: str
    size: int
    side: str
    rows: list[Change]
    more: str


def of(others: Sequence[Side], found: Sequence[Compared], link: CompareLink) -> list[Group]:
    """Return the changes of all sides, each named where there are several."""
    return [
        group
        for side, one in zip(others, found, strict=True)
        for group in groups(one.changes, side.title if len(others) > 1 else "", link)
    ]


def groups(changes: pl.DataFrame, side: str, link: CompareLink) -> list[Group]:
    """Return the changes that are no movement of a pass rate, by kind."""
    made = []
    for kind, (title, note) in _TITLES.items():
        own = changes.filter(pl.col("kind") == kind)
        if own.is_empty():
            continue
        hidden = own.height - MOST
        rows = [_change(row, link) for row in own.head(MOST).to_dicts()]
        more = f"{wording.plural(hidden, 'more change')}." if hidden > 0 else ""
        made.append(Group(title, note, own.height, side, rows, more))
    return made


def _change(row: Mapping[str, Any], link: CompareLink) -> Change:
    what = row["criterion"] or ", ".join(row["parts"] or ())
    return Change(
        row["item"],
        variants(row["variants"]),
        f"{link.but(q=row['item'], show=None, page=1).href}#cells",
        wording.spoken(what) if what else "",
        _value(row, "before"),
        _value(row, "after"),
        "" if row["kind"] != "judge_drift" else _NOISE[row["noise"]],
    )


def _value(row: Mapping[str, Any], side: str) -> str:
    return "" if row[side] is None else wording.moved(row, side)
