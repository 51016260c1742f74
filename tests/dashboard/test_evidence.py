"""What a turn holds: changes since the one before, its boundaries, known members, raw JSON."""

from pathlib import Path

import pytest

from dashboard import boundaries, changes, jsontree, known, rawfile
from dashboard.link import RawLink
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import links, markup, text
from tests.dashboard.stored import case_of, rows, run_of

PATIENT = "library-desk.patient-model.json"


@pytest.fixture
def case(samples: Path) -> str:
    return case_of(samples, run_of(samples, PATIENT), item="renew-loan", outcome="failed")


def test_the_toggle_shows_what_changed_in_a_turn(opened: Opened, samples: Path, case: str) -> None:
    assert "changed since" not in text(opened(samples, "case", case=case))
    shown = text(opened(samples, "case", case=case, changes="1"))

    assert "changed since turn 1" in shown
    assert "~ /response/message" in shown
    assert "+ /response/claims/0" in shown


def told(before: str, after: str) -> list[tuple[str, str]]:
    both = jsontree.parse(before), jsontree.parse(after)
    return [(one.kind, one.path) for one in changes.between(*both, "turn 1").places]


def test_changes_are_told_by_their_place() -> None:
    assert told('{"a": 1, "b": [1], "c": 2}', '{"a": 2, "b": [1, {"x": 1}]}') == [
        ("changed", "/a"),
        ("added", "/b/1"),
        ("removed", "/c"),
    ]


def test_what_belongs_to_one_turn_or_only_says_how_long_is_no_change() -> None:
    assert told('{"events": [1], "durationMs": 1}', '{"events": [2], "durationMs": 2}') == []


def test_many_changes_are_cut_and_counted() -> None:
    after = "{" + ", ".join(f'"k{number}": 1' for number in range(200)) + "}"
    found = changes.between(jsontree.parse("{}"), jsontree.parse(after), "turn 1")

    assert len(found.places) == changes.MOST
    assert found.more == "and 80 more changes"


def test_a_failing_turn_is_walked_along_seven_boundaries(
    opened: Opened, samples: Path, case: str
) -> None:
    shown = text(opened(samples, "case", case=case))

    assert "5 of 7 boundaries recorded" in shown
    assert "2 Model request" in shown
    assert "not recorded" in shown


def test_every_boundary_takes_its_events_and_a_redacted_one_says_so() -> None:
    observation = jsontree.parse(
        '{"events": [{"type": "model.invoked", "data": null}, {"type": "plan.created",'
        ' "data": {"steps": []}}, {"type": "capability.failed", "data": {"code": "X"}}],'
        ' "response": {"message": "m"}}'
    )
    walk = boundaries.walk({"input": '{"text": "hi"}'}, observation)
    names = [[piece.name for piece in one.pieces] for one in walk.boundaries]

    assert names == [
        ["input"],
        ["model.invoked"],
        [],
        ["plan.created"],
        ["capability.failed"],
        [],
        ["response"],
    ]
    assert walk.recorded == 5
    assert walk.boundaries[1].pieces[0].brief == "recorded, its content was not"


def test_known_members_are_drawn_as_what_they_are() -> None:
    observation = jsontree.parse(
        '{"interaction": {"kind": "choice", "options": [{"label": "a"}, {"id": "b"}]},'
        ' "facts": [{"type": "t", "version": 1, "value": {"n": 1}}], "effects": [],'
        ' "events": [{"type": "model.completed", "data": {"task": "plan", "model": "m",'
        ' "provider": "p", "durationMs": 1500, "usage": {"inputTokens": 5, "outputTokens": 6}}},'
        ' {"type": "model.failed", "data": {"task": "plan", "code": "E"}}]}'
    )

    assert list(known.lines(observation)) == [
        ("asks", "choice: a · b"),
        ("facts", 't {"n": 1}'),
        ("model", "plan: m · p · 1.5 s · 5 tokens in, 6 out\nplan: failed: E"),
    ]


@pytest.mark.parametrize("value", ["null", "1", '"x"', "[]", "{}", '{"events": 2}'])
def test_any_observation_may_hold_anything(value: str) -> None:
    parsed = jsontree.parse(value)

    assert list(known.lines(parsed)) == []
    assert boundaries.walk({"input": None}, parsed).recorded == 0


def test_raw_json_is_shown_as_written_and_can_be_copied_and_downloaded(
    opened: Opened, samples: Path, case: str
) -> None:
    assert links(opened(samples, "case", case=case), "raw")
    page = opened(samples, "raw", case=case, turn="2", part="observation")
    (turn,) = [row for row in rows(samples, "turn") if _is(row, case, 1)]

    assert not page.exception
    assert turn["observation"][:60] in text(page)
    assert "data-exact=" in markup(page)
    assert page.get("download_button")


def _is(row: dict[str, object], case: str, turn: int) -> bool:
    run, _, ordinal = case.partition("-")
    number = int(run, 16) << 22 | int(ordinal)
    return row["trial"] == number and row["turn"] == turn


def test_a_criterion_is_raw_json_too(opened: Opened, samples: Path, case: str) -> None:
    page = opened(samples, "raw", case=case, part="criterion", position="6")

    assert not page.exception
    assert '"expected"' in text(page) or "Nothing like that" in text(page)


def test_a_piece_that_is_not_there_says_so(opened: Opened, samples: Path, case: str) -> None:
    page = opened(samples, "raw", case=case, turn="9", part="observation")

    assert "Nothing like that was recorded" in text(page)
    assert "This case is not in the store" in text(opened(samples, "raw", case="0000000000-0"))


def test_a_large_piece_is_shown_whole_when_asked() -> None:
    raw = rawfile.Raw("observation", "x.json", '"' + "y" * 300_000 + '"', "case")
    link = RawLink(case="a-1", turn=1, part="observation")
    part, whole = rawfile.shown(raw, link), rawfile.shown(raw, link.but(all=True))

    assert len(part.text) == rawfile.SHOWN
    assert part.exact is None
    assert "of 300 kB" in part.says
    assert whole.text == whole.exact == raw.text
