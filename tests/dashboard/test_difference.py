"""Only the words that differ are marked."""

from hypothesis import given
from hypothesis import strategies as st

from dashboard.difference import words


def test_one_word_differs() -> None:
    told = words("I chose the floor lamp.", "I chose the desk lamp.")

    assert told.expected == [("I chose the ", False), ("floor", True), (" lamp.", False)]
    assert told.actual == [("I chose the ", False), ("desk", True), (" lamp.", False)]


def test_texts_with_little_in_common_differ_as_a_whole() -> None:
    told = words("completed", "the host was asleep")

    assert told.expected == [("completed", True)]
    assert told.actual == [("the host was asleep", True)]


@given(st.text(max_size=200), st.text(max_size=200))
def test_marking_keeps_both_texts(expected: str, actual: str) -> None:
    told = words(expected, actual)

    assert "".join(text for text, _ in told.expected) == expected
    assert "".join(text for text, _ in told.actual) == actual


@given(st.text(max_size=200))
def test_equal_texts_have_no_difference(text: str) -> None:
    assert not any(differs for side in words(text, text) for _, differs in side)
