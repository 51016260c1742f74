"""A served store and Debian's Chromium; without the browser these tests are skipped."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from dashboard import server

CHROMIUM = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--no-first-run",
]
START_SECONDS = 60
PATIENCE_MILLISECONDS = 30_000
"""A machine that runs all tests at once is slow; no test waits when the page is there."""

Serve = Callable[[Path], str]
Picture = Callable[[Page, str], None]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser of the machine: Playwright's own cannot be downloaded everywhere."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        pytest.skip("no Chromium on this machine; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a fresh profile; an error of its scripts fails the test."""
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        expect.set_options(timeout=PATIENCE_MILLISECONDS)
        opened = context.new_page()
        errors: list[str] = []
        opened.on("pageerror", lambda error: errors.append(str(error)))
        yield opened
        assert errors == []


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Serve a store as `unaveraged open` does; returns the address."""
    started: list[subprocess.Popen[bytes]] = []

    def call(db: Path) -> str:
        with socket.socket() as probe:
            probe.bind((server.ADDRESS, 0))
            port = int(probe.getsockname()[1])
        environment = os.environ | {server.STORE_VARIABLE: str(db)}
        with (tmp_path_factory.mktemp("server") / "server.log").open("wb") as log:
            started.append(
                subprocess.Popen(
                    server.command(port, open_browser=False),
                    env=environment,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
            )
        address = f"http://{server.ADDRESS}:{port}/"
        _wait_for(address)
        return address

    yield call
    for process in started:
        process.terminate()
        process.wait()


@pytest.fixture
def picture(request: pytest.FixtureRequest, tmp_path: Path) -> Picture:
    """Take a picture of a page; kept where ``--pictures`` says, else thrown away."""
    folder = Path(request.config.getoption("--pictures") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)

    def call(page: Page, name: str) -> None:
        page.screenshot(path=folder / f"{name}.png")
        assert (folder / f"{name}.png").stat().st_size > 8_000

    return call


def _wait_for(address: str) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            with urlopen(f"{address}_stcore/health"):  # noqa: S310 (our own address)
                return
        except URLError:
            time.sleep(0.1)
    pytest.fail(f"the server at {address} did not start in {START_SECONDS} s")
