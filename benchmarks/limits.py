"""What a measurement says about a limit, and how a program that is installed would start."""

import os
import tempfile
from pathlib import Path
from typing import Final

CORES: Final = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def installed() -> dict[str, str]:
    """Return an environment in which modules are compiled once, as those of a program are."""
    cache = Path(tempfile.gettempdir()) / "unaveraged-benchmark-bytecode"
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(cache)}


def verdict(*measured: tuple[float, float, float]) -> str:
    """Return whether measurements keep to their limits: seconds, processor seconds, limit.

    Seconds count. On a machine that does more than it has cores for they say little; where the
    processor's seconds keep to the limit and those of the clock do not, that is said.
    """
    if all(seconds <= limit for seconds, _, limit in measured):
        return "pass"
    crowded = os.getloadavg()[0] > 1.5 * (CORES or 1)
    if crowded and all(busy <= limit for _, busy, limit in measured):
        return "busy machine; processor passes"
    return "miss"
