"""What differs between any two runs without meaning anything: ids, times, durations and usage."""

import re
from typing import Final

from queries import likeness

# For a person's eyes alone, so that a short id that follows a name is one as well.
_SHORT: Final = r"(?<=[A-Za-z][-_.:])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{6,7}"
_EITHER: Final = re.compile(f"(?P<time>{likeness.TIME})|{likeness.ids(_SHORT)}")
_SPENT: Final = re.compile(likeness.spent("^usage"))


class Mask:
    """Replaces the ids and times of one side by their order of appearance, equal ones alike."""

    def __init__(self) -> None:
        """Know no ids yet."""
        self._seen: dict[str, str] = {}
        self._counts = {"id": 0, "time": 0}

    def __call__(self, text: str) -> str:
        """Return the text with every id and time replaced."""
        return _EITHER.sub(self._placeholder, text)

    def _placeholder(self, found: re.Match[str]) -> str:
        kind = "time" if found["time"] else "id"
        if found.group() not in self._seen:
            self._counts[kind] += 1
            self._seen[found.group()] = f"⟨{kind}{self._counts[kind]}⟩"
        return self._seen[found.group()]


def is_spent(name: str) -> bool:
    """Whether a member says when, how long or at what cost, never what."""
    return _SPENT.search(name) is not None


def alike(one: str | None, two: str | None) -> bool:
    """Whether two texts differ in nothing but ids and times."""
    return one is not None and two is not None and Mask()(one) == Mask()(two)
