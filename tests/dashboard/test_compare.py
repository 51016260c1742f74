"""The comparison: what can be compared first, then figures that equal the command line's."""

import html
import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from dashboard import wording
from ingest.load import load_paths
from tests.acceptance import DATA
from tests.browser import twelve
from tests.dashboard.conftest import Opened
from tests.dashboard.equal import NO_DATA
from tests.dashboard.reading import links, markup, query, text, words
from tests.dashboard.said import said
from tests.dashboard.stored import case_of, run_of

SWIFT = "2026-11-02-loans-x4-swift-model.json"
PATIENT = "2026-11-02-loans-x4-patient-model.json"
ACCEPTED = (
    (
        "product-selection.careful-model.completed.json",
        "product-selection.fast-model.r14.completed.json",
    ),
    ("2026-09-30-medium-x3-gpt-5.4-mini.json", "2026-10-01-medium-x3-gpt-6-luna.json"),
    ("judged.control-1.json", "judged.control-2.json"),
)
DESK = ("library-desk.swift-model.json", "library-desk.patient-model.json")


def blocks(page: str) -> dict[str, list[str]]:
    """The rows of each category's block."""
    found = re.findall(r'<tbody id="category-(\w+)">(.*?)</tbody>', page, re.DOTALL)
    return {name: re.findall(r"<tr.*?</tr>", body, re.DOTALL) for name, body in found}


@pytest.mark.parametrize(
    ("store", "files"),
    [
        ("samples", (SWIFT, PATIENT)),
        ("samples", DESK),
        *(pytest.param("acceptance", pair, marks=NO_DATA) for pair in ACCEPTED),
    ],
)
def test_the_page_says_what_the_command_line_says(
    opened: Opened, db: Path, files: tuple[str, str]
) -> None:
    base, current = (run_of(db, file) for file in files)
    page = opened(db, "compare", base=base, run=current)
    found = said(db, "compare", base, current)

    assert not page.exception
    drawn = blocks(markup(page))
    assert set(drawn) == {row["category"] for row in found["categories"]}
    for row in found["categories"]:
        before, after = (words(line) for line in drawn[row["category"]])
        assert f"{row['base_passed']}/{row['base_trials']}" in before
        assert f"{row['current_passed']}/{row['current_trials']}" in after
        assert wording.percent(row["base_rate"]) in before
        assert wording.percent(row["current_rate"]) in after
        assert f"{100 * row['difference']:+.1f} pts" in after
        assert f"[{100 * row['again_low']:+.1f}, {100 * row['again_high']:+.1f}]" in after
        assert row["p_holm"] is None or f"{row['p_holm']:.3f}" in after
        assert row["verdict"] in after
    changed = [one for one in found["changes"] if one["kind"].startswith("deterministic")]
    cells = markup(page).split('aria-label="Cells"')[1]
    assert sum(len(re.findall(r">(regressed|fixed|improved)<", cells)) for _ in "1") == len(changed)


def test_what_can_be_compared_comes_before_any_figure(opened: Opened, samples: Path) -> None:
    base, current = run_of(samples, SWIFT), run_of(samples, PATIENT)
    page = text(opened(samples, "compare", base=base, run=current))

    order = ["cells paired", "At first sight", "Categories, on the same cells", "Cells"]
    assert [page.index(one) for one in order] == sorted(page.index(one) for one in order)
    assert "noise is unmeasured" in page
    assert not re.search(r"\b(total|overall|average)\b", page.lower())


def test_discarded_answers_are_seen_at_first_sight(opened: Opened, samples: Path) -> None:
    base, current = run_of(samples, SWIFT), run_of(samples, PATIENT)
    page = text(opened(samples, "compare", base=base, run=current))

    assert re.search(r"trials with discarded answers .*? \d+/\d+ \( ", page)


def test_the_address_pins_the_baseline_and_carries_filters(opened: Opened, samples: Path) -> None:
    base, current = (run_of(samples, file) for file in DESK)
    page = opened(samples, "compare", base=base, run=current, show="changed")

    assert all(f"base={base}" in one for one in links(page, "compare?") if "#cells" in one)
    assert "No cell is like that" in text(
        opened(samples, "compare", base=base, run=current, q="zzz")
    )


def test_a_category_narrows_the_cells_and_leads_to_its_criteria(
    opened: Opened, samples: Path
) -> None:
    base, current = (run_of(samples, file) for file in DESK)
    page = opened(
        samples, "compare", base=base, run=current, category="side_effect_integrity", show="changed"
    )

    assert "counting side-effect integrity alone" in text(page)
    assert any(re.search(r"#c\d+$", one) for one in links(page, "case?"))


def test_two_cells_open_side_by_side(opened: Opened, samples: Path) -> None:
    base, current = (run_of(samples, file) for file in DESK)
    page = opened(samples, "compare", base=base, run=current)
    (opens, *_) = [one for one in links(page, "compare?") if "#open" in one]
    cells = re.findall(r"cell=([\w-]+)", opens)

    both = opened(samples, "compare", base=base, run=current, cell=cells)

    assert not both.exception
    assert "2 open cells" in text(both)
    assert markup(both).count("failed criteria") == 2
    (side_by_side,) = links(both, "divergence?")
    asked = parse_qs(query(side_by_side))
    assert asked["case"][0].partition("-")[0] != asked["other"][0].partition("-")[0]
    pair = opened(samples, "divergence", case=asked["case"], other=asked["other"])
    assert not pair.exception
    assert "First difference:" in text(pair)


def test_cells_of_two_items_do_not_stand_side_by_side(opened: Opened, samples: Path) -> None:
    base, current = (run_of(samples, file) for file in DESK)
    cells = [
        case_of(samples, base, item="renew-loan"),
        case_of(samples, current, item="explain-fine"),
    ]
    page = opened(samples, "compare", base=base, run=current, cell=cells)

    assert "2 open cells" in text(page)
    assert links(page, "divergence?") == []


def test_a_subject_over_its_runs_can_be_chosen(opened: Opened, tmp_path: Path) -> None:
    db = tmp_path / "twice.duckdb"
    for place, (subject, failing) in enumerate([("steady", 0), ("hasty", 9), ("hasty", 8)]):
        path = twelve.write(tmp_path / f"{place}.json", subject, failing=failing, run=str(place))
        load_paths([str(path)], db)
    base = run_of(db, "0.json")
    chosen = opened(db, "compare", base=base)
    (against,) = [one for one in chosen.multiselect if one.key == "run"]
    (name,) = [one for one in against.options if one.startswith("hasty · all its 2 runs of desk")]

    page = against.select(name).run()

    assert not page.exception
    assert page.query_params["run"] in ("hasty", ["hasty"])
    found = said(db, "compare", base, "hasty")
    assert f"{found['headline']['current_passed']}/{found['headline']['current_graded']}" in text(
        page
    )
    assert "all its 2 runs" in str(page.selectbox(key="base").options)


def test_runs_of_two_suites_are_refused_in_words(opened: Opened, samples: Path) -> None:
    page = opened(samples, "compare", base=run_of(samples, SWIFT), run=run_of(samples, DESK[0]))

    assert not page.exception
    assert "These cannot be compared" in text(page)
    assert "they differ in format" in text(page)


@pytest.mark.parametrize("asked", [{}, {"base": "0123456789"}])
def test_without_a_comparison_pairs_are_offered(
    opened: Opened, samples: Path, asked: dict[str, str]
) -> None:
    page = opened(samples, "compare", **asked)

    assert not page.exception
    assert "Nothing is compared yet" in text(page)
    assert any("base=" in one and "run=" in one for one in links(page, "compare?"))


def test_a_hostile_name_stays_text(opened: Opened, samples: Path) -> None:
    page = opened(samples, "compare", base="<script>alert(1)</script>")

    assert "<script>alert" not in markup(page)
    assert html.escape("<script>alert") in markup(page)


@pytest.mark.skipif(not DATA.is_dir(), reason="no acceptance data beside the repository")
class TestAcceptance:
    """Real and generated reports that lie beside the repository."""

    def open(self, opened: Opened, acceptance: Path, *files: str, **more: str | list[str]) -> str:
        base, *runs = (run_of(acceptance, file) for file in files)
        page = opened(acceptance, "compare", base=base, run=runs, **more)
        assert not page.exception
        return text(page)

    def test_two_equal_rates_differ_at_first_sight(self, opened: Opened, acceptance: Path) -> None:
        page = self.open(
            opened,
            acceptance,
            *("2026-09-30-medium-x3-gpt-5.4-mini.json", "2026-10-01-medium-x3-gpt-6-luna.json"),
        )

        first = page.partition("Categories, on the same cells")[0]
        assert "227/228" in first
        assert "1 regressed conversation.whole_trip.it" in first
        assert "1 fixed value.add_extra.en" in first
        assert "4/228" in first
        assert "15/228" in first

    def test_another_corpus_withholds_every_figure(self, opened: Opened, acceptance: Path) -> None:
        page = self.open(opened, acceptance, "judged.control-1.json", "judged.drifted-corpus.json")

        assert "No figure against judged.drifted-corpus. 9 of 22 paired cells" in page
        assert page.index("No figure against") < page.index("At first sight")
        assert "pts" not in page

    def test_two_runs_of_one_system_are_no_regression(
        self, opened: Opened, acceptance: Path
    ) -> None:
        files = ("judged.control-1.json", "judged.control-2.json")
        control = [run_of(acceptance, file) for file in files]
        plain = self.open(opened, acceptance, *files)
        measured = self.open(opened, acceptance, *files, control=control)

        for page in (plain, measured):
            assert "beyond noise" not in page
            assert " worse " not in page
        assert "noise unmeasured" in plain
        assert "within noise" in measured
