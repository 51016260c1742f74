"""Two payloads differ where something other than an id or a time does."""

from typing import Any

import pytest

from queries.likeness import Likeness

A, B, C = ("0f8b2c1d3e4f5a6b" * 2, "1a2b3c4d5e6f7a8b" * 2, "9a8b7c6d5e4f3a2b" * 2)


def paths(other: Any, own: Any) -> list[str]:
    return [found.path for found in Likeness().differences(other, own)]


@pytest.mark.parametrize(
    ("other", "own", "expected"),
    [
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, ["/a/b/1"]),
        ({"a": 1}, {"b": 1}, ["/a", "/b"]),
        ([1], [1, 2], ["/1"]),
        ({"a": None}, {}, ["/a"]),
        ({"a": True}, {"a": 1}, ["/a"]),
        ({"a": 1}, {"a": 1.0}, []),
        ({"b": 1, "a": 2}, {"a": 2, "b": 1}, []),
        ({"a/b": 1, "~": 1}, {"a/b": 2, "~": 2}, ["/a~1b", "/~0"]),
        ("x", ["x"], [""]),
    ],
)
def test_a_difference_has_the_path_it_stands_at(other: Any, own: Any, expected: list[str]) -> None:
    assert sorted(paths(other, own)) == expected


@pytest.mark.parametrize(
    ("other", "own", "expected"),
    [
        ({"id": A}, {"id": B}, []),
        ({"id": f"order {A}!"}, {"id": f"order {B}!"}, []),
        ({"id": "evt-1388bbc5f473"}, {"id": "evt-b11ddf6483af"}, []),
        ({"id": "123456789012"}, {"id": "210987654321"}, []),
        ({"id": "step-2c74e78b"}, {"id": "step-77051708"}, []),
        ({"zip": "12345678"}, {"zip": "87654321"}, ["/zip"]),
        ({"word": "effaced"}, {"word": "defaced"}, ["/word"]),
        ({"id": f"order {A}"}, {"id": f"offer {B}"}, ["/id"]),
        # An id that stands for two ids on the other side is another thing, whatever it is called.
        ({"x": A, "y": A}, {"x": B, "y": C}, ["/y"]),
        ({"x": A, "y": B}, {"x": C, "y": C}, ["/y"]),
        ({A: {"n": 1}}, {B: {"n": 2}}, [f"/{B}/n"]),
        ({"x": A, "y": {A: 1}}, {"x": B, "y": {C: 1}}, [f"/y/{A}", f"/y/{C}"]),
    ],
)
def test_ids_are_compared_by_what_they_stand_for(other: Any, own: Any, expected: list[str]) -> None:
    assert sorted(paths(other, own)) == sorted(expected)


@pytest.mark.parametrize(
    ("other", "own", "expected"),
    [
        ({"at": "2026-10-01T08:00:00.123Z"}, {"at": "2026-10-02T09:30:00Z"}, []),
        ({"durationMs": 5}, {"durationMs": 7}, []),
        ({"inputTokens": 5}, {"inputTokens": 7}, []),
        ({"startedAt": 5}, {"startedAt": 7}, []),
        ({"durationMs": 5}, {"durationMs": None}, ["/durationMs"]),
        ({"day": "2026-10-01"}, {"day": "2026-10-02"}, ["/day"]),
        ({"count": 5}, {"count": 7}, ["/count"]),
        ({"format": 1}, {"format": 2}, ["/format"]),
    ],
)
def test_times_are_set_aside_and_days_are_not(other: Any, own: Any, expected: list[str]) -> None:
    assert paths(other, own) == expected


def test_an_id_stays_the_same_from_payload_to_payload() -> None:
    likeness = Likeness()

    assert not list(likeness.differences({"id": A}, {"id": B}))
    assert [found.path for found in likeness.differences({"of": A}, {"of": C})] == ["/of"]


def test_a_difference_tells_both_values() -> None:
    found = list(Likeness().differences({"a": "é"}, {"a": {"b": 1}, "c": None}))

    assert found == [("/a", '"é"', '{"b": 1}'), ("/c", None, "null")]
