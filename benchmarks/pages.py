"""How long the server takes for each page on a large store: prints a Markdown table.

    python -m benchmarks.pages [--runs 100] [--items 200] [--repetitions 50] [--store PATH]

The default size is 1,000,000 trials. A page is run as Streamlit runs it, without a browser: *first*
reads the store, *again* is the same page once more, *filter* the page after a filter changed.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.testing.v1 import AppTest

from benchmarks.generate import FULL, Size, generate
from dashboard.server import STORE_VARIABLE
from ingest.records import trial_name
from ingest.store import open_reader

APP: Final = Path(__file__).parents[1] / "dashboard" / "app.py"
AGAIN: Final = 3
Query = Mapping[str, str]


def pages(store: Path) -> dict[str, tuple[str, Query, Query]]:
    """Return what is measured: the page, its address, and what a filter changes in it."""
    with open_reader(store) as reader:
        run = min(reader.frame("run", ("run",), where={"format": "evaluation-report"})["run"])
        failed = reader.frame("trial", runs=[run], where={"outcome": "failed"}).sort("trial")
    case = trial_name(failed["trial"][0])
    item = str(failed["item"][0])
    return {
        "Runs": ("overview", {}, {"q": "a"}),
        "Reliability": ("reliability", {"run": run}, {}),
        "Failures": ("failures", {"run": run}, {"item": item}),
        "Failures, six runs": ("failures", {"suite": _suite(store, run)}, {"item": item}),
        "Case": ("case", {"case": case}, {"find": "a"}),
        "Case of a filtered list": (
            "case",
            {"case": case, "within": f"run={run}&item={item}"},
            {},
        ),
        "Side by side": ("divergence", {"case": case}, {"equal": "1"}),
        "Search": ("search", {"run": run, "q": "zebra"}, {"q": "giraffe"}),
        "Not loaded": ("rejections", {}, {}),
    }


def _suite(store: Path, run: str) -> str:
    with open_reader(store) as reader:
        return str(reader.frame("run", ("suite",), runs=[run]).item())


def measure(view: str, query: Query, changed: Query) -> tuple[float, float, float | None]:
    """Return the seconds of a page: first, again, and after a filter changed."""
    st.cache_resource.clear()
    test = AppTest.from_file(str(APP), default_timeout=300)
    if view != "overview":
        test.switch_page(f"views/{view}.py")
    for name, value in query.items():
        test.query_params[name] = value
    first = _timed(test)
    again = statistics.median(_timed(test) for _ in range(AGAIN))
    for name, value in changed.items():
        test.query_params[name] = value
    return first, again, _timed(test) if changed else None


def _timed(test: AppTest) -> float:
    started = time.perf_counter()
    test.run()
    taken = time.perf_counter() - started
    if test.exception:
        raise RuntimeError(test.exception[0].value)
    return taken


def _table(store: Path) -> None:
    os.environ[STORE_VARIABLE] = str(store)
    listed = pages(store)
    measure("rejections", {}, {})  # imports everything, which a server does once
    print("| page | first, s | again, s | filter, s |\n|---|---|---|---|")  # noqa: T201
    for title, asked in listed.items():
        first, again, changed = measure(*asked)
        last = "–" if changed is None else f"{changed:.2f}"  # noqa: RUF001
        print(f"| {title} | {first:.2f} | {again:.2f} | {last} |", flush=True)  # noqa: T201


def main() -> None:
    """Make the store unless one is given, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, help="measure this store")
    for name, default in FULL._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    if given.store is not None:
        _table(given.store)
        return
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "pages.duckdb"
        generate(store, Size(given.runs, given.items, given.repetitions))
        _table(store)


if __name__ == "__main__":
    main()
