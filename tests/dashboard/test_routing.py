"""Who has to act: every figure of the page is the command line's."""

from pathlib import Path

from ingest.load import load_paths
from tests.dashboard.conftest import ROOT, Opened
from tests.dashboard.reading import links, markup, text
from tests.dashboard.said import said


def test_the_page_says_what_the_command_line_says(opened: Opened, samples: Path) -> None:
    page = opened(samples, "routing")
    found = said(samples, "routing")

    assert not page.exception
    drawn = markup(page)
    assert drawn.count('class="ticket"') == sum(len(one["checks"]) for one in found["tickets"])
    ways = [*found["channel"], *found["recorded"], *found["not_routed"]]
    assert drawn.count('class="fault"') == len(ways)
    assert drawn.count('class="green"') == len(found["never_failing"])
    assert drawn.count('class="arm"') == len(found["ablation"])
    for row in ways:
        assert (row["code"] or "no code") in text(page)
        assert row["reason"] in text(page)
    for row in found["coverage"]:
        assert f"{row['graded']}/{row['trials']}" in text(page)
    assert links(page, "case?case=")


def test_without_trial_rows_the_page_says_what_it_is_about(opened: Opened, tmp_path: Path) -> None:
    db = tmp_path / "samples.duckdb"
    load_paths([str(ROOT / "sample_reports" / "samples")], db)
    page = opened(db, "routing")

    assert not page.exception
    assert "No trial rows here" in text(page)
