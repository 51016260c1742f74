"""A JSON value is drawn exactly, cut where it says so, and searched."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard import jsontree
from dashboard.jsontree import MOST_CHARACTERS, Budget, Node, build, flat, mark, parse

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def tree(text: str, find: str = "", nodes: int = 3000) -> Node:
    built = build(parse(text), Budget(nodes), find=find)
    assert built is not None
    return built


def said(node: Node) -> str:
    return "".join(text for text, _ in node.value)


def keys(node: Node) -> list[str]:
    return ["".join(text for text, _ in child.key or []) for child in node.children or []]


@pytest.mark.parametrize(
    "text", ["12345678901234567890", "-0.0", "1.0", "1e400", "NaN", "true", "null"]
)
def test_a_number_keeps_its_characters(text: str) -> None:
    assert said(tree(text)) == text


def test_a_member_that_is_there_twice_is_shown_twice() -> None:
    node = tree('{"a": 1, "a": 2}')

    assert keys(node) == ["a", "a"]
    assert node.brief == "{2} a, a"


def test_text_that_is_no_json_stays_text() -> None:
    assert said(tree("[address.done]")) == "[address.done]"


@given(JSON)
def test_a_value_on_one_line_is_the_value(value: object) -> None:
    text = flat(parse(json.dumps(value)))

    assert (text if isinstance(value, str) else json.loads(text)) == value


def test_a_long_text_says_how_much_is_cut() -> None:
    node = tree(json.dumps("x" * (MOST_CHARACTERS + 1)))

    assert len(said(node)) == MOST_CHARACTERS
    assert node.more == "… 1 more character"


def test_a_page_draws_no_more_nodes_than_it_may() -> None:
    node = tree(json.dumps({f"k{n}": [1, 2, 3] for n in range(100)}), nodes=20)

    assert "more, search to find them" in node.more
    assert sum(1 + len(child.children or []) for child in node.children or []) <= 20


def test_deep_nesting_ends_with_a_sentence() -> None:
    node = tree("[" * 200 + "]" * 200)
    while node.children:
        (node,) = node.children

    assert node.more == "nested deeper than 60 levels"


def test_a_search_leaves_only_the_branches_that_match_and_opens_them() -> None:
    node = tree('{"price": 42, "deep": {"label": "Price list", "other": 1}, "none": 0}', "PRICE")

    assert keys(node) == ["price", "deep"]
    assert node.found == 2
    assert node.children is not None
    assert node.children[1].open
    assert keys(node.children[1]) == ["label"]
    assert node.more == "and 1 member without a match"


def test_a_search_that_finds_nothing_draws_nothing() -> None:
    assert build(parse('{"a": 1}'), Budget(), find="zzz") is None


@given(st.text(), st.text(min_size=1))
def test_marking_keeps_the_text(text: str, needle: str) -> None:
    assert "".join(piece for piece, _ in mark(text, needle.lower())) == text


def test_marking_finds_every_place() -> None:
    assert mark("aXbx", "x") == [("a", False), ("X", True), ("b", False), ("x", True)]


def test_a_letter_that_grows_in_lower_case_breaks_nothing() -> None:
    assert mark("İstanbul", "stan") == [("İstanbul", True)]


def test_a_member_is_found_by_its_path() -> None:
    value = parse('{"response": {"message": "hello"}}')

    assert jsontree.member(value, "response", "message") == "hello"
    assert jsontree.member(value, "response", "message", "deeper") is None
