"""Addresses give back what they were made from, and survive what people do to them."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.link import (
    TABS,
    CaseLink,
    FailuresLink,
    Link,
    OverviewLink,
    RejectionsLink,
    ReliabilityLink,
    anchor,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
MAYBE = st.none() | TEXT
NUMBER = st.integers(1, 10**9 - 1)
RUNS = st.lists(TEXT, unique=True).map(tuple)
ANY_LINK: st.SearchStrategy[Link] = st.one_of(
    st.builds(
        OverviewLink, q=MAYBE, suite=MAYBE, subject=MAYBE, superseded=st.booleans(), page=NUMBER
    ),
    st.builds(ReliabilityLink, run=RUNS),
    st.builds(
        FailuresLink,
        run=RUNS,
        suite=MAYBE,
        subject=MAYBE,
        category=MAYBE,
        item=MAYBE,
        tag=MAYBE,
        outcome=MAYBE,
        q=MAYBE,
        tab=st.sampled_from(TABS),
        page=NUMBER,
    ),
    st.builds(CaseLink, case=MAYBE, turn=st.none() | NUMBER, find=MAYBE),
    st.builds(RejectionsLink, rule=MAYBE, page=NUMBER),
)


@given(ANY_LINK)
def test_an_address_gives_back_the_view_it_was_made_from(link: Link) -> None:
    assert type(link).from_text(urlsplit(link.href).query) == link


@given(ANY_LINK)
def test_parameters_give_back_the_view_they_were_made_from(link: Link) -> None:
    assert type(link).from_query(link.to_query()) == link


@given(st.dictionaries(st.sampled_from(["run", "tab", "page", "q", "?"]), st.lists(st.text())))
def test_no_parameters_are_refused(query: dict[str, list[str]]) -> None:
    read = FailuresLink.from_query(query)

    assert read.tab in TABS
    assert read.page >= 1


@pytest.mark.parametrize("page", ["0", "-1", "x", "", "1e3", "9" * 40, "²"])
def test_a_page_that_cannot_be_meant_is_the_first(page: str) -> None:
    assert OverviewLink.from_query({"page": [page]}).page == 1


def test_the_default_view_has_a_plain_address() -> None:
    assert OverviewLink().href == "./"
    assert FailuresLink().href == "failures"


def test_a_changed_view_keeps_the_rest() -> None:
    link = FailuresLink(run=("a", "b"), tag="smoke", page=3)

    assert link.but(page=1).href == "failures?run=a&run=b&tag=smoke"


def test_a_place_has_one_name_for_each_content() -> None:
    assert anchor("g", "a", "b") == anchor("g", "a", "b")
    assert anchor("g", "a", "b") != anchor("g", "ab")
