"""What is in the wheel, and that the lock file installs it anywhere."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("ingest", "queries", "dashboard")


@pytest.fixture(scope="module")
def wheel_files(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names of the files in a freshly built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    finished = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), "."],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    (wheel,) = folder.glob("*.whl")
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def files_under(folder: Path) -> Iterable[Path]:
    return (
        path
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".duckdb"
    )


def test_the_wheel_holds_the_three_packages_and_the_samples_only(wheel_files: set[str]) -> None:
    modules = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in files_under(ROOT / package)
    }
    samples = {
        f"dashboard/{path.relative_to(ROOT).as_posix()}"
        for path in files_under(ROOT / "sample_reports")
    }
    installed = {name for name in wheel_files if ".dist-info/" not in name}

    assert samples
    assert installed == modules | samples


@pytest.mark.parametrize(
    "pattern",
    [
        r"ingest/schema\.sql",
        r"queries/categories\.toml",
        r"dashboard/theme\.toml",
        r"dashboard/templates/[^/]+\.html",
        r"dashboard/(.+/)?[^/]+\.css",
        r"dashboard/sample_reports/README\.md",
        r"ingest/py\.typed",
        r"queries/py\.typed",
        r"dashboard/py\.typed",
        r"unaveraged-[^/]+\.dist-info/licenses/LICENSE",
    ],
)
def test_the_wheel_holds_what_the_modules_read(wheel_files: set[str], pattern: str) -> None:
    assert [name for name in sorted(wheel_files) if re.fullmatch(pattern, name)]


def test_the_lock_names_no_index_and_no_path() -> None:
    lock = (ROOT / "requirements.lock").read_text()

    assert re.findall(r"://|^\s*-(?!-hash=)\S+|file:|^\s*\.{0,2}/", lock, re.MULTILINE) == []


def test_every_locked_package_has_a_hash() -> None:
    lock = re.sub(r"^\s*#.*\n?", "", (ROOT / "requirements.lock").read_text(), flags=re.MULTILINE)
    entries = lock.replace("\\\n", " ").splitlines()

    assert entries
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_lock_holds_every_package_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[<>=!~ \[;]", requirement)[0] for requirement in wanted}
    locked = set(
        re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    )

    assert names - locked == set()
