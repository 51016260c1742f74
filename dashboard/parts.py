"""Pieces of a page: the rail, the head, filters that live in the address, and drawn templates."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import inforce, markup, wording
from dashboard.decisions import (
    CompareLink,
    HistoryLink,
    JudgesLink,
    RoutingLink,
    TrialsLink,
    VarianceLink,
)
from dashboard.link import (
    FailuresLink,
    Link,
    OverviewLink,
    RejectionsLink,
    ReliabilityLink,
    SearchLink,
)

L = TypeVar("L", bound=Link)
MOST_OPTIONS: Final = 2000
_OF_A_CASE: Final = {"case": "Case", "divergence": "Side by side", "raw": "Raw JSON"}


class Piece(NamedTuple):
    """One part of the line beside a page's title."""

    text: str
    strong: bool = False
    file: bool = False
    tone: str = ""
    title: str = ""


class Badge(NamedTuple):
    """A short remark in a frame."""

    text: str
    tone: str = ""
    title: str = ""


class Tool(NamedTuple):
    """A link at the right of a page's head; without an address it is shown as not available."""

    text: str
    href: str | None = None
    key: str = ""


class Pick(NamedTuple):
    """One thing the address selects, with the address of the page without it."""

    name: str
    text: str
    drop: str | None
    detail: str = ""
    href: str | None = None


class Pages(NamedTuple):
    """Which part of a long list is shown."""

    page: int
    pages: int
    first: int
    last: int
    total: int
    before: str | None
    after: str | None


def draw(template: str, **values: object) -> None:
    """Draw a template of the dashboard."""
    st.html(markup.render(template, **values))


def asked(kind: type[L]) -> L:
    """Return the view that the address of this page asks for."""
    parameters = st.query_params
    return kind.from_query({name: parameters.get_all(name) for name in parameters})


def rail(
    here: str,
    *,
    store: str,
    total: int | None = None,
    rejections: int = 0,
    runs: tuple[str, ...] = (),
    picks: Sequence[Pick] = (),
) -> None:
    """Draw the side rail; links to other pages keep the chosen runs."""
    pages = [
        ("Runs", OverviewLink().href, "overview", ""),
        ("Reliability", ReliabilityLink(run=runs).href, "reliability", ""),
        ("Compare", CompareLink(base=runs[0] if runs else None, run=runs[1:]).href, "compare", ""),
        ("Variance", VarianceLink(run=runs[:1]).href, "variance", ""),
        ("Judges", JudgesLink(run=runs[:1]).href, "judges", ""),
        ("Failures", FailuresLink(run=runs).href, "failures", ""),
        ("Search", SearchLink(run=runs).href, "search", ""),
    ]
    pages += [
        ("Trials", TrialsLink(run=runs).href, "trials", ""),
        ("History", HistoryLink().href, "history", ""),
        ("Routing", RoutingLink().href, "routing", ""),
    ]
    if here in _OF_A_CASE:
        pages.append((_OF_A_CASE[here], "#", here, ""))
    if rejections or here == "rejections":
        pages.append(("Not loaded", RejectionsLink().href, "rejections", str(rejections)))
    entries = [
        {"title": title, "href": href, "current": name == here, "note": note}
        for title, href, name, note in pages
    ]
    with st.sidebar:
        own = [wording.file_name(str(path)) for path in inforce.rule_files()]
        draw("rail", pages=entries, picks=picks, store=store, total=total, rules=own)


def head(
    title: str,
    what: Sequence[Piece] = (),
    badges: Sequence[Badge] = (),
    tools: Sequence[Tool] = (),
    *,
    markdown: str = "",
) -> None:
    """Draw the head of a page: its title, what is shown, remarks and links."""
    draw("head", title=title, what=what, badges=badges, tools=tools, markdown=markdown)


def headline() -> DeltaGenerator:
    """Return the row that holds a page's head and the controls beside it."""
    return st.container(horizontal=True, vertical_alignment="center", key="headline")


def right() -> DeltaGenerator:
    """Return the row of controls that stands at the right, beside a title."""
    return st.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="center", key="filters"
    )


def pages(link: L, total: int, size: int) -> Pages:
    """Return the part of a list of this length that the address asks for, the nearest there is."""
    last = max(1, -(-total // size))
    page = min(getattr(link, "page", 1), last)
    return Pages(
        page,
        last,
        (page - 1) * size + 1,
        min(page * size, total),
        total,
        link.but(page=page - 1).href if page > 1 else None,
        link.but(page=page + 1).href if page < last else None,
    )


# Filters. The address holds the value; a widget shows it and writes it back. The key of the widget
# is the name of the parameter, and its state follows the address also when Back changes that.


def choose(label: str, name: str, value: str | None, options: Mapping[str, str]) -> None:
    """Draw a choice of one, of values with their names; nothing chosen means all."""
    listed = list(options)[:MOST_OPTIONS]
    if value is not None and value not in listed:
        listed.append(value)
    if len(options) > MOST_OPTIONS:
        label = f"{label} ({MOST_OPTIONS} of {len(options)} listed)"
    _follow(name, value)
    st.selectbox(
        label,
        listed,
        index=None,
        format_func=lambda one: options.get(one, f"{one} (not here)"),
        placeholder=label,
        label_visibility="collapsed",
        key=name,
        on_change=_write,
        args=(name,),
    )


def choose_several(
    label: str, name: str, values: Sequence[str], options: Mapping[str, str], most: int
) -> None:
    """Draw a choice of several values with their names."""
    _follow(name, [value for value in values if value in options])
    st.multiselect(
        label,
        list(options),
        format_func=lambda one: options[one],
        placeholder=label,
        max_selections=most,
        label_visibility="collapsed",
        key=name,
        on_change=_write,
        args=(name,),
    )


def search(label: str, name: str, value: str | None) -> None:
    """Draw a field for text to search for."""
    _follow(name, value or "")
    st.text_input(
        label,
        placeholder=label,
        icon=":material/search:",
        label_visibility="collapsed",
        key=name,
        live="300ms",
        on_change=_write,
        args=(name,),
    )


def switch(label: str, name: str, *, value: bool) -> None:
    """Draw a switch."""
    _follow(name, value)
    st.toggle(label, key=name, on_change=_write, args=(name,))


_OF_THE_OLD_LIST: Final = ("page", "stop")


def _follow(name: str, value: object) -> None:
    if name not in st.session_state or st.session_state[name] != value:
        st.session_state[name] = value


def _write(name: str) -> None:
    """Put what a widget holds into the address, and go to the first page of the new list."""
    value = st.session_state[name]
    query = {one: st.query_params.get_all(one) for one in st.query_params}
    for other in (*_OF_THE_OLD_LIST, name):
        query.pop(other, None)
    if value:
        query[name] = value if isinstance(value, list) else ["1" if value is True else value]
    st.query_params.from_dict(query)
