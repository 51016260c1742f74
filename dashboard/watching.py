"""Following folders and files: each change is loaded when it has come to rest."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from watchfiles import watch
from watchfiles.main import Change

from ingest import files
from ingest.load import LoadResult

TICK: Final = 500
"""Milliseconds after which one looks whether anything waits."""
REST: Final = 200
"""Milliseconds without a change after which a change has come to rest."""


class Followed:
    """The paths that are followed, as they were given, and which files below them are reports."""

    def __init__(self, paths: Sequence[str], own: Path) -> None:
        """Resolve the paths once: a working folder does not change."""
        self._own = own.absolute()
        self._folders = {Path(path).resolve(): path for path in paths if Path(path).is_dir()}
        self._files = {Path(path).resolve(): path for path in paths if not Path(path).is_dir()}

    def changes(self) -> Iterator[set[str]]:
        """Yield what changed, as paths to load; empty sets in between, until an interrupt."""
        tops = {*self._folders, *(file.parent for file in self._files)}
        for changed in watch(
            *sorted(tops),
            watch_filter=self._is_wanted,
            step=REST,
            rust_timeout=TICK,
            yield_on_timeout=True,
            recursive=bool(self._folders),
        ):
            given = {self._given(Path(path)) for _, path in changed}
            found = {path for path in given if path is not None and Path(path).exists()}
            yield {path for path in found if found.isdisjoint(map(str, Path(path).parents))}

    def _is_wanted(self, change: Change, name: str) -> bool:
        path = Path(name)
        if change is Change.deleted or path.name.startswith("."):
            return False
        if path.parent == self._own.parent.resolve() and path.name.startswith(self._own.name):
            return False
        return path in self._files or files.looks_like_json(name) or path.is_dir()

    def _given(self, path: Path) -> str | None:
        """Return a path as an ingest of what was given would name it."""
        if path in self._files:
            return self._files[path]
        for top, given in self._folders.items():
            if path.is_relative_to(top):
                return str(Path(given) / path.relative_to(top))
        return None


def follow(
    followed: Followed,
    first: Sequence[str],
    load: Callable[[Sequence[str]], LoadResult | None],
    say: Callable[[LoadResult], None],
) -> LoadResult:
    """Load everything, then whatever changes, until an interrupt; return what became of it all.

    What ``load`` returns nothing for is tried again a moment later.
    """
    total = LoadResult([], [], [])
    waiting: set[str] | None = None
    try:
        for changed in followed.changes():
            waiting = set(first) if waiting is None else waiting | changed
            if not waiting:
                continue
            result = load(sorted(waiting))
            if result is not None:
                waiting = set()
                total = _later(total, result)
                say(result)
    except KeyboardInterrupt:
        pass
    return total


def _later(before: LoadResult, now: LoadResult) -> LoadResult:
    """Return both together; what is said now of a file replaces what was said of it before."""
    fresh = {each.path for each in now.loaded} | {each.path for each in now.rejected}
    same = {each.path for each in now.unchanged}
    loaded = [each for each in before.loaded if each.path not in fresh]
    mine = {each.path for each in loaded}
    return LoadResult(
        [*loaded, *now.loaded],
        [
            *(each for each in before.unchanged if each.path not in fresh | same),
            *(each for each in now.unchanged if each.path not in mine),
        ],
        [*(each for each in before.rejected if each.path not in fresh | same), *now.rejected],
    )
