"""How long the server takes for each page on a large store: prints a Markdown table.

    python -m benchmarks.pages STORE

Each page is run as Streamlit runs it, without a browser, in a process that was just started:
*first* reads the store, *again* is the same page once more, *filter* the page after a filter
changed. What a server does while the browser starts is done before. *Nothing kept* is the first
after all figures that were kept beside the store (:mod:`dashboard.kept`) were removed.
:mod:`benchmarks.scale` makes a store and measures the commands on it as well.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st
from streamlit.testing.v1 import AppTest

from benchmarks.limits import installed, verdict
from dashboard import kept, serving
from dashboard.server import STORE_VARIABLE
from ingest.records import trial_name
from ingest.store import Reader, open_reader

APP: Final = Path(__file__).parents[1] / "dashboard" / "app.py"
AGAIN: Final = 3
FIRST: Final = 1.0
"""Seconds in which the first content of a page must be there."""
NEXT: Final = 0.5
"""Seconds for a case, and for a page after a filter changed."""
MEMORY: Final = 1.5
"""Gigabytes that the server may take."""
WARM: Final = "Not loaded"
START: Final = "start"
Query = Mapping[str, str | list[str]]


class Page(NamedTuple):
    """A page, its address, and what a filter changes in it."""

    view: str
    query: Query
    changed: Query
    first: float = FIRST


class Chosen(NamedTuple):
    """What is looked at: the largest run of each format, a failed trial, its suite and subjects."""

    run: str
    other: str
    samples: str
    rows: str
    suite: str
    case: str
    item: str


def chosen(store: Path) -> Chosen:
    """Return what is looked at, the largest of its kind."""
    with open_reader(store) as reader:
        runs = reader.frame("run", ("run", "format", "suite", "subject", "settled"))
        runs = runs.sort("settled", "run", descending=True)
        cases = runs.filter(pl.col("format") == "evaluation-report")
        run, suite = cases.row(0, named=True)["run"], cases["suite"][0]
        others = cases.filter(suite=suite)["run"]
        case, item = _failed(reader, run)
    of_format = dict(runs.group_by("format", maintain_order=True).first()["format", "run"].rows())
    samples = of_format.get("sample-report", run)
    rows = of_format.get("trial-row", run)
    return Chosen(run, others[min(1, len(others) - 1)], samples, rows, suite, case, item)


def _failed(reader: Reader, run: str) -> tuple[str, str]:
    trials = reader.frame("trial", ("trial", "item"), runs=[run], where={"outcome": "failed"})
    trial, item = trials.sort("trial").row(0)
    return trial_name(trial), item


def pages(store: Path) -> dict[str, Page]:
    """Return what is measured."""
    at = chosen(store)
    run: Query = {"run": at.run}
    within = {"case": at.case, "within": f"run={at.run}&item={at.item}"}
    return {
        "Runs": Page("overview", {}, {"q": "a"}),
        "Reliability": Page("reliability", run, {"run": at.other}),
        "Compare": Page("compare", {"base": at.run, "run": at.other}, {"q": "7"}),
        "Variance": Page("variance", run, {"q": "7"}),
        "Judges": Page("judges", {"run": at.samples}, {"threshold": "4"}),
        "Failures": Page("failures", run, {"item": at.item}),
        "Failures, six runs": Page("failures", {"suite": at.suite}, {"item": at.item}),
        "Case": Page("case", {"case": at.case}, {"find": "a"}, NEXT),
        "Case of a filtered list": Page("case", within, {}, NEXT),
        "Side by side": Page("divergence", {"case": at.case}, {"equal": "1"}),
        "Search": Page("search", {**run, "q": "zebra"}, {"q": "giraffe"}),
        "Trials": Page("trials", run, {"q": "7"}),
        "History": Page("history", {"suite": at.suite}, {"q": "7"}),
        "Routing": Page("routing", {"run": at.rows}, {}),
        WARM: Page("rejections", {}, {}),
    }


class Taken(NamedTuple):
    """Seconds of a page: first and its processor's, again, and after a filter changed."""

    first: float
    busy: float
    again: float
    changed: float | None


def measure(page: Page) -> Taken:
    """Return the seconds of a page in this process."""
    test = AppTest.from_file(str(APP), default_timeout=300)
    if page.view != "overview":
        test.switch_page(f"views/{page.view}.py")
    for name, value in page.query.items():
        test.query_params[name] = value
    busy = time.process_time()
    first = _timed(test)
    busy = time.process_time() - busy
    again = statistics.median(_timed(test) for _ in range(AGAIN))
    for name, value in page.changed.items():
        test.query_params[name] = value
    return Taken(first, busy, again, _timed(test) if page.changed else None)


def _timed(test: AppTest) -> float:
    started = time.perf_counter()
    test.run()
    taken = time.perf_counter() - started
    if test.exception:
        raise RuntimeError(test.exception[0].value)
    return taken


def one(store: Path, title: str) -> Taken:
    """Measure a page in this process, after the server got ready as it does when it starts."""
    os.environ[STORE_VARIABLE] = str(store)
    serving.warm(store)
    listed = pages(store)
    measure(listed[WARM])
    st.cache_resource.clear()
    return measure(listed[title])


def start(store: Path) -> Taken:
    """Measure how long the server takes to get ready, beside the browser's own start."""
    began, busy = time.perf_counter(), time.process_time()
    serving.warm(store)
    return Taken(time.perf_counter() - began, time.process_time() - busy, 0.0, None)


def together(store: Path) -> float:
    """Serve every page in this process, as one server does, and return its peak in gigabytes."""
    os.environ[STORE_VARIABLE] = str(store)
    for page in pages(store).values():
        measure(page)
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


def apart(store: Path, title: str | None = None) -> Any:
    """Do :func:`one`, or without a page :func:`together`, in a process that is started for it."""
    words = ["--together"] if title is None else ["--one", title]
    command = [sys.executable, "-m", "benchmarks.pages", str(store), *words]
    done = subprocess.run(  # noqa: S603
        command, check=True, capture_output=True, text=True, env=installed()
    )
    return json.loads(done.stdout)


def table(store: Path, tries: int = 1) -> Iterator[str]:
    """Yield the lines of the table as they are measured, each figure the least of some tries."""
    ready = [Taken(*apart(store, START)) for _ in range(tries + 1)]
    yield from (
        f"The server gets ready in {min(ready).first:.2f} s, while the browser starts.",
        "",
        "| page | nothing kept, s | first, s (limit) | processor | again | filter, s (limit) | |",
        "|---|---:|---:|---:|---:|---:|---|",
    )
    for title, page in pages(store).items():
        kept.clear(store)
        uncounted = Taken(*apart(store, title))
        found = [Taken(*apart(store, title)) for _ in range(tries)]
        first = min(each.first for each in found)
        busy = min(each.busy for each in found)
        again = min(each.again for each in found)
        changes = [each.changed for each in found if each.changed is not None]
        changed = min(changes, default=None)
        met = verdict((first, busy, page.first), (changed or 0, 0, NEXT))
        told = "–" if changed is None else f"{changed:.2f} ({NEXT:g})"  # noqa: RUF001
        yield (
            f"| {title} | {uncounted.first:.2f} | {first:.2f} ({page.first:g}) | {busy:.2f} "
            f"| {again:.2f} | {told} | {met} |"
        )
    peak = apart(store)
    met = verdict((peak, peak, MEMORY))
    yield from ("", f"Server after every page: {peak:.2f} GB at most ({MEMORY:g}): {met}")


def main() -> None:
    """Print the table of a store, or measure one thing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--tries", type=int, default=1)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--together", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one == START:
        print(json.dumps(start(given.store)))  # noqa: T201
    elif given.one:
        print(json.dumps(one(given.store, given.one)))  # noqa: T201
    elif given.together:
        print(json.dumps(together(given.store)))  # noqa: T201
    else:
        for line in table(given.store, given.tries):
            print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
