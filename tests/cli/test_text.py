"""Text from reports on a terminal, in a pipe and in JSON."""

import json

import pytest

from dashboard import text
from dashboard.wording import NOTHING

HOSTILE = "\x1b]0;owned\x07 \x9b31m \x00 \r\n\t \u202e \u2066 \u2028 \udc80 ok é 🙂 שלום"


def test_no_character_of_a_report_acts_on_a_terminal() -> None:
    assert text.shown(HOSTILE) == (
        r"\x1b]0;owned\x07 \x9b31m \x00 \r\n\t \u202e \u2066 \u2028 \udc80 ok é 🙂 שלום"
    )


@pytest.mark.parametrize(
    ("value", "limit", "expected"),
    [
        (None, None, NOTHING),
        ("", None, ""),
        (0, None, "0"),
        ("abcdef", 4, "abc…"),
        ("abcd", 4, "abcd"),
    ],
)
def test_a_value_is_one_line(value: object, limit: int | None, expected: str) -> None:
    assert text.shown(value, limit) == expected


def test_json_survives_every_character_and_acts_on_no_terminal() -> None:
    written = text.json_text([{"name": HOSTILE}])

    assert json.loads(written) == [{"name": HOSTILE}]
    assert written.isprintable() is False  # the line breaks between records are all that is left
    assert written.replace("\n", "").isprintable()
    assert written.encode()
    assert "é 🙂 שלום" in written


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        [{"n": 1, "x": 0.1 + 0.2, "y": None, "big": 2**70}],
        {"a": [{"b": [1]}], "c": [], "d": {"e": [{}]}, 'quote"': 1},
    ],
)
def test_json_keeps_the_value(value: object) -> None:
    assert json.loads(text.json_text(value)) == value


def test_json_holds_one_record_a_line() -> None:
    assert text.json_text([{"a": 1}, {"a": 2}]).splitlines() == ["[", '{"a": 1},', '{"a": 2}', "]"]


def test_json_refuses_what_is_no_number() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        text.json_text([float("nan")])


def test_a_table_in_a_pipe_is_plain_and_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    columns = (text.Column("name"), text.Column("count", right=True), text.Column("beside"))

    text.say_table(columns, [("a", "7", "x"), ("日本", "1234", "")])

    assert capsys.readouterr().out == ("name  count  beside\na         7  x\n日本   1234\n")


@pytest.mark.parametrize(
    ("counts", "expected"),
    [({}, ""), ({"failed": 0, "passed": 2}, "2 passed"), ({"a\x1b": 1, "b": 3}, r"1 a\x1b, 3 b")],
)
def test_counts_of_zero_are_left_out(counts: dict[str, int], expected: str) -> None:
    assert text.counted(counts) == expected


def test_a_heading_says_which_arm_of_which_subject() -> None:
    run = {
        "run": "00000000a1",
        "suite": "tool",
        "subject": "model",
        "arm": "ablated",
        "status": None,
        "dialect": "live-runner",
        "path": "reports/week.jsonl",
    }

    assert text.heading(run) == "tool · model (ablated) · live-runner · week.jsonl  (00000000a1)"
