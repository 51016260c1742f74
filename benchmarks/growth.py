"""Time against rows, a decade a step: the same figures of a store, of its lake, and on Daft.

    python -m benchmarks.growth [--folder DIR] [--from 10000] [--to 10000000] [--tries 3]
        [--ray ray://HOST:PORT|ray] [--plot PLOT.svg]

Stores are generated without payloads, synced to a lake, and asked for reliability, variance and
votes of all their runs, each time by a new process that reads nothing but what it needs and keeps
no figures. *Start* is the process until its first question, a cluster's joining included; *count*
the three figures. Every way must give the same figures; a digest of them is compared. With
``--plot`` a picture is written too. Stores, lakes and results are kept in ``--folder`` and used
again: a decade can be added later.
"""

import argparse
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import altair as alt
import polars as pl

from benchmarks.generate import FULL, of_checks
from benchmarks.limits import installed
from benchmarks.scale import make

STORE: Final = "store"
LAKE: Final = "lake"
DAFT: Final = "Daft here"
RAY: Final = "Daft on Ray"
NAME: Final = 1.25
"""How far apart names stand, as a factor of seconds."""
ORDER: Final = (STORE, LAKE, DAFT, RAY)


Row = dict[str, Any]


class Way(NamedTuple):
    """Who counts what: the database of a store or a lake, or an engine."""

    name: str
    engine: str | None = None


class Taken(NamedTuple):
    """What one process took: seconds until it was ready, seconds of counting, megabytes."""

    start: float
    count: float
    peak: float
    digest: str


def ask(counted: str, engine: str | None = None) -> None:
    """Count in this process; print when it was ready, how long it took, and what came out."""
    from dashboard import figures, kept, repeated
    from ingest.store import lake
    from queries.votes import THRESHOLD

    path = Path(counted)
    lake.choose_engine(engine)
    digest = hashlib.sha256()
    with kept.unused():
        runs = figures.chosen(path, None)
        if engine is not None:
            repeated.votes(path, runs.clear(), THRESHOLD)  # joins the cluster
        ready, started = time.time(), time.perf_counter()
        found = [*figures.reliability(path, runs, figures.rules(None))]
        found += [repeated.cells(path, runs), *repeated.votes(path, runs, THRESHOLD)]
    taken = time.perf_counter() - started
    for frame in found:
        digest.update(frame.write_json().encode())
    print(json.dumps([ready, taken, digest.hexdigest()]))  # noqa: T201


def measure(path: Path, way: Way) -> Taken:
    """Ask in a process of its own."""
    code = "import sys; from benchmarks.growth import ask; ask(*sys.argv[1:])"
    started = time.time()
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", code, str(path), *([way.engine] if way.engine else [])],
        stdout=subprocess.PIPE,
        env=installed(),
    )
    told = process.stdout.read() if process.stdout else b""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{way.name} of {path} ended with {process.returncode}")
    ready, count, digest = json.loads(told.splitlines()[-1])
    unit = 1 if sys.platform == "darwin" else 1024
    return Taken(ready - started, count, usage.ru_maxrss * unit / 1e6, digest)


def prepared(folder: Path, checks: int) -> tuple[Path, Path, float]:
    """Return a store with about this many checks, its lake, and the seconds the sync took."""
    store, lake = folder / f"{checks}.duckdb", folder / f"{checks}.lake"
    if not store.exists():
        make(store, of_checks(checks, FULL._replace(payloads=False)))
    began = time.perf_counter()
    words = ["lake", "sync", str(lake), "--db", str(store), "--json"]
    subprocess.run(  # noqa: S603
        [sys.executable, "-m", "dashboard.cli", *words],
        check=True,
        env=installed(),
        stdout=subprocess.DEVNULL,
    )
    return store, lake, time.perf_counter() - began


def rows(folder: Path, decades: Sequence[int], ways: Sequence[Way], tries: int) -> Iterator[Row]:
    """Yield a row per decade and way, medians; ways take turns, so that they share the noise."""
    for checks in decades:
        store, lake, synced = prepared(folder, checks)
        taken: dict[str, list[Taken]] = {way.name: [] for way in ways}
        for _ in range(tries):
            for way in ways:
                taken[way.name].append(measure(store if way.name == STORE else lake, way))
        digests = {each.digest for measured in taken.values() for each in measured}
        for way in ways:
            measured = taken[way.name]
            print(checks, way.name, *measured, file=sys.stderr, flush=True)  # noqa: T201
            middle = sorted(measured, key=lambda each: each.count)[len(measured) // 2]
            yield {
                "checks": checks,
                "way": way.name,
                "start": middle.start,
                "count": middle.count,
                "peak": max(each.peak for each in measured),
                "equal": len(digests) == 1,
                "synced": synced,
                "lake": sum(each.stat().st_size for each in lake.rglob("*.parquet")) / 1e6,
                "store": store.stat().st_size / 1e6,
            }


def slope(found: pl.DataFrame, way: str) -> float | None:
    """Return by how many decades the time grows over the last decade of rows."""
    counts = found.filter(pl.col("way") == way).sort("checks")["count"].to_list()
    return math.log10(counts[-1] / counts[-2]) if len(counts) > 1 else None


def table(found: pl.DataFrame) -> list[str]:
    """Return the lines of the table, and the slopes."""
    lines = [
        "| checks | counted by | start, s | count, s | × store | peak MB | equal |",  # noqa: RUF001
        "|---:|---|---:|---:|---:|---:|---|",
    ]
    for row in found.iter_rows(named=True):
        base = found.filter((pl.col("checks") == row["checks"]) & (pl.col("way") == STORE))
        ratio = row["count"] / base["count"][0]
        lines.append(
            f"| {row['checks']:,} | {row['way']} | {row['start']:.2f} | {row['count']:.2f} "
            f"| {ratio:.2f} | {row['peak']:.0f} | {'yes' if row['equal'] else 'NO'} |"
        )
    lines += ["", "| checks | store MB | lake MB | sync, s |", "|---:|---:|---:|---:|"]
    for row in found.filter(pl.col("way") == STORE).iter_rows(named=True):
        lines.append(
            f"| {row['checks']:,} | {row['store']:.1f} | {row['lake']:.1f} | {row['synced']:.1f} |"
        )
    told = [(way, slope(found, way)) for way in found["way"].unique(maintain_order=True)]
    words = (f"{way} {each:.2f}" for way, each in told if each is not None)
    return [*lines, "", f"Slope over the last decade (1 is linear): {', '.join(words)}"]


def plot(found: pl.DataFrame, path: Path) -> None:
    """Draw seconds of counting against checks, both by decades, each line with its name."""
    x = alt.X(
        "checks:Q",
        scale=alt.Scale(type="log"),
        axis=alt.Axis(values=sorted(found["checks"].unique()), format="~s"),
        title="checks in the store",
    )
    y = alt.Y(
        "count:Q",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(values=[0.1, 1, 10, 100, 1000], format="~g"),
        title="seconds for three figures",
    )
    color = alt.Color("way:N", sort=ORDER, legend=None)
    lines = alt.Chart(found).mark_line(point=True).encode(x=x, y=y, color=color)
    names = (
        alt.Chart(_apart(found))
        .mark_text(align="left", dx=8)
        .encode(x="checks:Q", y="place:Q", text="way:N", color=color)
    )
    chart = (lines + names).properties(width=520, height=320, padding={"right": 90})
    chart.configure(background="white").save(path)


def _apart(found: pl.DataFrame) -> pl.DataFrame:
    """Return the last point of each line, and a place for its name that no other name takes."""
    last = found.filter(pl.col("checks") == found["checks"].max()).sort("count")
    places: list[float] = []
    for count in last["count"]:
        places.append(max([count, *(place * NAME for place in places[-1:])]))
    return last.with_columns(place=pl.Series(places))


def remembered(folder: Path, measured: pl.DataFrame) -> pl.DataFrame:
    """Return these rows and those of earlier calls that are of other decades, and keep them all."""
    file = folder / "growth.json"
    if file.exists():
        before = pl.read_json(file, schema=measured.schema)
        measured = pl.concat([before.join(measured, on="checks", how="anti"), measured])
    measured = measured.sort("checks", maintain_order=True)
    measured.write_json(file)
    return measured


def main() -> None:
    """Measure, print, and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="where stores and lakes are kept")
    parser.add_argument("--from", dest="low", type=int, default=10_000)
    parser.add_argument("--to", dest="high", type=int, default=10_000_000)
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--ray", help="a cluster: ray://HOST:PORT, or ray for that of RAY_ADDRESS")
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    ways = [Way(STORE), Way(LAKE), Way(DAFT, "local")]
    ways += [Way(RAY, given.ray)] if given.ray else []
    decades = [10**power for power in range(20) if given.low <= 10**power <= given.high]
    with tempfile.TemporaryDirectory() as name:
        folder = given.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        found = remembered(folder, pl.DataFrame(rows(folder, decades, ways, given.tries)))
        for line in table(found):
            print(line)  # noqa: T201
        if given.plot:
            plot(found, given.plot)


if __name__ == "__main__":
    main()
