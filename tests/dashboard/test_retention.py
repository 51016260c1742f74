"""Which reports may go by their age, and which stay whatever it is."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import polars as pl
import pytest

from dashboard import retention
from dashboard.errors import InputError

NOW: Final = datetime(2026, 11, 30, tzinfo=UTC)
OLD: Final = timedelta(days=90)


def run(name: str, days: float | None, **more: Any) -> dict[str, Any]:
    """A finished run, this many days old."""
    finished = None if days is None else (NOW - timedelta(days=days)).isoformat()
    return {
        "run": name,
        "report": f"report-{name}",
        "path": f"{name}.json",
        "format": "evaluation-report",
        "dialect": None,
        "suite": "suite",
        "subject": "subject",
        "arm": None,
        "started_at": None,
        "finished_at": finished,
        "ingested_at": datetime(2026, 11, 29),  # noqa: DTZ001
        "superseded_by": None,
    } | more


def planned(*rows: dict[str, Any], latest: int = 0) -> retention.Plan:
    return retention.plan(pl.DataFrame(rows, infer_schema_length=None), OLD, latest, NOW)


def test_only_what_is_older_goes() -> None:
    plan = planned(run("old", 90.001), run("limit", 90), run("young", 3))

    assert (plan.gone, plan.kept) == (["old"], ["young", "limit"])
    assert plan.reports.select("report", "runs").rows() == [("report-old", 1)]


@pytest.mark.parametrize(
    ("times", "days"),
    [
        ({"finished_at": "2026-11-20T00:00:00.123456789Z", "started_at": "2026-11-10"}, 10),
        ({"finished_at": None, "started_at": "2026-11-10T00:00:00+02:00"}, 20),
        ({"finished_at": "when it was done", "started_at": None}, 1),
    ],
)
def test_a_run_is_as_old_as_its_end_its_start_or_its_loading(
    times: dict[str, Any], days: int
) -> None:
    age = NOW - retention.moment(run("one", None, **times))

    assert timedelta(days=days - 1) < age < timedelta(days=days + 1)


def test_a_report_stays_while_one_of_its_runs_is_young() -> None:
    both = {"report": "both"}
    plan = planned(run("a", 200, **both), run("b", 1, **both), run("c", 200))

    assert plan.gone == ["c"]


def test_the_newest_runs_of_each_series_stay() -> None:
    other = {"subject": "other"}
    rows = (run("a", 400), run("b", 300), run("c", 200), run("d", 500, **other))

    assert planned(*rows, latest=1).kept == ["c", "d"]
    assert planned(*rows, latest=2).kept == ["c", "b", "d"]
    assert planned(*rows).kept == []


def test_a_replaced_run_is_not_the_newest() -> None:
    plan = planned(run("a", 300), run("b", 200, superseded_by="a"), latest=1)

    assert (plan.kept, plan.gone) == (["a"], ["b"])


def test_a_run_stays_with_what_it_replaces() -> None:
    """Without it the young snapshot would count as a run of its own."""
    plan = planned(run("winner", 200), run("snapshot", 2, superseded_by="winner"))

    assert plan.gone == []


@pytest.mark.parametrize(
    ("written", "age"), [("36h", timedelta(hours=36)), ("90d", OLD), ("2w", timedelta(days=14))]
)
def test_ages_are_hours_days_or_weeks(written: str, age: timedelta) -> None:
    assert retention.age(written) == age


@pytest.mark.parametrize("written", ["", "90", "d", "-3d", "3m", "1e9d", "9999999d"])
def test_what_is_no_age_is_refused(written: str) -> None:
    with pytest.raises(InputError, match="is no age; write"):
        retention.age(written)
