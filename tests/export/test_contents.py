"""What every exported table carries in every format, and that its figures are the commands'."""

import io
import json
from pathlib import Path
from typing import Final

import openpyxl
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from dashboard.errors import InputError
from dashboard.export import about, tables, write
from dashboard.export.about import Selection
from dashboard.export.formats import Format
from dashboard.export.names import OF_TWO, TABLES
from dashboard.export.table import NEVER_ADDED, Table
from queries.rules import CATEGORIES
from tests.cli.conftest import Cli, parsed
from tests.export.dumps import rows_of, text_of
from tests.export.test_goldens import FORMATS, selected

DATA: Final[tuple[Format, ...]] = ("csv", "xlsx", "parquet", "json")
TOTALS: Final = {"total", "all", "overall", "sum", "average", "mean", "score"}


def built(db: Path, table: str) -> Table:
    return tables.build(db, table, selected(table))


def plain(form: Format, text: str) -> str:
    """Text of a format without what it escapes."""
    if form == "md":
        return text.replace("\\", "").replace("&gt;", ">").replace("&lt;", "<")
    if form == "html":
        return text.replace("&#39;", "'").replace("&#34;", '"').replace("&gt;", ">")
    return text.replace('\\"', '"').replace("\\\\", "\\")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("table", TABLES)
def test_every_format_says_where_the_table_comes_from(
    table: str, form: Format, samples: Path
) -> None:
    made = built(samples, table)
    told = plain(form, text_of(form, write.exported(made, form)))

    for source in made.about.runs:
        assert source.sha256 in told
        assert source.run in told
        assert source.file in told
    for line in (*made.about.filters, *made.about.excluded, *made.notes, NEVER_ADDED):
        assert line in told
    for rule in made.about.rules:
        assert rule.name in told
    if form != "md":
        assert [one.meaning for one in made.columns if one.meaning not in told] == []
    assert made.about.tool in told


@pytest.mark.parametrize("form", DATA)
@pytest.mark.parametrize("table", TABLES)
def test_no_row_is_a_total(table: str, form: Format, samples: Path) -> None:
    rows = rows_of(form, write.exported(built(samples, table), form))

    for name in ("category", "run", "item"):
        if name in rows.columns:
            said = {str(value).lower() for value in rows[name].to_list()}
            assert said.isdisjoint(TOTALS)
    if "category" in rows.columns:
        assert set(rows["category"]) <= set(CATEGORIES)


@pytest.mark.parametrize("table", TABLES)
def test_no_readable_row_is_a_total(table: str, samples: Path) -> None:
    made = built(samples, table)
    titles = {one.title for one in made.shown}
    firsts = {made.shown[0].cell(row).lower() for row in made.frame().iter_rows(named=True)}

    assert firsts.isdisjoint(TOTALS)
    assert titles.isdisjoint(TOTALS - {"mean"})


def test_a_readable_rate_stands_after_its_counts(samples: Path) -> None:
    made = built(samples, "reliability")
    (held,) = (one for one in made.shown if one.title == "held")

    for row in made.frame().iter_rows(named=True):
        cell = held.cell(row)
        assert ("%" in cell) == (row["rate"] is not None)
        if row["rate"] is not None:
            assert cell.startswith(f"{row['held']}/{row['denominator']} = ")


@pytest.mark.parametrize("form", ["parquet", "json", "csv"])
@pytest.mark.parametrize("table", TABLES)
def test_numbers_keep_their_full_precision(table: str, form: Format, samples: Path) -> None:
    made = built(samples, table)
    exact = made.frame()
    rows = rows_of(form, write.exported(made, form))
    numbers = [one.name for one in made.columns if one.kind in {"count", "share", "number"}]

    assert rows.columns == [one.name for one in made.columns]
    assert numbers
    for name in numbers:
        assert rows[name].cast(pl.Float64).to_list() == exact[name].cast(pl.Float64).to_list()


@pytest.mark.parametrize("table", TABLES)
def test_a_parquet_file_is_the_frame(table: str, samples: Path) -> None:
    made = built(samples, table)

    assert_frame_equal(rows_of("parquet", write.exported(made, "parquet")), made.frame())


@pytest.mark.parametrize("table", TABLES)
def test_a_workbook_read_again_is_the_frame(table: str, samples: Path) -> None:
    made = built(samples, table)
    rows, exact = rows_of("xlsx", write.exported(made, "xlsx")), made.frame()

    assert rows.height == exact.height
    assert rows.columns == exact.columns
    for column in made.columns:
        read, own = rows[column.name], exact[column.name]
        if own.null_count() == own.len():
            assert read.null_count() == read.len()
        elif column.kind in {"count", "share", "number"}:
            assert read.is_null().to_list() == own.is_null().to_list()
            numbers = (each.drop_nulls().cast(pl.Float64).to_list() for each in (read, own))
            assert next(numbers) == pytest.approx(next(numbers), rel=1e-15)
        elif column.kind == "flag":
            assert read.to_list() == own.to_list()
        else:
            own_text = own.replace("", None).to_list()
            assert read.cast(pl.String).to_list() == own_text


def test_a_workbook_has_a_frozen_head_numbers_and_notes(samples: Path) -> None:
    written = write.exported(built(samples, "reliability"), "xlsx")
    book = openpyxl.load_workbook(io.BytesIO(written))

    assert book.sheetnames == ["Table", "Notes"]
    sheet = book["Table"]
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref is not None
    titles = {cell.value: cell.column for cell in sheet[1]}
    assert sheet.cell(2, titles["rate"]).number_format == "0.0%"
    assert sheet.cell(2, titles["held"]).number_format == "#,##0"
    assert isinstance(sheet.cell(2, titles["held"]).value, int)


@pytest.mark.parametrize("table", TABLES)
def test_the_command_writes_what_a_page_hands_out(table: str, cli: Cli, samples: Path) -> None:
    runs = [word for name in selected(table).runs for word in ("--run", name)]
    for form in ("csv", "json", "md"):
        printed = cli("export", table, "--format", form, "--db", samples, *runs)
        assert printed.exit_code == 0, printed.stderr
        assert printed.stdout_bytes == write.exported(built(samples, table), form)


def test_the_reliability_table_has_the_figures_of_the_command(cli: Cli, samples: Path) -> None:
    told = parsed(cli("reliability", "--json", "--db", samples))["categories"]
    rows = tables.build(samples, "reliability", Selection()).frame().to_dicts()
    names = ("run", "category", "trials", "graded", "failing_trials", "failures", "rate", "low")

    def shape(each: dict[str, object]) -> str:
        return json.dumps([each[name] for name in names])

    assert sorted(map(shape, told)) == sorted(map(shape, rows))


def test_the_failures_table_has_the_rows_of_the_command(cli: Cli, samples: Path) -> None:
    told = parsed(cli("failures", "--json", "--db", samples))
    rows = json.loads(write.exported(tables.build(samples, "failures", Selection()), "json"))
    names = ("run", "trial", "criterion", "category", "decisive", "expected", "actual", "reason")

    def shape(each: dict[str, object]) -> str:
        return json.dumps([each[name] for name in names])

    assert sorted(map(shape, rows["rows"])) == sorted(map(shape, told))


def test_filters_narrow_and_are_said(samples: Path) -> None:
    selection = Selection(categories=("clarification",), items=("renew.ambiguous.en",))
    made = tables.build(samples, "failures", selection)

    assert set(made.frame()["category"]) == {"clarification"}
    assert set(made.frame()["item"]) == {"renew.ambiguous.en"}
    assert made.about.filters == (
        "only these categories: clarification",
        "only these items: renew.ambiguous.en",
    )


def test_a_run_that_is_replaced_is_said_to_be_left_out(samples: Path) -> None:
    made = tables.build(samples, "reliability", Selection())
    named = tables.build(samples, "reliability", Selection(("lost-items.limited",)))

    assert any("replaced by run" in line for line in made.about.excluded)
    assert not any("replaced by run" in line for line in named.about.excluded)


def test_the_rules_in_force_are_those_of_the_formats_and_ones_own(
    samples: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('[[rule]]\nname = "ours"\ncategory = "user_experience"\ncriterion = "tone-*"\n')
    selection = Selection(("library-desk.swift-model",), rule_files=(mine,))
    rules = about.choose(samples, selection).about.rules

    assert rules[0].line() == "user_experience ← criterion = tone-* (rule: ours)"
    assert {rule.name[0] for rule in rules[1:]} == {"A"}


@pytest.mark.parametrize("table", sorted(OF_TWO))
def test_a_comparison_says_its_sides(table: str, samples: Path) -> None:
    made = built(samples, table)

    assert [line.partition(":")[0] for line in made.about.filters] == ["base", "current"]
    assert "7 cells paired, 0 items excluded" in made.says


@pytest.mark.parametrize(
    ("table", "selection", "message"),
    [
        ("comparison", Selection(("a",)), "a comparison is of two: --run BASE --run CURRENT"),
        ("reliability", Selection(("gone",)), "no run is named 'gone'"),
        ("reliability", Selection(categories=("gone",)), "no category is called 'gone' here"),
        ("failures", Selection(items=("gone",)), "no item is called 'gone' here"),
        ("grid", Selection(categories=("clarification",)), "a cell has no category"),
        ("variance", Selection(categories=("clarification",)), "a cell has no category"),
        ("votes", Selection(items=("x",)), "a judge's criterion has no category and no item"),
        ("votes-items", Selection(categories=("clarification",)), "a judge's criterion has no"),
        ("routing", Selection(categories=("clarification",)), "faults are routed whatever"),
        ("grid", Selection(control=("a", "b")), "grid has no control pair"),
    ],
)
def test_what_cannot_be_exported_is_said(
    table: str, selection: Selection, message: str, samples: Path
) -> None:
    with pytest.raises(InputError) as raised:
        tables.build(samples, table, selection).frame()

    assert str(raised.value).startswith(message)
