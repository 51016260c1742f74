"""PDF of a page, printed by the Chromium that is on the machine."""

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from dashboard.errors import InputError

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE: Final = 120
"""Seconds a page may take to be printed."""
OPTIONS: Final = (
    *("--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-pdf-header-footer"),
    *("--disable-extensions", "--disable-background-networking", "--no-first-run"),
)


def printed(html: bytes) -> bytes:
    """Return a page as PDF.

    Raises:
        InputError: When no Chromium is found, or it prints nothing.
    """
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise InputError("pdf takes a Chromium on the PATH, and there is none; export html instead")
    # Chromium refuses to shield itself for root, as in containers.
    unshielded = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "page.html", Path(folder) / "page.pdf"
        source.write_bytes(html)
        command = [browser, *OPTIONS, *unshielded, f"--user-data-dir={folder}/profile"]
        command += [f"--print-to-pdf={target}", source.as_uri()]
        try:
            subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE)  # noqa: S603
            return target.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise InputError(f"{browser} printed no page: {error}; export html instead") from error
