"""The strict policy accepts exactly the reports that their own rule accepts."""

import json
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from dashboard import gating
from ingest.load import load_paths
from ingest.store import open_reader
from queries import categories
from queries.policy import Policy

DATA: Final = Path(__file__).parents[2] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="acceptance data is not here")


def expected(folder: str) -> dict[str, Any]:
    path = DATA / folder / "expected.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


REPORTS: Final = expected("evaluation_report")
SAMPLES: Final = expected("sample_report").get("runs", {})


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What the strict policy says of every report, by its place under the folder."""
    db = tmp_path_factory.mktemp("gate") / "store.duckdb"
    load_paths([str(DATA / "evaluation_report"), str(DATA / "sample_report")], db)
    with open_reader(db) as reader:
        runs = reader.frame("run").join(reader.frame("report"), on="report").sort("path")
    names = runs["run"].to_list()
    gated = gating.decide(db, names, Policy(), categories.shipped(), None)
    paths = dict(runs.select("run", pl.col("path")).iter_rows())
    return {
        Path(paths[each.run["run"]]).relative_to(DATA).as_posix(): each.outcome.to_json()
        for each in gated
    }


@pytest.mark.parametrize("name", REPORTS)
def test_an_evaluation_report_is_accepted_as_its_documentation_says(
    outcomes: dict[str, dict[str, Any]], name: str
) -> None:
    verdict = outcomes[f"evaluation_report/{name}"]["verdict"]

    assert (verdict == "pass") == REPORTS[name]["all_selected_cases_pass"]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_thresholds_of_a_sample_report(outcomes: dict[str, dict[str, Any]], name: str) -> None:
    run = SAMPLES[name]
    effects = run["categories"]["side_effect_integrity"]
    wanted = []
    if run["pass_rate"] < 1:
        wanted.append(
            (run["suite"], "min_deterministic_pass_rate", f"{run['pass_rate']:.3f} < 1.000")
        )
    if effects["failing_samples"]:
        told = f"{effects['failing_samples']} samples failed a side-effect integrity assertion"
        wanted.append((run["suite"], "forbid_side_effect_failures", told))
    if run["abandonment_rate"] > 0:
        told = f"{run['abandonment_rate']:.3f} > 0.000"
        wanted.append((run["suite"], "max_abandonment_rate", told))
    wanted += [
        (row["id"], "allow_flaky_items", f"{row['passed']}/{row['samples']} samples passed")
        for row in run["by_item"]
        if row["flaky"]
    ]
    found = [
        (row["scope"], row["rule"], row["detail"])
        for row in outcomes[f"sample_report/{name}"]["violations"]
        if row["rule"] != "max_unmeasured_trials"
    ]

    assert sorted(found) == sorted(wanted)
