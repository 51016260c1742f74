"""Per category the rate of every side and its difference from the baseline, on the same cells."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from dashboard import wording
from dashboard.contrast import Contrast, Side
from dashboard.decisions import CompareLink
from dashboard.sides import Compared
from queries.rules import CATEGORIES

Row = Mapping[str, Any]
_TENTH: Final = 0.1


class Rate(NamedTuple):
    """The rate of one side over the paired cells that measured the category."""

    title: str
    place: int
    passed: int
    trials: int
    rate: float
    low: float
    high: float


class Difference(NamedTuple):
    """How far a side is from the baseline; places are in per cent of the drawn axis."""

    points: str
    span: str
    p: str
    verdict: str
    tone: str
    words: str
    noise: str
    differ: int
    href: str
    centre: float
    start: float
    width: float


class Line(NamedTuple):
    """One row of the table."""

    rate: Rate
    difference: Difference | None


class Block(NamedTuple):
    """All rows of one category."""

    name: str
    cells: int
    unmeasured: int
    lines: list[Line]


class Table(NamedTuple):
    """The blocks, and half the width of the axis in points."""

    blocks: list[Block]
    scale: int
    tests: int


def table(
    contrast: Contrast, found: Sequence[Compared], control: Compared | None, link: CompareLink
) -> Table:
    """Return the categories in the order people read them."""
    rows = [{row["category"]: row for row in one.categories.to_dicts()} for one in found]
    moved = (
        {}
        if control is None
        else {row["category"]: row["difference"] for row in control.categories.to_dicts()}
    )
    known = [name for name in CATEGORIES if any(name in one for one in rows)]
    scale = _scale(rows)
    blocks = []
    for name in known:
        noise = moved.get(name) if control is not None else None
        drawer = _Drawer(link.but(category=name, show="changed", page=1), scale, noise)
        own = [
            (side, one[name])
            for side, one in zip(contrast.others, rows, strict=True)
            if name in one
        ]
        blocks.append(_block(name, contrast.base, own, drawer))
    tests = max((row["tests"] for one in rows for row in one.values()), default=0)
    return Table(blocks, round(100 * scale), tests)


def _scale(rows: Sequence[Mapping[str, Row]]) -> float:
    """Return the end of an axis that holds every interval, a multiple of ten points."""
    ends = [
        abs(row[end]) for one in rows for row in one.values() for end in ("again_low", "again_high")
    ]
    return min(1.0, _TENTH * -(-max(ends, default=_TENTH) // _TENTH))


class _Drawer(NamedTuple):
    link: CompareLink
    scale: float
    noise: float | None

    def place(self, value: float) -> float:
        """Return where a difference lies on the axis, in per cent."""
        return 50 + 50 * max(-1.0, min(1.0, value / self.scale))

    def difference(self, row: Row) -> Difference:
        """Return how a difference is drawn and said."""
        low, high = row["again_low"], row["again_high"]
        start, end = self.place(low), self.place(high)
        within = self.noise is not None and abs(row["difference"]) <= abs(self.noise)
        found = row["verdict"] != "cannot say" and not within
        differ = row["cells"] - row["both"] - row["neither"]
        return Difference(
            points=f"{100 * row['difference']:+.1f} pts",
            span=f"[{100 * low:+.1f}, {100 * high:+.1f}]",
            p=wording.NOTHING if row["p_holm"] is None else f"{row['p_holm']:.3f}",
            verdict=row["verdict"],
            tone=row["verdict"] if found else "",
            words=_words(row),
            noise="" if self.noise is None else _noise(self.noise, row["verdict"], within=within),
            differ=differ,
            href=f"{self.link.href}#cells",
            centre=self.place(row["difference"]),
            start=start,
            width=max(end - start, 0.5),
        )


def _noise(moved: float, verdict: str, *, within: bool) -> str:
    """Say how much the control pair moved; a verdict beside it only where there is one."""
    control = f"control moved {100 * moved:+.1f} pts"
    if verdict == "cannot say" and not within:
        return control
    return f"{'within' if within else 'beyond'} noise: {control}"


def _block(name: str, base: Side, own: Sequence[tuple[Side, Row]], drawer: _Drawer) -> Block:
    lines: list[Line] = []
    before: Rate | None = None
    for side, row in own:
        rate = _rate(base, row, "base")
        if rate != before:
            lines.append(Line(rate, None))
            before = rate
        lines.append(Line(_rate(side, row, "current"), drawer.difference(row)))
    rows = [row for _, row in own]
    cells = max(row["cells"] for row in rows)
    return Block(name, cells, max(row["unmeasured_cells"] for row in rows), lines)


def _rate(side: Side, row: Row, which: str) -> Rate:
    names = ("passed", "trials", "rate", "low", "high")
    return Rate(side.title, side.place, *(row[f"{which}_{name}"] for name in names))


def _words(row: Row) -> str:
    """Say what a verdict rests on, or what these data would have needed."""
    if row["verdict"] != "cannot say":
        return f"{row['test']} test"
    if row["p"] is None:
        return "every repetition ended alike on both sides"
    clears = row["again_low"] > 0 or row["again_high"] < 0
    said = "the interval clears zero, the adjusted test does not" if clears else ""
    if row["detectable"] is None:
        return said
    plan = [
        wording.plural(row[name], one)
        for name, one in (("more_cells", "more cell"), ("more_repetitions", "more repetition"))
        if row[name] is not None
    ]
    able = f"{100 * row['detectable']:.1f} pts could be found"
    if plan:
        able += f"; {' or '.join(plan)} would show this"
    return f"{said}; {able}" if said else able
