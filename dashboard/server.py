"""Starts the browser application: the command line of its server, and the process itself.

The settings come from ``theme.toml``. They are passed as options, which win over any file or
environment of the user, because what a report says must not leave the machine.
"""

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

STORE_VARIABLE: Final = "UNAVERAGED_DB"
"""Environment variable that tells the pages which store to read."""

RULES_VARIABLE: Final = "UNAVERAGED_RULES"
CHANNELS_VARIABLE: Final = "UNAVERAGED_CHANNELS"
"""Environment variables that name a person's files of category rules, and of channels."""

ADDRESS: Final = "127.0.0.1"
FIXED: Final[Mapping[str, object]] = {
    "server.address": ADDRESS,
    "server.allowedHosts": [ADDRESS, "localhost"],
    "server.enableCORS": True,
    "server.enableXsrfProtection": True,
    "server.fileWatcherType": "none",
    "server.showEmailPrompt": False,
    "browser.serverAddress": ADDRESS,
    "browser.gatherUsageStats": False,
}


def serve(
    db: Path,
    port: int,
    open_browser: bool,  # noqa: FBT001
    settings: Mapping[str, str] | None = None,
) -> int:
    """Serve the pages of a store until interrupted, and return the server's exit code.

    ``settings`` are further environment variables of the server.
    """
    none = {RULES_VARIABLE: "", CHANNELS_VARIABLE: ""}
    environment = os.environ | none | dict(settings or {}) | {STORE_VARIABLE: str(db.absolute())}
    with subprocess.Popen(command(port, open_browser=open_browser), env=environment) as server:  # noqa: S603
        # Whoever ends this process means the server.
        before = signal.signal(signal.SIGTERM, lambda *_: server.terminate())
        try:
            return _plain(server.wait())
        except KeyboardInterrupt:
            server.terminate()
            return _plain(server.wait())
        finally:
            signal.signal(signal.SIGTERM, before)


def _plain(code: int) -> int:
    """Being asked to end is no failure."""
    return 0 if -code in {signal.SIGTERM, signal.SIGINT} else code


def command(port: int, *, open_browser: bool) -> list[str]:
    """Return the command that starts the server."""
    app = Path(str(files("dashboard") / "served.py"))
    options = [*_options({**_settings(), **FIXED})]
    options += [f"--server.port={port}", f"--browser.serverPort={port}"]
    options += [f"--server.headless={_written(not open_browser)}"]
    return [sys.executable, "-m", "dashboard.serving", "run", str(app), *options]


def _settings() -> dict[str, object]:
    """The settings of ``theme.toml`` by their dotted name."""
    tree = tomllib.loads((files("dashboard") / "theme.toml").read_text("utf-8"))
    return dict(_flat(tree, ""))


def _flat(tree: Mapping[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _options(settings: Mapping[str, object]) -> Iterator[str]:
    """Streamlit takes a list of a theme as JSON, any other list as one option a value."""
    for name, value in settings.items():
        if isinstance(value, list) and name.startswith("theme."):
            yield f"--{name}={json.dumps(value)}"
        else:
            for one in value if isinstance(value, list) else [value]:
                yield f"--{name}={_written(one)}"


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
