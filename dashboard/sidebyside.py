"""Two JSON values side by side: equal lines folded, differing words marked."""

from collections.abc import Callable, Collection, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final, NamedTuple

from dashboard import difference, jsontree, wording
from dashboard.difference import Pieces
from dashboard.jsontree import Value
from dashboard.lines import Line, Writer, above
from dashboard.masks import Mask, is_spent

CONTEXT: Final = 3
MOST_COMPARED: Final = 3000
"""Lines of one side up to which they are compared whole; beyond, what is equal is written short."""
MOST_ROWS: Final = 1500
_LONGEST: Final = 600


class Side(NamedTuple):
    """One line of one side."""

    number: int
    depth: int
    pieces: Pieces
    path: str


class Row(NamedTuple):
    """Two lines that stand beside each other, or how many equal ones are left out."""

    left: Side | None
    right: Side | None
    differs: bool
    folded: str = ""


class Comparison(NamedTuple):
    """All rows of one part of a turn."""

    rows: list[Row]
    differences: int
    note: str = ""


class Shown(NamedTuple):
    """What a reader wants to see that says nothing by itself."""

    ids: bool = False
    spent: bool = False
    equal: bool = False


def compare(
    left: Value, right: Value, shown: Shown, masks: tuple[Mask, Mask], paths: Collection[str]
) -> Comparison:
    """Return two values side by side; ``paths`` are known places of differences."""
    skip: Callable[[str], bool] = (lambda _: False) if shown.spent else is_spent
    one, two = (Writer(skip).lines(value) for value in (left, right))
    note = ""
    if max(len(one), len(two)) > MOST_COMPARED:
        writer = Writer(skip, above(paths))
        one, two = writer.lines(left)[:MOST_COMPARED], writer.lines(right)[:MOST_COMPARED]
        note = "Large: only what differs is written out."
    if not shown.ids:
        one, two = (
            [_masked(line, mask) for line in lines]
            for lines, mask in zip((one, two), masks, strict=True)
        )
    rows = list(_rows(one, two, equal=shown.equal))
    over = len(rows) - MOST_ROWS
    if over > 0:
        note = f"{note} {wording.plural(over, 'more line')} not shown.".strip()
    return Comparison(rows[:MOST_ROWS], sum(row.differs for row in rows), note)


def _masked(line: Line, mask: Mask) -> Line:
    return line._replace(text=mask(line.text))


def _rows(one: Sequence[Line], two: Sequence[Line], *, equal: bool) -> Iterator[Row]:
    matcher = SequenceMatcher(None, _texts(one), _texts(two), autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            rows = [_same(one[a + k], a + k, two[c + k], c + k) for k in range(b - a)]
            first, last = a == 0 and c == 0, b == len(one) and d == len(two)
            yield from rows if equal else _folded(rows, first=first, last=last)
        else:
            for x, y in zip_longest(range(a, b), range(c, d)):
                yield _pair(one, x, two, y)


def _texts(lines: Sequence[Line]) -> list[tuple[int, str]]:
    """Return what makes two lines equal: a comma more is no difference."""
    return [(line.depth, line.text.rstrip(",")) for line in lines]


def _folded(rows: list[Row], *, first: bool, last: bool) -> Iterator[Row]:
    head, tail = 0 if first else CONTEXT, 0 if last else CONTEXT
    hidden = len(rows) - head - tail
    if hidden < 2:
        yield from rows
        return
    yield from rows[:head]
    yield Row(None, None, False, wording.plural(hidden, "equal line"))  # noqa: FBT003
    yield from rows[len(rows) - tail :]


def _same(left: Line, a: int, right: Line, b: int) -> Row:
    return Row(_side(left, a), _side(right, b), differs=False)


def _pair(one: Sequence[Line], a: int | None, two: Sequence[Line], b: int | None) -> Row:
    if a is None or b is None:
        left = None if a is None else _side(one[a], a, whole=True)
        right = None if b is None else _side(two[b], b, whole=True)
        return Row(left, right, differs=True)
    told = difference.words(one[a].text, two[b].text)
    left, right = _side(one[a], a), _side(two[b], b)
    return Row(
        left._replace(pieces=_cut(told.expected)),
        right._replace(pieces=_cut(told.actual)),
        differs=True,
    )


def _side(line: Line, place: int, *, whole: bool = False) -> Side:
    return Side(place + 1, line.depth, _cut([(line.text, whole)]), line.path)


def _cut(pieces: Pieces) -> Pieces:
    """Return the beginning of a long line, with how much of it is left out."""
    left, kept = _LONGEST, list[tuple[str, bool]]()
    for text, marked in pieces:
        kept.append((text[:left], marked))
        left -= len(text)
        if left < 0:
            kept.append((f"… {wording.plural(-left, 'more character')}", False))
            break
    return kept


def parsed(text: str | None) -> Value:
    """Return a payload as a value, null where there is none."""
    return None if text is None else jsontree.parse(text)
