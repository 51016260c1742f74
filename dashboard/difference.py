"""Which words of an expected and an actual text differ."""

import re
from difflib import SequenceMatcher
from typing import Final, NamedTuple

Pieces = list[tuple[str, bool]]
"""Text in pieces, each with whether it differs from the other side."""

LEAST_ALIKE: Final = 0.35
MOST_CHARACTERS: Final = 4000
_WORDS: Final = re.compile(r"\s+|\w+|[^\w\s]")


class Difference(NamedTuple):
    """Both sides, their differing words marked."""

    expected: Pieces
    actual: Pieces


def words(expected: str, actual: str) -> Difference:
    """Return both texts, differing words marked; all of them where the texts are unlike."""
    one, two = _WORDS.findall(expected), _WORDS.findall(actual)
    matcher = SequenceMatcher(None, one, two, autojunk=False)
    too_long = len(expected) + len(actual) > MOST_CHARACTERS
    if too_long or matcher.ratio() <= LEAST_ALIKE:
        same = expected == actual
        return Difference([(expected, not same)], [(actual, not same)])
    left: Pieces = []
    right: Pieces = []
    for kind, a, b, c, d in matcher.get_opcodes():
        left.append(("".join(one[a:b]), kind != "equal"))
        right.append(("".join(two[c:d]), kind != "equal"))
    return Difference([piece for piece in left if piece[0]], [piece for piece in right if piece[0]])
