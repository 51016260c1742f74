"""Who has to act on what trial rows found: the tool, a channel, or nobody yet."""

from datetime import datetime
from typing import Any

import polars as pl
import pytest

from queries import routing
from queries.channels import Channels, ChannelsError
from tests import builders
from tests.builders import trial_number

NOW = datetime(2026, 11, 30)  # noqa: DTZ001 (the store's times have no zone)
AGENT: dict[str, Any] = {"fault": "agent", "code": "ERR_X"}
TOOL: dict[str, Any] = {"fault": "tool", "code": None}


def runs(*models: str | None, **row: Any) -> pl.LazyFrame:
    return builders.runs(
        *(
            {"run": f"{place:010x}", "format": "trial-row", "dialect": "contract", "version": 1}
            | {"suite": "wai", "subject": model}
            | row
            for place, model in enumerate(models)
        )
    )


def failed(run: int, place: int = 0, **row: Any) -> dict[str, Any]:
    name = f"{run:010x}"
    return {"run": name, "trial": trial_number(place, name), "passed": False} | row


def trials(*checks: dict[str, Any], **row: Any) -> pl.LazyFrame:
    seen = {check["trial"]: check["run"] for check in checks}
    return builders.trials(*({"run": run, "trial": trial} | row for trial, run in seen.items()))


def faults(*checks: dict[str, Any], models: tuple[str | None, ...] = ("a",)) -> pl.LazyFrame:
    rows = trials(*checks, item="wai-hint-1")
    return routing.faults(runs(*models), rows, builders.checks(*checks))


def test_a_finished_tool_fault_is_a_ticket_with_its_evidence() -> None:
    found = routing.tickets(
        faults(
            failed(0, 0, **TOOL, reason="no hint"),
            failed(0, 1, **TOOL, reason="no envelope"),
            failed(0, 2, **TOOL, unfinished=True),
            failed(0, 3, **AGENT),
        )
    )

    assert found.collect().to_dicts() == [
        {
            "version": 1,
            "dialect": "contract",
            "suite": "wai",
            "item": "wai-hint-1",
            "criterion": "criterion",
            "trials": 2,
            "checks": 2,
            "models": ["a"],
            "reasons": ["no envelope", "no hint"],
            "examples": ["0000000000-0", "0000000000-1"],
        }
    ]


def test_a_fault_of_a_trial_cut_short_is_nobodys_work() -> None:
    rows = faults(
        failed(0, 0, **TOOL, unfinished=True),
        failed(0, 1, **AGENT, unfinished=True),
        failed(0, 2, fault="agent", code="ERR_ACTION_FORMAT_VIOLATION", unfinished=True),
    )

    assert routing.tickets(rows).collect().is_empty()
    assert routing.channels(rows, None).collect()["code"].to_list() == [routing.ACTION_FORMAT]
    assert routing.cut_short(rows).select("fault", "code", "trials").collect().rows() == [
        ("agent", "ERR_X", 1),
        ("tool", None, 1),
    ]


def test_without_a_map_nothing_is_routed_and_code_by_model_is_shown() -> None:
    rows = faults(
        failed(0, 0, **AGENT), failed(1, 0, **AGENT), failed(1, 1, **AGENT), models=("a", "b")
    )
    found = routing.channels(rows, None).collect().row(0, named=True)

    assert (found["route"], found["reason"]) == ("not_routed", "no channel map")
    assert found["by_model"] == [
        {"model": "a", "trials": 1, "checks": 1},
        {"model": "b", "trials": 2, "checks": 2},
    ]


@pytest.mark.parametrize(
    ("models", "configured", "route"),
    [
        (("a", "b", "c"), (), "channel"),
        (("a", "b"), (), "recorded"),
        (("a", "b"), ("a", "b"), "channel"),
        (("a", "a", "a"), (), "recorded"),
        (("a", "b", None), (), "recorded"),
    ],
)
def test_a_fault_on_enough_distinct_models_is_work_on_its_channel(
    models: tuple[str | None, ...], configured: tuple[str, ...], route: str
) -> None:
    rows = faults(*(failed(place, 0, **AGENT) for place in range(len(models))), models=models)
    config = Channels(models=configured, channel={"wai-hint-?": "envelope"})
    found = routing.channels(rows, config).collect().row(0, named=True)

    assert (found["channel"], found["route"]) == ("envelope", route)
    assert found["trials"] == len(models)


def test_a_scenario_the_map_forgets_is_named() -> None:
    found = routing.channels(faults(failed(0, 0, **AGENT)), Channels(channel={"x": "artifact"}))

    assert found.collect()["reason"].to_list() == ["no channel for wai-hint-1"]


def test_versions_and_dialects_are_never_merged() -> None:
    two = builders.runs(
        *(
            {"run": f"{place:010x}", "format": "trial-row", "version": 1, "suite": tool}
            | {"dialect": dialect, "subject": "a"}
            for place, (dialect, tool) in enumerate(
                [("contract", "wai"), ("contract", "dont"), ("live-runner", "wai")]
            )
        )
    )
    checks = [failed(place, 0, **AGENT) for place in range(3)]
    rows = routing.faults(two, trials(*checks), builders.checks(*checks))
    found = routing.channels(rows, None).select("dialect", "code", "trials").collect().rows()

    assert found == [("contract", "ERR_X", 2), ("live-runner", "ERR_X", 1)]


def test_a_check_that_never_failed_is_named_with_its_trials() -> None:
    checks = builders.checks(
        {"run": f"{0:010x}", "definition": 1},
        {"run": f"{0:010x}", "definition": 1, "trial": trial_number(1, "0" * 10)},
        {"run": f"{0:010x}", "definition": 2},
        failed(0, 1, definition=3, **TOOL),
    )
    definitions = builders.definitions(
        {"run": f"{0:010x}", "definition": 1, "criterion": "green"},
        {"run": f"{0:010x}", "definition": 2, "criterion": "red"},
        {"run": f"{0:010x}", "definition": 3, "criterion": "red", "fault": "tool"},
    )
    found = routing.never_failing(runs("a"), definitions, checks).collect()

    assert found.select("item", "criterion", "trials").rows() == [("item", "green", 2)]
    replayed = runs("a", dialect="replay-report")
    assert routing.never_failing(replayed, definitions, checks).collect().is_empty()


@pytest.mark.parametrize(
    ("outcome", "seen", "state", "age"),
    [
        ("passed", datetime(2026, 11, 20), "covered", 10),  # noqa: DTZ001
        ("failed", datetime(2026, 11, 1), "stale", 29),  # noqa: DTZ001
        ("passed", None, "undated", None),
        ("rate_limited", datetime(2026, 11, 20), "hole", None),  # noqa: DTZ001
    ],
)
def test_a_cell_of_the_grid_has_an_age(
    outcome: str, seen: datetime | None, state: str, age: int | None
) -> None:
    dated = runs("a").with_columns(seen_at=pl.lit(seen, pl.Datetime("us")))
    rows = builders.trials({"run": f"{0:010x}", "outcome": outcome})
    found = routing.coverage(dated, rows, None, NOW).collect().row(0, named=True)

    assert (found["state"], found["age_days"], found["trials"]) == (state, age, 1)


def test_a_configured_model_that_never_ran_is_a_hole() -> None:
    dated = runs("a").with_columns(seen_at=pl.lit(NOW))
    rows = builders.trials({"run": f"{0:010x}"})
    found = routing.coverage(dated, rows, Channels(models=("a", "b")), NOW).collect()

    assert found.select("model", "state", "trials").rows() == [
        ("a", "covered", 1),
        ("b", "hole", 0),
    ]


@pytest.mark.parametrize(
    ("full", "ablated", "delta"),
    [("ppp", "pff", 2 / 3), ("pp", "ppp", None), ("ppe", "ppp", None), ("ppp", "", None)],
)
def test_full_minus_ablated_needs_three_graded_trials_in_each_arm(
    full: str, ablated: str, delta: float | None
) -> None:
    outcomes = {"p": "passed", "f": "failed", "e": "error"}
    arms = pl.concat([runs("a", arm="full"), runs("x", "a", arm="ablated").filter(subject="a")])
    rows = builders.trials(
        *(
            {"run": f"{arm:010x}", "trial": trial_number(place, f"{arm:010x}")}
            | {"outcome": outcomes[letter]}
            for arm, letters in enumerate((full, ablated))
            for place, letter in enumerate(letters)
        )
    )
    found = routing.ablation(arms, rows).collect().row(0, named=True)

    assert found["delta"] == (None if delta is None else pytest.approx(delta))
    assert (found["reason"] is None) == (delta is not None)


@pytest.mark.parametrize("text", ["= 1", "[channel]\nx = 'nowhere'", "age = 1", "max_age_days = 0"])
def test_a_mistake_in_the_file_is_named(text: str) -> None:
    with pytest.raises(ChannelsError, match="channels"):
        Channels.read(text)


def test_the_first_pattern_that_matches_decides() -> None:
    known = Channels.read('models = ["a"]\n[channel]\n"wai-*" = "envelope"\n"*" = "artifact"')

    assert (known.of("wai-1"), known.of("dont-1"), known.needed()) == ("envelope", "artifact", 1)
