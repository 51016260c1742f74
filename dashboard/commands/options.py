"""The arguments and options that commands share, so that they read alike everywhere."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

import click

from dashboard.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")
DEFAULT_STORE: Final = Path("unaveraged.duckdb")
DEFAULT_PORT: Final = 8501
FILE: Final = click.Path(path_type=Path)

store = click.option(
    "--db",
    type=FILE,
    metavar="FILE",
    envvar="UNAVERAGED_DB",
    default=DEFAULT_STORE,
    show_default=True,
    show_envvar=True,
    help="The store, or the folder of a lake.",
)
lake_folder = click.option(
    "--lake", type=FILE, metavar="DIR", help="Read this lake instead of a store."
)
engine_name = click.option(
    "--engine",
    metavar="NAME",
    help="Count the lake on Daft: local, ray, or ray://HOST:PORT. Without it: the database here.",
)


def counted(command: Callable[P, R]) -> Callable[..., R]:
    """Let a command count a store, or a lake with an engine; it takes either as ``db``."""

    @store
    @lake_folder
    @engine_name
    @functools.wraps(command)
    def run(*args: P.args, **options: P.kwargs) -> R:
        lake, engine = options.pop("lake"), options.pop("engine")
        if lake is not None:
            options["db"] = lake
        _choose(engine, Path(str(options["db"])))
        return command(*args, **options)

    return run


def _choose(engine: Any, db: Path) -> None:
    from ingest.store import lake

    if engine is not None and not lake.is_engine(engine):
        raise InputError(f"no engine is called {engine!r}; there is local, ray, ray://HOST:PORT")
    if engine is not None and not lake.is_lake(db):
        raise InputError(f"an engine counts a lake, and {db} is none; name one with --lake DIR")
    lake.choose_engine(engine)


json_output = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
run_name = click.argument("run")
run_arguments = click.argument("runs", metavar="RUN…", nargs=-1, required=True)
control = click.option(
    "--control",
    nargs=2,
    metavar="RUN RUN",
    help="Two runs of one unchanged system: what moved between them is noise.",
)
markdown = click.option(
    "--markdown", "as_markdown", is_flag=True, help="Print Markdown for a pull request."
)
pages = click.option(
    "--pages", metavar="URL", help="Where the pages of this store are served, for its links."
)
run_names = click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN",
    help="Only this run, or the runs of this report; can be repeated. Without it: every run that "
    "no later report replaces.",
)
categories = click.option(
    "--category",
    "categories",
    multiple=True,
    metavar="NAME",
    help="Only this category; can be repeated.",
)
items = click.option(
    "--item", "items", multiple=True, metavar="ID", help="Only this item; can be repeated."
)
rule_files = click.option(
    "--categories",
    "rule_files",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Category rules (TOML) that come before the shipped ones; can be repeated.",
)
channels = click.option(
    "--channels",
    type=FILE,
    metavar="FILE",
    help="Channel of each scenario, and the configured models (TOML).",
)
port = click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="N",
    help=f"Serve the pages at this port; without it {DEFAULT_PORT} or the next free one.",
)
no_browser = click.option(
    "--no-browser", is_flag=True, help="Serve the pages without opening a browser."
)
