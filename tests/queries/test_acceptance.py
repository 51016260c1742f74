"""Every figure of the reference about items, judges and noise, exactly."""

from pathlib import Path
from typing import Any, Final

import pytest

from queries import categories as rules
from queries import reliability, variance, votes
from tests.acceptance import DATA
from tests.queries.acceptance import Tables, expected, load, present

pytestmark = present
SAMPLES: Final = sorted(path.name for path in (DATA / "sample_report").glob("*-*.json")) + sorted(
    path.name for path in (DATA / "sample_report").glob("judged.*.json")
)
CASES: Final = sorted(
    path.name for path in (DATA / "evaluation_report").glob("*.json") if path.stem != "expected"
)
JUDGE: Final = ("mean_score", "min_score", "max_score", "mean_vote_spread", "failed_votes")


def exactly(value: float | None) -> Any:
    return value if value is None else pytest.approx(value, rel=0, abs=1e-12)


@pytest.fixture(scope="module", params=SAMPLES)
def sample(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    name: str = request.param
    tables = load(DATA / "sample_report" / name, tmp_path_factory.mktemp("store"))
    return tables, expected("sample_report")["runs"][name]


def test_every_item_is_as_stable_as_the_reference_says(sample: tuple[Tables, Any]) -> None:
    tables, figures = sample
    cells = variance.cells(tables.trials, tables.checks).collect()

    assert cells.height == figures["items"]
    for wanted in figures["by_item"]:
        [cell] = cells.filter(item=wanted["id"]).to_dicts()
        assert cell["repetitions"] == wanted["samples"]
        for name in ("measured", "passed", "flaky", "distinct_behaviours"):
            assert cell[name] == wanted[name], (wanted["id"], name)
        for name in ("refused_proposals", "samples_with_discards"):
            assert cell[name] == wanted[name], (wanted["id"], name)
        for name in ("pass_rate", "pass_variance"):
            assert cell[name] == exactly(wanted[name])
        behaviours = [{k: each[k] for k in ("count", "passed")} for each in cell["behaviours"]]
        assert behaviours == wanted["behaviours"]


def test_runs_sum_up_as_the_reference_says(sample: tuple[Tables, Any]) -> None:
    tables, figures = sample
    cells = variance.cells(tables.trials, tables.checks).collect()

    assert cells["distinct_behaviours"].sum() >= figures["distinct_signatures"]
    assert (cells["distinct_behaviours"] == 1).sum() == figures["items_with_one_behaviour"]
    assert set(cells.filter("flaky")["item"]) == set(figures["flaky_items"])


def judged(row: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert row["criterion"] == wanted["criterion"]
    assert row["judged"] == wanted["samples_judged"]
    for name in JUDGE:
        assert row[name] == exactly(wanted[name]), name


def test_every_judge_criterion_is_scored_as_the_reference_says(sample: tuple[Tables, Any]) -> None:
    tables, figures = sample
    rows = votes.criteria(tables.votes, tables.trials).collect().to_dicts()

    assert len(rows) == len(figures["judge"])
    for row, wanted in zip(rows, figures["judge"], strict=True):
        judged(row, wanted)


def test_every_item_is_judged_as_the_reference_says(sample: tuple[Tables, Any]) -> None:
    tables, figures = sample
    rows = votes.items(tables.votes, tables.trials).collect()

    assert rows.height == sum(len(item["judge"]) for item in figures["by_item"])
    for item in figures["by_item"]:
        own = rows.filter(item=item["id"]).to_dicts()
        for row, wanted in zip(own, item["judge"], strict=True):
            judged(row, wanted)


def test_categories_keep_their_figures_beside_the_intervals(sample: tuple[Tables, Any]) -> None:
    tables, figures = sample
    found = reliability.categories(
        tables.runs,
        tables.items,
        tables.trials,
        tables.checks,
        tables.definitions,
        rules.shipped(),
    ).collect()

    for category, wanted in figures["categories"].items():
        [row] = found.filter(category=category).to_dicts()
        assert row["trials"] == wanted["samples"]
        assert row["failing_trials"] == wanted["failing_samples"]
        assert row["failures"] == wanted["failures"]
        assert row["failure_rate"] == exactly(wanted["failure_rate"])
        assert row["again_low"] <= row["rate"] <= row["again_high"]
        assert row["items_low"] <= row["rate"] <= row["items_high"]


@pytest.mark.parametrize("name", CASES)
def test_cells_of_an_evaluation_report_flip_as_the_reference_says(
    name: str, tmp_path: Path
) -> None:
    figures = expected("evaluation_report").get(name)
    if figures is None:
        pytest.skip("the reference says nothing about it")
    tables = load(DATA / "evaluation_report" / name, tmp_path)

    cells = variance.cells(tables.trials, tables.checks).collect()

    assert cells.height == figures["cells"]
    assert cells["measured"].sum() == figures["graded"]
    assert len(cells.filter("flaky")) == len(figures["flaky_cells"])


def test_two_runs_of_one_code_differ_by_the_noise_the_reference_says(tmp_path: Path) -> None:
    floor = expected("sample_report")["noise_floor"]
    pair = []
    for name in (floor["first"], floor["second"]):
        directory = tmp_path / name
        directory.mkdir()
        tables = load(DATA / "sample_report" / name, directory)
        cells = variance.cells(tables.trials, tables.checks).collect()
        scores = votes.items(tables.votes, tables.trials).collect()
        pair.append((cells, scores))
    (cells, scores), (other_cells, other_scores) = pair

    items = cells.join(other_cells, on="item")
    judges = scores.join(other_scores, on=["item", "criterion"])

    assert items.height == floor["items_compared"]
    gaps = (items["pass_rate"] - items["pass_rate_right"]).abs()
    assert gaps.max() == exactly(floor["pass_rate"])
    drifts = (judges["mean_score"] - judges["mean_score_right"]).abs()
    assert drifts.max() == exactly(floor["judge_score"])


@pytest.mark.parametrize("name", ["weekly-battery.jsonl", "weekly-battery-2.json"])
def test_failures_by_fault_and_code_are_as_the_reference_says(name: str, tmp_path: Path) -> None:
    tables = load(DATA / "trial_row" / name, tmp_path)
    found = (
        reliability.by_axis(tables.runs, tables.trials, tables.checks, tables.definitions)
        .filter(axis="fault")
        .join(tables.runs.select("run", "suite", "subject"), on="run")
        .collect()
    )

    wanted: dict[Any, list[int]] = {}
    for fault in expected("trial_row")[name]["faults"]:
        cause = tuple(fault[part] for part in ("tool", "model", "fault", "code"))
        added = wanted.setdefault(cause, [0, 0, 0, 0])
        for place, part in enumerate(("trials", "checks")):
            added[place] += fault[part]
            added[place + 2] += fault[part] * fault["unfinished"]

    key = ("suite", "subject", "value", "code")
    sums = ("failing_trials", "failures", "unfinished_trials", "unfinished_failures")
    counted = {row[:4]: list(row[4:]) for row in found.select(*key, *sums).rows()}
    assert counted == wanted
