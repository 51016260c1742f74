"""Counting a lake on Daft: in this process, or on the machines of a Ray cluster.

Only the reductions of ``queries`` go there, each as one query over the lake's files; what comes
back are its counts. A query that fails is asked again from the start, since a cluster goes on
without a worker it has lost; there is never a part of an answer.
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

import polars as pl

from ingest.errors import EngineFailed
from ingest.stored import deferred

LOCAL: Final = "local"
RAY: Final = "ray"
CLIENT: Final = "ray://"
ATTEMPTS: Final = 4
FILES_AT_ONCE: Final = 500
"""Files that one task reads at most; Daft makes a task of about 100 MB."""
_PAUSE: Final = 2.0
_QUIET: Final = {
    "DAFT_PROGRESS_BAR": "0",
    "DAFT_ANALYTICS_ENABLED": "0",
    "DO_NOT_TRACK": "true",
    "RAY_USAGE_STATS_ENABLED": "0",
}
_MISSING: Final = (
    "it needs packages that are not installed; install them with: pip install 'unaveraged[cluster]'"
)
_ONE: Final = threading.Lock()
"""Polars asks for several results at a time; Daft starts its runner at the first query."""
_CHOSEN: Final[ContextVar[str | None]] = ContextVar("engine", default=None)


def is_engine(name: str) -> bool:
    """Return whether this names an engine: local, ray, or ray://HOST:PORT."""
    return name in (LOCAL, RAY) or (name.startswith(CLIENT) and ":" in name[len(CLIENT) :])


def choose(name: str | None) -> None:
    """Count lakes opened from now on with this engine; with null, with the database."""
    _CHOSEN.set(name)


def chosen(lake: Path) -> "Engine | None":
    """Return what counts this lake; null means the database that reads it."""
    name = _CHOSEN.get()
    return None if name is None else Engine(lake, name)


class Engine:
    """Daft, and where it runs. A process can use one cluster."""

    def __init__(self, lake: Path, name: str) -> None:
        """Take the lake, for messages, and the name of the engine."""
        self.lake = lake
        self.name = name

    def count(self, query: Callable[[Any], Any]) -> pl.DataFrame:
        """Return the rows of a query, which is given Daft; ask again when it fails.

        Raises:
            EngineFailed: When it fails for the last time, or the engine is not installed.
        """
        daft = self._found()
        reason = ""
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(_PAUSE * attempt)
            try:
                with _ONE:
                    if self.name != LOCAL:
                        _join(self.name)
                    return pl.DataFrame(query(daft).to_arrow())
            except Exception as error:  # noqa: BLE001 (a cluster fails in ways of its own)
                reason = _reason(error)
        raise EngineFailed(self.lake, self.name, f"{ATTEMPTS} attempts failed, the last: {reason}")

    def _found(self) -> Any:
        for variable, value in _QUIET.items():
            os.environ.setdefault(variable, value)
        try:
            import daft
            import narwhals_daft  # noqa: F401 (narwhals finds it; without it nothing can be counted)

            if self.name != LOCAL:
                import ray  # noqa: F401
        except ImportError as error:
            raise EngineFailed(self.lake, self.name, f"{_MISSING} ({error})") from error
        # A lake has a file a run: read one by one, small files cost a task each.
        daft.set_execution_config(
            enable_scan_task_split_and_merge=True,
            max_sources_per_scan_task=FILES_AT_ONCE,
            maintain_order=False,
        )
        return daft


def _join(name: str) -> None:
    """Connect this process to Ray, once."""
    import daft
    import ray

    if not ray.is_initialized():
        # Without an address: the cluster that RAY_ADDRESS names, else one on this machine.
        address = name if name.startswith(CLIENT) else os.environ.get("RAY_ADDRESS")
        sys.stdout = _OfMainThread(sys.stdout)
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        daft.set_runner_ray(noop_if_initialized=True)


class _OfMainThread:
    """Standard output for the main thread alone: Ray's others print what befalls nodes."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write what the main thread says, and what others say to standard error."""
        own = threading.current_thread() is threading.main_thread()
        written: int = (self._stream if own else sys.stderr).write(text)
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _reason(error: Exception) -> str:
    told = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {told}" if told else type(error).__name__


class Spread:
    """A table of a lake that an engine counts. Built by a lake's reader."""

    def __init__(
        self, engine: Engine, paths: Sequence[str], schema: Mapping[str, pl.DataType]
    ) -> None:
        """Take the engine, the files and the columns of the table."""
        self._engine = engine
        self._paths = paths
        self.empty = pl.LazyFrame(schema=dict(schema))

    def counted(self, reduce: Callable[..., Any], tables: tuple[Any, ...], /) -> pl.LazyFrame:
        """Return what ``reduce`` makes of ``tables``, computed by the engine when collected."""

        def compute() -> pl.DataFrame:
            # Collected first: a frame can be counted by the engine too, which does one at a time.
            inputs = [
                table if isinstance(table, Spread) else table.collect().to_arrow()
                for table in tables
            ]
            return self._engine.count(lambda daft: reduce(*_given(daft, inputs)))

        return deferred(reduce, tables, compute)

    def scan(self, daft: Any) -> Any:
        """Return the table as the engine reads it."""
        if not self._paths:
            return daft.from_arrow(self.empty.collect().to_arrow())
        return daft.read_parquet(list(self._paths))


def _given(daft: Any, inputs: Sequence[Any]) -> Iterator[Any]:
    for each in inputs:
        yield each.scan(daft) if isinstance(each, Spread) else daft.from_arrow(each)
