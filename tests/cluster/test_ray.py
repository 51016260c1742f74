"""Two Ray nodes on this machine count what the database counts, also when one is killed.

The nodes have addresses of the loopback network, as two machines would, and are ended by process
group. Where they cannot be started, as on systems with one loopback address, that is said.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from ingest import subjects
from ingest.load import load_paths
from ingest.store import lake
from tests.cli.questions import QUESTIONS
from tests.ingest.stores import DATA, ROOT, SAMPLES

pytest.importorskip("ray")
pytestmark = pytest.mark.cluster

HEAD: Final = "127.0.0.2"
WORKER: Final = "127.0.0.3"
STARTING: Final = 150.0
MEMORY: Final = 150_000_000
TAKEN: Final[set[int]] = set()
QUIET: Final = {
    "RAY_AUTH_MODE": "disabled",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_raylet_start_wait_time_s": "120",
}

PLAIN: Final = "from dashboard.cli import main; main()"
EVERYTHING: Final = """
import json, sys
from click.testing import CliRunner
from dashboard.cli import app
from tests.cli.questions import QUESTIONS
asked = [CliRunner().invoke(app, [*each, *sys.argv[1:]]) for each in QUESTIONS]
wrong = [each.output for each in asked if each.exit_code]
print(json.dumps([each.stdout for each in asked]) if not wrong else sys.exit(wrong[0]))
"""
TELLING: Final = """
import pathlib, sys
from dashboard.cli import main
from ingest.store.lake import engine
marker, count = pathlib.Path(sys.argv.pop(1)), engine.Engine.count
asked = []
def counting(self, query):
    asked.append(query)
    if len(asked) == 3:
        marker.touch()
    return count(self, query)
engine.Engine.count = counting
main()
"""
"""The command line, which says when its third query begins."""


class Cluster:
    """A head and a worker, each a process group of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.client = free_port(), free_port()
        self.engine = f"{lake.CLIENT}{HEAD}:{self.client}"
        self.groups: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        # A short path: names of sockets are limited to about a hundred bytes.
        head = ["--head", f"--port={self.port}", "--include-dashboard=false"]
        head += [f"--temp-dir={self.folder}", f"--ray-client-server-port={self.client}"]
        self.node(HEAD, head)
        wait_for_port(HEAD, self.client)
        self.node(WORKER, [f"--address={HEAD}:{self.port}"])

    def node(self, address: str, options: Sequence[str]) -> None:
        words = [str(Path(sys.executable).with_name("ray")), "start", "--block", "--num-cpus=1"]
        words += [f"--node-ip-address={address}", f"--object-store-memory={MEMORY}", *options]
        with (self.folder / f"{address}.log").open("wb") as log:
            self.groups[address] = subprocess.Popen(
                words, stdout=log, stderr=log, env=os.environ | QUIET, start_new_session=True
            )

    def kill(self, address: str) -> None:
        os.killpg(self.groups[address].pid, signal.SIGKILL)
        self.groups.pop(address).wait()

    def stop(self) -> None:
        for address in list(self.groups):
            self.kill(address)


def free_port() -> int:
    """A port below those that Ray gives its workers."""
    for port in range(6400, 9900):
        with socket.socket() as probe:
            if probe.connect_ex((HEAD, port)):
                taken = port in TAKEN
                TAKEN.add(port)
                if not taken:
                    return port
    raise AssertionError("no port is free")


def wait_for_port(address: str, port: int) -> None:
    deadline = time.monotonic() + STARTING
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if not probe.connect_ex((address, port)):
                return
        time.sleep(0.2)
    pytest.skip(f"Ray does not start here within {STARTING:.0f} s")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with socket.socket() as probe:
        try:
            probe.bind((WORKER, 0))
        except OSError:
            pytest.skip(f"this machine has no address {WORKER}")
    made = Cluster(Path(tmp_path_factory.mktemp("ray")))
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A store of the acceptance reports, or the samples where these are absent, and its lake."""
    folder = tmp_path_factory.mktemp("figures")
    db = folder / "store.duckdb"
    load_paths([str(DATA if DATA.is_dir() else SAMPLES)], db)
    lake.sync(db, folder / "lake", 30.0, subjects.sayings(db))
    return db, folder / "lake"


def ask(program: str, *words: str | Path) -> str:
    """What a program prints, which has one connection to the cluster."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, words)],
        cwd=ROOT,
        env=os.environ | QUIET,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_cluster_of_two_gives_the_figures_of_the_store(
    cluster: Cluster, places: tuple[Path, Path]
) -> None:
    db, folder = places
    on_ray = json.loads(ask(EVERYTHING, "--lake", folder, "--engine", cluster.engine))
    of_store = json.loads(ask(EVERYTHING, "--db", db))

    assert len(of_store) == len(QUESTIONS)
    assert all(of_store)
    for question, told, expected in zip(QUESTIONS, on_ray, of_store, strict=True):
        assert told == expected, question


def test_a_worker_killed_in_the_middle_costs_a_retry_and_no_figure(
    cluster: Cluster, places: tuple[Path, Path], tmp_path: Path
) -> None:
    db, folder = places
    words = ["reliability", "--json", "--by", "item"]
    # As a driver on a node, where Ray says in this process what befell the other one.
    asked = [*words, "--lake", str(folder), "--engine", lake.RAY]
    under_way = tmp_path / "under way"
    asking = subprocess.Popen(
        [sys.executable, "-c", TELLING, str(under_way), *asked],
        cwd=ROOT,
        env=os.environ | QUIET | {"RAY_ADDRESS": f"{HEAD}:{cluster.port}"},
        stdout=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + STARTING
    while not under_way.exists():
        assert asking.poll() is None, "it ended before the worker was killed"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    cluster.kill(WORKER)
    told, _ = asking.communicate(timeout=300)

    assert asking.returncode == 0
    assert told == ask(PLAIN, *words, "--db", db)
