"""A failing repetition diverges where it first leaves the way of one that passed."""

from typing import Any

from queries import divergence

ID, OTHER_ID = "0f8b2c1d3e4f5a6b" * 2, "1a2b3c4d5e6f7a8b" * 2


def trial(number: int, outcome: str) -> dict[str, Any]:
    return {"trial": number, "repetition": number, "outcome": outcome}


def turn(number: int, place: int, observation: str | None = "{}", **row: Any) -> dict[str, Any]:
    plain = {"step": f"step-{place}", "status": "passed", "error_code": None, "input": '{"say": 1}'}
    return {"trial": number, "turn": place, "observation": observation} | plain | row


def check(number: int, place: int | None, name: str, passed: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002
    scope = "trial" if place is None else "turn"
    return {
        "trial": number,
        "turn": place,
        "scope": scope,
        "criterion": name,
        "parent": None,
        "passed": passed,
        "errored": False,
    }


def only(**rows: list[dict[str, Any]]) -> divergence.Divergence | None:
    empty: dict[str, list[dict[str, Any]]] = {"turns": [], "checks": []}
    found = divergence.first(**empty | rows)
    assert len(found) == 1
    return next(iter(found.values()))


def test_the_first_turn_that_differs_is_told_with_its_paths() -> None:
    found = only(
        trials=[trial(0, "passed"), trial(1, "failed")],
        turns=[
            turn(0, 0, f'{{"id": "{ID}"}}'),
            turn(0, 1, f'{{"of": "{ID}", "facts": {{"product": "lamp"}}}}'),
            turn(1, 0, f'{{"id": "{OTHER_ID}"}}'),
            turn(1, 1, f'{{"facts": {{"product": "desk"}}, "of": "{OTHER_ID}"}}'),
        ],
        checks=[check(0, 1, "right"), check(1, 1, "right", passed=False)],
    )

    assert found is not None
    assert (found.trial, found.passing, found.turn, found.step) == (1, 0, 1, "step-1")
    assert found.paths == (
        {"part": "observation", "path": "/facts/product", "passing": '"lamp"', "failing": '"desk"'},
        {"part": "criteria", "path": "/right", "passing": "passed", "failing": "failed"},
    )


def test_an_input_can_be_what_differs() -> None:
    found = only(
        trials=[trial(0, "passed"), trial(1, "failed")],
        turns=[turn(0, 0), turn(1, 0, input='{"say": 2}')],
    )

    assert found is not None
    assert [(row["part"], row["path"]) for row in found.paths] == [("input", "/say")]


def test_without_a_passing_repetition_there_is_nothing_to_diverge_from() -> None:
    assert only(trials=[trial(0, "failed")], turns=[turn(0, 0)]) is None


def test_the_passing_repetition_it_followed_furthest_is_the_one() -> None:
    found = only(
        trials=[trial(0, "passed"), trial(1, "passed"), trial(2, "failed")],
        turns=[
            turn(0, 0, "[1]"),
            turn(0, 1, "[1]"),
            turn(1, 0, "[2]"),
            turn(1, 1, "[2]"),
            turn(2, 0, "[2]"),
            turn(2, 1, "[3]"),
        ],
    )

    assert found is not None
    assert (found.passing, found.turn) == (1, 1)


def test_a_turn_that_never_came_is_a_difference() -> None:
    found = only(
        trials=[trial(0, "passed"), trial(1, "error")],
        turns=[turn(0, 0), turn(0, 1), turn(1, 0)],
    )

    assert found is not None
    assert (found.turn, found.paths[0]["part"]) == (1, "turn")
    assert (found.paths[0]["passing"], found.paths[0]["failing"]) == ("turn", None)


def test_a_missing_observation_is_a_difference_and_its_code_is_told() -> None:
    late = {"status": "error", "error_code": "EVALUATION_TIMEOUT"}
    found = only(
        trials=[trial(0, "passed"), trial(1, "error")],
        turns=[turn(0, 0), turn(1, 0, None, **late)],
    )

    assert found is not None
    assert [row["part"] for row in found.paths] == ["status", "error_code", "observation"]


def test_where_the_turns_agree_the_criteria_of_the_trial_decide() -> None:
    found = only(
        trials=[trial(0, "passed"), trial(1, "failed")],
        turns=[turn(0, 0), turn(1, 0)],
        checks=[check(0, None, "whole"), check(1, None, "whole", passed=False)],
    )

    assert found is not None
    assert (found.turn, found.step) == (None, None)
    assert [row["path"] for row in found.paths] == ["/whole"]


def test_long_lists_of_paths_are_cut_and_counted() -> None:
    many = f"[{', '.join('1' * 60)}]"
    found = only(
        trials=[trial(0, "passed"), trial(1, "failed")],
        turns=[turn(0, 0, many), turn(1, 0, many.replace("1", "2"))],
    )

    assert found is not None
    assert (len(found.paths), found.more) == (divergence.MOST, 10)
    assert found.to_json()["more"] == 10


def test_only_failing_repetitions_diverge() -> None:
    rows = [trial(0, "passed"), trial(1, "skipped"), trial(2, "failed")]
    turns = [turn(number, 0) for number in range(3)]

    assert list(divergence.first(rows, turns, [])) == [2]
