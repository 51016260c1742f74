"""Figures of runs that were counted before, kept in a hidden folder beside a large store.

Every figure is one of a run and depends on no other run, and what a run holds never changes. So
what was counted of it holds until its report is loaded anew, the rules differ, or this program
does: the name of a file says of which program and rules it is, and inside stands of which runs and
loadings. Only runs that are not in it are counted. The folder can be removed at any time; where it
cannot be written, everything is counted each time.
"""

import contextlib
import functools
import hashlib
import io
import json
import os
import shutil
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from ingest import store

SMALLEST: Final = 64_000_000
"""Bytes of a store from which on figures are kept; a smaller one is counted at once."""
QUICK: Final = 0.2
"""Seconds of counting that are not worth keeping."""
MOST_VARIANTS: Final = 4
"""Files of one figure: each is of other rules."""
_RUNS: Final = "runs.json"
_PACKAGES: Final = ("queries", "dashboard", "ingest")

_USED: Final = ContextVar("used", default=True)

Compute = Callable[[pl.DataFrame], Sequence[pl.DataFrame]]


class _Kept(NamedTuple):
    """Frames, and when the report of each run in them was loaded."""

    loaded: dict[str, str]
    frames: list[pl.DataFrame]


def figures(
    db: Path, runs: pl.DataFrame, name: str, compute: Compute, asked: object = ""
) -> list[pl.DataFrame]:
    """Return the frames that ``compute`` makes of runs, counting only what is not kept.

    Args:
        db: The store.
        runs: Rows of ``figures.described``.
        name: What the figure is called.
        compute: Returns frames with a column ``run``, whose rows of a run depend on it alone, and
            which are sorted by run first.
        asked: What else the figure depends on, such as the rules.
    """
    if not (_USED.get() and _is_large(db) and "ingested_at" in runs.columns):
        return [*compute(runs)]
    loaded = {run: str(at) for run, at in runs.select("run", "ingested_at").iter_rows()}
    file = _file(db, name, asked)
    known = _read(file)
    there = [run for run, at in loaded.items() if known.loaded.get(run) == at]
    missing = runs.filter(~pl.col("run").is_in(there))
    kept = [frame.filter(pl.col("run").is_in(there)) for frame in known.frames]
    if there and missing.is_empty():
        return kept
    started = time.monotonic()
    counted = [*compute(missing)]
    if time.monotonic() - started > QUICK:
        fresh = {run: loaded[run] for run in missing["run"]}
        _keep(db, file, _joined(known, _Kept(fresh, counted)))
    return _joined(_Kept({}, kept), _Kept({}, counted)).frames if there else counted


@contextlib.contextmanager
def unused() -> Iterator[None]:
    """Count everything within, as if nothing had been kept."""
    token = _USED.set(False)
    try:
        yield
    finally:
        _USED.reset(token)


def prune(db: Path) -> None:
    """Take the figures of runs away that the store does not hold any more."""
    for file in _folder(db).glob("*.zip"):
        known = _read(file)
        if known.loaded:
            _keep(db, file, known)


def clear(db: Path) -> None:
    """Remove everything that is kept beside a store."""
    shutil.rmtree(_folder(db), ignore_errors=True)


def _is_large(db: Path) -> bool:
    try:
        return db.stat().st_size >= SMALLEST
    except OSError:
        return False


def _folder(db: Path) -> Path:
    return db.with_name(f".{db.name}.figures")


def _file(db: Path, name: str, asked: object) -> Path:
    variant = hashlib.sha256(repr(asked).encode()).hexdigest()[:16]
    return _folder(db) / f"{name}.{_program()}.{variant}.zip"


@functools.cache
def _program() -> str:
    """Return a digest of everything that figures are made by."""
    digest = hashlib.sha256(f"{pl.__version__} {store.ENGINE}".encode())
    for package in _PACKAGES:
        for source in _sources(files(package)):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _sources(folder: Traversable) -> Iterator[Traversable]:
    for each in sorted(folder.iterdir(), key=lambda one: one.name):
        if each.name.endswith((".py", ".toml", ".sql")):
            yield each


def _read(file: Path) -> _Kept:
    """Return what a file holds; nothing where there is none, or none that can be read."""
    try:
        with zipfile.ZipFile(file) as archive:
            told = json.loads(archive.read(_RUNS))
            parts = [archive.read(f"{place}.arrow") for place in range(told["frames"])]
        return _Kept(dict(told["loaded"]), [pl.read_ipc(io.BytesIO(part)) for part in parts])
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, pl.exceptions.PolarsError):
        return _Kept({}, [])


def _joined(known: _Kept, more: _Kept) -> _Kept:
    """Return the rows of both; of a run that is in both, the later ones."""
    others = ~pl.col("run").is_in(list(more.loaded))
    if not known.frames:
        return more
    frames = [
        pl.concat([old.filter(others), new]).sort("run", maintain_order=True)
        for old, new in zip(known.frames, more.frames, strict=True)
    ]
    return _Kept(known.loaded | more.loaded, frames)


def _keep(db: Path, file: Path, found: _Kept) -> None:
    """Write what the store still holds, whole or not at all; without room for it, nothing."""
    with store.open_reader(db) as reader:
        there = set(reader.frame("run", ("run",))["run"])
    loaded = {run: at for run, at in found.loaded.items() if run in there}
    frames = [frame.filter(pl.col("run").is_in(list(loaded))) for frame in found.frames]
    fresh = file.with_name(f"{file.name}.new-{os.getpid()}")
    try:
        file.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(fresh, "w") as archive:
            archive.writestr(_RUNS, json.dumps({"loaded": loaded, "frames": len(frames)}))
            for place, frame in enumerate(frames):
                written = io.BytesIO()
                frame.write_ipc(written, compression="zstd")
                archive.writestr(f"{place}.arrow", written.getbuffer())
        fresh.replace(file)
        _clear(file)
    except OSError:
        fresh.unlink(missing_ok=True)


def _clear(file: Path) -> None:
    """Remove what another program kept of this figure, and rules that were not used lately."""
    figure = file.name.partition(".")[0]
    own = sorted(
        file.parent.glob(f"{figure}.*"), key=lambda each: each.stat().st_mtime, reverse=True
    )
    current = [each for each in own if each.name.split(".")[1:2] == [_program()]]
    for each in own:
        if each not in current[:MOST_VARIANTS]:
            each.unlink(missing_ok=True)
