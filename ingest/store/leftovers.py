"""Where the database puts what does not fit into memory: a hidden folder beside the store.

The database removes the folder when it closes; an ingest that was killed leaves it to the next one.
"""

import os
import shutil
from pathlib import Path
from typing import Final

_GLOB: Final = str.maketrans({letter: f"[{letter}]" for letter in "*?["})


def overflow(db: Path, use: str = "") -> Path:
    """Return the folder of this process, or the one it has for a use of its own."""
    return db.with_name(f".{db.name}.part-{use and f'{use}-'}{os.getpid()}")


def clear_leftovers(db: Path) -> None:
    """Remove the folders of processes that are gone."""
    for left in db.parent.glob(f".{db.name.translate(_GLOB)}.part-*"):
        if not _is_running(left.name.rpartition("-")[2]):
            shutil.rmtree(left, ignore_errors=True)


def _is_running(process: str) -> bool:
    if not process.isdigit() or int(process) == os.getpid():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
