"""`unaveraged trials` and `history`: what a person and a program get from a real store."""

from pathlib import Path

import pytest

from tests.cli.conftest import Cli, parsed

DESK = "library-desk.conversations"


def test_planned_trials_are_those_of_the_runs(cli: Cli, samples: Path) -> None:
    found = parsed(cli("trials", "--json", "--db", samples))
    listed = {row["run"]: row for row in parsed(cli("runs", "--json", "--db", samples))}

    assert [row["run"] for row in found["runs"]] == [
        run for run, row in listed.items() if not row["superseded"]
    ]
    for row in found["runs"]:
        about = listed[row["run"]]
        own = [cell for cell in found["cells"] if cell["run"] == row["run"]]
        assert (row["trials"], row["passed"], row["graded"]) == (
            *(about["trials"], about["passed"], about["measured"]),
        )
        assert sum(len(cell["repetitions"]) for cell in own) == about["trials"]


def test_what_never_ran_is_told(cli: Cli, samples: Path) -> None:
    lines = cli("trials", "--run", "lost-items.limited", "--db", samples).stdout.splitlines()
    (row,) = [line.split() for line in lines if line.startswith("damaged-book")]

    assert row == ["damaged-book", "2", "2", "0/0", "0", "0", "2", "2", "0", "○", "○"]


def test_a_history_tells_breaks_and_sets_suspect_runs_aside(cli: Cli, samples: Path) -> None:
    found = parsed(cli("history", DESK, "--json", "--db", samples))
    told = cli("history", DESK, "--db", samples).stdout

    (last,) = [row for row in found["runs"] if row["suspect"]]
    assert last["breaks"] == ["another fingerprint of the subject"]
    assert "suspect  another fingerprint of the subject" in told
    assert last["run"] in {row["run"] for row in found["categories"]}
    assert last["run"] not in {one["run"] for row in found["cells"] for one in row["runs"]}


def test_a_history_is_narrowed_by_subject_and_categorised_by_own_rules(
    cli: Cli, samples: Path, tmp_path: Path
) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text('[[rule]]\ncategory = "user_experience"\nformat = "evaluation-report"\n')
    found = parsed(
        cli(
            *("history", DESK, "--subject", "library-desk/patient-model", "--json"),
            *("--categories", rules, "--db", samples),
        )
    )

    assert {row["subject"] for row in found["runs"]} == {"library-desk/patient-model"}
    measured = {row["category"] for row in found["categories"] if row["rate"] is not None}
    assert measured == {"user_experience"}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["nothing"], "no run is of the suite 'nothing'; there is grainmill, library-desk.conver"),
        ([DESK, "--subject", "x"], f"no run of {DESK} has the subject 'x'; there is library-desk/"),
    ],
)
def test_a_history_of_nothing_is_said_in_one_line(
    cli: Cli, samples: Path, asked: list[str], message: str
) -> None:
    result = cli("history", *asked, "--db", samples)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"unaveraged: {message}")
    assert len(result.stderr.splitlines()) == 1
