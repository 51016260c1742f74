"""Reading a store from Python."""

import json
from pathlib import Path

import polars as pl
import pytest

from dashboard.api import open_store
from ingest.errors import StoreMissing
from tests.cli.conftest import Cli, cli, parsed, samples

__all__ = ["cli", "samples"]

RUN = "library-desk.swift-model"


def test_figures_are_frames_and_those_of_the_commands(cli: Cli, samples: Path) -> None:
    store = open_store(samples)
    told = parsed(cli("reliability", "--json", "--run", RUN, "--db", samples))["categories"]
    found = store.reliability([RUN]).categories

    assert found["category"].to_list() == [row["category"] for row in told]
    assert found["rate"].to_list() == [row["rate"] for row in told]
    assert store.runs().height == 21
    assert store.variance([RUN]).cells.height == 7
    assert store.votes(["swift-model"]).criteria.height > 0
    assert store.routing().tickets.height > 0


def test_failures_can_be_narrowed(samples: Path) -> None:
    found = open_store(samples).failures([RUN], category=["clarification"])

    assert set(found["category"]) == {"clarification"}


def test_trials_count_their_criteria(samples: Path) -> None:
    found = open_store(samples).trials([RUN])

    assert found.height == 21
    assert found.filter(pl.col("outcome") == "failed")["failing"].min() == 1


def test_a_trial_a_turn_and_a_piece(samples: Path) -> None:
    store = open_store(samples)
    name = store.trials([RUN])["trial"][4]
    whole, turn = store.trial(name), store.trial(name, turn=0)

    assert whole["trial"] == name
    assert turn["observation"] == store.trial(name, path="/turns/0/observation")
    assert store.brief(RUN)["run"] == whole["run"]


def test_two_runs_are_compared_and_gated(samples: Path) -> None:
    store = open_store(samples)
    compared = store.compare(RUN, "library-desk.patient-model")
    (gated,) = store.gate([RUN], baseline="library-desk.patient-model")

    assert compared.headline["compared"].item() == 7
    assert gated.outcome.verdict == "fail"


def test_an_export_is_the_command_s(cli: Cli, samples: Path) -> None:
    store = open_store(samples)
    printed = cli("export", "grid", "--format", "json", "--run", RUN, "--db", samples).stdout_bytes

    assert store.export("grid", "json", [RUN]) == printed
    assert store.table("grid", [RUN]).height == len(json.loads(printed)["rows"])


def test_a_store_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing):
        open_store(tmp_path / "gone.duckdb")
