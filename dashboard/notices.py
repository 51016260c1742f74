"""Pages that say why there is nothing to show, and what to do about it."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

import polars as pl
import streamlit as st

from dashboard import parts, runtable
from dashboard.decisions import (
    CompareLink,
    HistoryLink,
    JudgesLink,
    RoutingLink,
    TrialsLink,
    VarianceLink,
)
from dashboard.link import (
    CaseLink,
    FailuresLink,
    Link,
    OverviewLink,
    RejectionsLink,
    ReliabilityLink,
    SearchLink,
)
from dashboard.wording import plural
from ingest.errors import StoreBusy, StoreError, StoreMissing, StoreOutdated

RETRY_SECONDS: Final = 3
MOST_OFFERS: Final = 6


class Offer(NamedTuple):
    """An address that may be what was meant."""

    text: str
    href: str
    note: str = ""


def notice(
    title: str,
    lines: Sequence[str],
    *,
    commands: Sequence[str] = (),
    offer: str = "Perhaps you meant",
    links: Sequence[Offer] = (),
    role: str = "status",
) -> None:
    """Draw a page with a title, some sentences, commands to copy, and addresses to go on to."""
    parts.draw(
        "notice", title=title, lines=lines, commands=commands, offer=offer, links=links, role=role
    )


def store_error(error: StoreError) -> None:
    """Say what is wrong with the store and how to mend it; a busy one is tried again."""
    parts.rail("", store=str(error.path))
    if isinstance(error, StoreBusy):
        holder = str(error).partition("; waited")[0]
        notice("The store is being written", [f"{holder}."], role="alert")
        _again()
    elif isinstance(error, StoreMissing):
        notice(
            "There is no store yet",
            [
                f"Nothing is at {error.path}. Load reports into it, then reload this page.",
                "Or look at the samples with the second command:",
            ],
            commands=[f"unaveraged ingest PATH… --db {error.path}", "unaveraged demo"],
        )
    elif isinstance(error, StoreOutdated):
        notice("The store was made by another version", [str(error)], role="alert")
    else:
        notice("This file cannot be read as a store", [str(error)], role="alert")


def unusable(error: Exception) -> None:
    """Say that a file the server was started with can no longer be used."""
    lines = [str(error), "Mend the file, or start the pages without it; then reload this page."]
    notice("A file of settings cannot be used", lines, role="alert")


def empty_store(path: str, rejected: int = 0) -> None:
    """Say how to fill a store that holds no run."""
    refused = [Offer(f"{plural(rejected, 'thing')} not loaded: see why", RejectionsLink().href)]
    notice(
        "The store holds no run yet",
        ["Load one report, several, or whole folders; then reload this page:"],
        commands=[f"unaveraged ingest PATH… --db {path}"],
        offer="Not loaded",
        links=refused if rejected else (),
    )


def _again() -> None:
    st.button("Try again", icon=":material/refresh:")
    st.caption("This page tries again by itself.")
    _poll()


@st.fragment(run_every=RETRY_SECONDS)
def _poll() -> None:
    """Draw the page anew, but not in the run that found the store busy."""
    if st.session_state.pop("store_was_busy", False):
        st.rerun()
    st.session_state["store_was_busy"] = True


def no_such_run(path: str, runs: pl.DataFrame, asked: Sequence[str]) -> None:
    """Say that the runs of an address are not in the store, and offer the nearest."""
    if runs.is_empty():
        empty_store(path)
        return
    if not asked:
        notice(
            "No run is like that", ["No run has this suite and this subject."], links=_near(runs)
        )
        return
    names = ", ".join(asked)
    notice(
        "This run is not in the store",
        [
            f"The address names {names}. A run is named after what its file holds: it was "
            "forgotten, or the address belongs to another store."
        ],
        offer="Runs of this store",
        links=_near(runs, asked[0]),
    )


def no_such_case(path: str, runs: pl.DataFrame, asked: str | None, trials: int | None) -> None:
    """Say that the trial of an address is not in the store, and offer the nearest.

    Args:
        path: The store.
        runs: The runs it holds.
        asked: The name of the trial, as the address gives it.
        trials: How many trials its run has, where the store has the run.
    """
    if runs.is_empty():
        empty_store(path)
        return
    if asked is None:
        lines = ["A case is opened from the list of failures, or by its address."]
        links = [Offer("Failures of the latest run", FailuresLink().href)]
        notice("No case is chosen", lines, offer="Go on to", links=links)
        return
    run = asked.partition("-")[0]
    if trials is None:
        lines = [
            f"The address names the trial {asked}. Its run {run} is not in the store: it was "
            "forgotten, or the address belongs to another store."
        ]
        notice(
            "This case is not in the store",
            lines,
            offer="Runs of this store",
            links=_near(runs, run),
        )
        return
    lines = [f"The address names the trial {asked}, but its run has {plural(trials, 'trial')}."]
    links = [Offer("Failures of this run", FailuresLink(run=(run,)).href)]
    if trials:
        links.insert(0, Offer("Its last trial", CaseLink(case=f"{run}-{trials - 1}").href))
    notice("This run has no such case", lines, links=links)


def no_such_page(asked: str) -> None:
    """Say that no page has this address, and offer those most like it."""
    pages: dict[str, Link] = {
        "runs": OverviewLink(),
        "reliability": ReliabilityLink(),
        "compare": CompareLink(),
        "variance": VarianceLink(),
        "judges": JudgesLink(),
        "failures": FailuresLink(),
        "search": SearchLink(),
        "trials": TrialsLink(),
        "history": HistoryLink(),
        "routing": RoutingLink(),
        "not loaded": RejectionsLink(),
    }
    alike = get_close_matches(asked.rpartition("/")[2].lower(), pages, n=3, cutoff=0.4)
    links = [Offer(name.capitalize(), pages[name].href) for name in alike or pages]
    notice("No page has this address", [f"The address names the page {asked!r}."], links=links)


def _near(runs: pl.DataFrame, asked: str = "") -> list[Offer]:
    """The runs whose ids are most alike, else the newest."""
    alike = get_close_matches(asked, runs["run"].to_list(), n=MOST_OFFERS, cutoff=0.7)
    rows = {run["run"]: run for run in runs.iter_rows(named=True)}
    chosen = alike or list(rows)[:MOST_OFFERS]
    return [
        Offer(
            f"{rows[run]['subject'] or 'no subject'} · {runtable.caption(rows[run])}",
            ReliabilityLink(run=(run,)).href,
            run,
        )
        for run in chosen
    ]
