"""What differs between any two runs without meaning anything: ids, times, durations and usage."""

import re
from typing import Final

_TIME: Final = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_ID: Final = (
    r"(?<![0-9A-Za-z])(?:"
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|(?=[a-fA-F]*[0-9])(?=[0-9]*[a-fA-F])[0-9a-fA-F]{8,}"
    r"|(?=[a-fA-F]*[0-9])[0-9a-fA-F]{12,}"
    r"|(?<=[A-Za-z][-_.:])(?=[a-fA-F]*[0-9])[0-9a-fA-F]{8,}"
    r"|(?<=[A-Za-z][-_.:])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{6,7}"
    r")(?![0-9A-Za-z])"
)
_EITHER: Final = re.compile(f"(?P<time>{_TIME})|{_ID}")
_SPENT: Final = re.compile(
    r"(?:At|Ms|_at|_ms|[Tt]imestamp|[Dd]uration|[Ll]atency|[Tt]okens|^at|^usage)$"
)


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
