"""`unaveraged routing`, `variance` and `votes` over the sample reports."""

from pathlib import Path

import pytest

from tests.cli import reports
from tests.cli.conftest import Cli, parsed


def test_routing_has_the_shape_programs_rely_on(cli: Cli, samples: Path) -> None:
    found = parsed(cli("routing", "--json", "--db", samples))

    assert set(found) >= {
        *("tickets", "channel", "recorded", "not_routed", "never_failing", "coverage", "ablation"),
    }
    tools = [(ticket["tool"], ticket["dialect"]) for ticket in found["tickets"]]
    assert ("tidelog", "contract") in tools
    assert found["channel"] == found["recorded"] == []
    assert {row["reason"] for row in found["not_routed"]} == {"no channel map"}
    ticket = found["tickets"][tools.index(("tidelog", "contract"))]
    assert ticket["checks"][0]["reasons"]


def test_a_map_of_channels_routes(cli: Cli, samples: Path, tmp_path: Path) -> None:
    channels = tmp_path / "channels.toml"
    channels.write_text('models = ["a", "b", "c"]\n[channel]\n"*" = "envelope"\n', "utf-8")
    found = parsed(cli("routing", "--channels", channels, "--json", "--db", samples))

    assert found["not_routed"] == []
    assert all(len(row["models"]) >= 3 for row in found["channel"])
    assert all(len(row["models"]) < 3 for row in found["recorded"])


def test_a_date_in_the_name_of_a_file_is_its_age(cli: Cli, tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    reports.write(tmp_path / "battery-2020-01-02.jsonl", reports.row())
    cli("ingest", tmp_path, "--db", db)
    row = parsed(cli("routing", "--json", "--db", db))["coverage"][0]

    assert (row["last_seen"], row["state"]) == ("2020-01-02", "stale")
    assert row["age_days"] > 2000


def test_channels_that_cannot_be_used_are_a_usage_error(
    cli: Cli, samples: Path, tmp_path: Path
) -> None:
    refused = cli("routing", "--channels", tmp_path / "none.toml", "--db", samples)

    assert refused.exit_code == 2
    assert "channels cannot be used" in refused.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("routing", ("ticket for", "never failed", "full minus ablated")),
        ("variance", ("rerun error", "behaviours", "flaky")),
        ("votes", ("language_quality", "alpha")),
    ],
)
def test_a_person_reads_tables(
    cli: Cli, samples: Path, command: str, words: tuple[str, ...]
) -> None:
    told = cli(command, "--db", samples)

    assert told.exit_code == 0
    assert [word for word in words if word not in told.stdout] == []


def test_variance_has_the_shape_programs_rely_on(cli: Cli, samples: Path) -> None:
    found = parsed(cli("variance", "--run", "f0273ec1a9", "--json", "--db", samples))
    cell = found["cells"][0]

    assert set(cell) >= {
        *("run", "item", "variants", "repetitions", "measured", "passed", "failed", "ungraded"),
        *("pass_rate", "pass_variance", "flaky", "distinct_behaviours", "pair_disagreement"),
        *("distinct_behaviours_masked", "behaviours", "refused_proposals"),
        "samples_with_discards",
    }
    assert cell["variants"] == {}
    assert set(cell["behaviours"][0]) >= {"count", "passed"}
    assert set(found["categories"][0]) >= {"run", "category"}


def test_votes_have_the_shape_programs_rely_on(cli: Cli, samples: Path) -> None:
    found = parsed(cli("votes", "--json", "--db", samples))
    members = {
        *("run", "criterion", "judged", "mean_score", "min_score", "max_score"),
        *("mean_vote_spread", "failed_votes"),
    }

    assert set(found["criteria"][0]) >= members
    assert set(found["items"][0]) >= members | {"item"}


def test_runs_without_a_judge_say_so(cli: Cli, samples: Path) -> None:
    told = cli("votes", "--run", "3b70145768", "--db", samples)

    assert "No judge was asked" in told.stdout
