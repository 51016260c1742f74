"""Reads some files once and says what that took: one JSON object on standard output.

    python one_read.py METHOD PATH [STORE]

A program of its own, so that each measurement has a fresh process, and so that another interpreter
can run it, with other packages. Importing is not part of the time; it is part of the peak memory.
"""

import gc
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MEGABYTE = 1024 if sys.platform == "linux" else 1024 * 1024
OBJECT_BYTES = 2**31


def _files(path: Path) -> list[Path]:
    return sorted(path.iterdir()) if path.is_dir() else [path]


def _ingest(path: Path, store: Path) -> Callable[[], Any]:
    from ingest.load import load_paths

    return lambda: load_paths([str(path)], store)


def _orjson(path: Path, _: Path) -> Callable[[], Any]:
    import orjson

    def read() -> list[Any]:
        kept = []
        for file in _files(path):
            if file.suffix == ".jsonl" and path.is_file():
                with file.open("rb") as lines:
                    kept.extend(map(orjson.loads, lines))
            else:
                kept.append(orjson.loads(file.read_bytes()))
        return kept

    return read


def _orjson_without_collector(path: Path, store: Path) -> Callable[[], Any]:
    read = _orjson(path, store)
    gc.disable()
    return read


def _duckdb(path: Path, store: Path) -> Callable[[], Any]:
    import duckdb  # noqa: TID251 - the reader that is compared, not the store

    found = f"{path}/*" if path.is_dir() else str(path)
    scan = f"read_json_auto('{found}', maximum_object_size = {OBJECT_BYTES}, sample_size = 100)"

    def read() -> None:
        with duckdb.connect(str(store)) as connection:
            connection.execute(f"CREATE TABLE read AS SELECT * FROM {scan}").fetchall()  # noqa: S608

    return read


def _samples_df(path: Path, _: Path) -> Callable[[], Any]:
    from inspect_ai.analysis import samples_df

    def read() -> Any:
        found = samples_df([str(file) for file in _files(path)], quiet=True)
        if not len(found):
            raise ValueError(f"no log in {path}")
        return found

    return read


METHODS = {
    "ingest": _ingest,
    "ingest-again": _ingest,
    "orjson": _orjson,
    "orjson-without-collector": _orjson_without_collector,
    "duckdb": _duckdb,
    "samples-df": _samples_df,
}


def main() -> None:
    """Measure one method on one path."""
    method, path, *store = sys.argv[1:]
    read = METHODS[method](Path(path), Path(*store))
    began, used = time.perf_counter(), time.process_time()
    kept = read()
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    told = {"seconds": seconds, "processor": processor, "peak": peak}
    print(json.dumps(told), flush=True)  # noqa: T201
    del kept


if __name__ == "__main__":
    main()
