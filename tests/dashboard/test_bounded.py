"""JSON in as much room as there is, and pointers into it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard import bounded
from dashboard.errors import InputError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=40,
)


def test_what_fits_is_left_as_it_is() -> None:
    value = {"a": [1, {"b": None}]}

    assert bounded.fitting(value, 100) == value


def test_what_does_not_fit_says_its_size_and_where_to_ask() -> None:
    value = {"short": 1, "long": "x" * 20_000, "many": list(range(5000))}
    kept = bounded.fitting(value, 4000, "/observation")

    assert isinstance(kept, dict)
    assert kept["short"] == 1
    assert kept["long"].endswith("(… 20000 characters at /observation/long)")
    assert kept["many"][-1]["…"].endswith("more elements at /observation/many")


def test_a_deep_value_is_cut_where_it_gets_deep() -> None:
    value: object = "end"
    for _ in range(60):
        value = {"a/b": [value]}
    kept = json.dumps(bounded.fitting(value, 400))

    assert len(kept) <= 420
    assert "/a~1b/0/a~1b" in kept


@given(value=JSON, limit=st.integers(200, 2000))
def test_a_value_is_never_larger_than_asked(value: object, limit: int) -> None:
    assert len(json.dumps(bounded.fitting(value, limit), ensure_ascii=False)) <= limit


@given(value=JSON)
def test_a_pointer_leads_to_every_member(value: object) -> None:
    def walk(inner: object, pointer: str) -> None:
        assert bounded.at(value, pointer) is inner or pointer == "/"
        if isinstance(inner, dict):
            for name, member in inner.items():
                walk(member, bounded.under(pointer, name))
        elif isinstance(inner, list):
            for place, element in enumerate(inner):
                walk(element, bounded.under(pointer, place))

    if not (isinstance(value, dict) and "" in value):
        walk(value, "")


@pytest.mark.parametrize(
    ("pointer", "message"),
    [
        ("a", "'a' is no JSON pointer: it starts with /, as /observation"),
        ("/b", "nothing is at /b: / has a"),
        ("/a/2", "nothing is at /a/2: /a has the elements 0 to 1"),
        ("/a/x", "nothing is at /a/x: /a has the elements 0 to 1"),
        ("/a/0/y", "nothing is at /a/0/y: /a/0 is a single value"),
        ("/a/1/y", "nothing is at /a/1/y: /a/1 is empty"),
    ],
)
def test_a_pointer_to_nothing_says_how_far_it_leads(pointer: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        bounded.at({"a": ["x", {}]}, pointer)

    assert str(raised.value) == message
