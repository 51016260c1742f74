"""Reports that try to be run by a spreadsheet, a browser or a terminal, through every exporter."""

import io
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import openpyxl
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from dashboard.export import harmless, markdown, report, tables, write
from dashboard.export.about import Selection
from dashboard.export.names import OF_TWO, TABLES
from tests.export.dumps import rows_of
from tests.export.hostile import FILE, FORMULAS, MARKUP

ACTS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]")
OF_ONE = [table for table in TABLES if table not in OF_TWO]
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "h4", "p"),
    *("small", "span", "div", "table", "thead", "tbody", "tr", "th", "td", "details", "summary"),
    *("ul", "li", "footer", "section", "figure", "img", "article", "dl", "dt", "dd", "b"),
}


class Tags(HTMLParser):
    """Collects the tags, and what could run in their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {(name, value or "") for name, value in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def tags_of(html: str) -> Tags:
    parser = Tags()
    parser.feed(html)
    return parser


@pytest.mark.parametrize("table", OF_ONE)
def test_a_spreadsheet_runs_nothing_of_a_csv(table: str, hostile: Path) -> None:
    written = write.exported(tables.build(hostile, table, Selection()), "csv")
    rows = rows_of("csv", written)

    assert [line for line in written.decode().splitlines() if ACTS.search(line)] == []
    for name in rows.columns:
        if rows[name].dtype == pl.String:
            cells = rows[name].drop_nulls().to_list()
            assert [cell for cell in cells if cell.startswith(harmless.STARTS)] == []


@pytest.mark.parametrize("table", OF_ONE)
def test_a_workbook_holds_no_formula_and_no_link(table: str, hostile: Path) -> None:
    written = write.exported(tables.build(hostile, table, Selection()), "xlsx")
    book = openpyxl.load_workbook(io.BytesIO(written))
    cells = [cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row]
    texts = [cell for cell in cells if isinstance(cell.value, str)]

    assert {cell.data_type for cell in cells} <= {"s", "n", "b", "inlineStr"}
    assert [cell.value for cell in cells if cell.hyperlink] == []
    assert [cell.value for cell in texts if ACTS.search(cell.value)] == []
    runnable = [
        cell
        for cell in book["Table"]["E"]
        if isinstance(cell.value, str) and cell.value.startswith(harmless.STARTS)
    ]
    assert [cell.value for cell in runnable if not cell.quotePrefix] == []


def test_the_hostile_texts_are_there_to_be_neutralised(hostile: Path) -> None:
    rows = rows_of("csv", write.exported(tables.build(hostile, "failures", Selection()), "csv"))
    exact = tables.build(hostile, "failures", Selection()).frame()

    assert set(FORMULAS) <= set(exact["item"])
    assert "'=1+1" in rows["item"].to_list()
    assert "'\\t=1+1" in rows["item"].to_list()
    assert exact["suite"][0] == MARKUP


@pytest.mark.parametrize("table", OF_ONE)
def test_a_page_holds_its_own_tags_only(table: str, hostile: Path) -> None:
    html = write.exported(tables.build(hostile, table, Selection()), "html").decode()
    found = tags_of(html)

    assert found.tags <= ALLOWED
    assert {name for name, _ in found.attributes if name.startswith("on")} == set()
    assert ACTS.search(html) is None


def test_a_report_holds_its_own_tags_only(hostile: Path) -> None:
    html = report.render(hostile, Selection())
    found = tags_of(html)

    assert found.tags <= ALLOWED
    assert {name for name, _ in found.attributes if name.startswith("on")} == set()
    sources = {value[:26] for name, value in found.attributes if name in {"src", "href"}}
    assert sources <= {"data:image/svg+xml;base64,"}
    assert ACTS.search(html) is None
    assert MARKUP in found.text


@pytest.mark.parametrize("table", OF_ONE)
def test_markdown_of_a_report_is_text(table: str, hostile: Path) -> None:
    text = write.exported(tables.build(hostile, table, Selection()), "md").decode()
    html = rendered(text)
    found = tags_of(html)

    assert found.tags <= ALLOWED | {"code", "strong"}
    assert "octocat" not in text or re.search(r"(?<!`)@octocat", without_code(html)) is None
    assert ACTS.search(text) is None


def rendered(text: str) -> str:
    html: str = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text)
    return html


def without_code(html: str) -> str:
    return re.sub(r"<code>.*?</code>", "", html, flags=re.DOTALL)


@given(st.text(max_size=60))
def test_any_text_is_one_code_span_in_a_table(text: str) -> None:
    table = f"| a | b |\n| --- | --- |\n| {markdown.code(text)} | x |\n"
    found = tags_of(rendered(table))

    assert found.tags <= {"table", "thead", "tbody", "tr", "th", "td", "code"}
    assert rendered(table).count("<td") == 2


@given(st.text(max_size=60))
def test_any_text_escaped_is_text(text: str) -> None:
    found = tags_of(rendered(f"- x{markdown.escaped(text)}\n"))

    assert found.tags <= {"ul", "li"}


@given(st.lists(st.text(max_size=20), min_size=1, max_size=5))
def test_text_for_spreadsheets_never_starts_what_is_run(texts: list[str]) -> None:
    frame = pl.DataFrame({"text": texts})
    shown = frame.select(shown=harmless.for_spreadsheets(pl.col("text")))["shown"].to_list()

    assert [text for text in shown if text.startswith(harmless.STARTS)] == []
    assert [text for text in shown if ACTS.search(text) or "\n" in text] == []


def test_a_hostile_file_name_is_text_everywhere(hostile: Path) -> None:
    made: Any = tables.build(hostile, "reliability", Selection())

    assert made.about.runs[0].file == FILE
    for form in ("csv", "xlsx", "md", "html", "parquet", "json"):
        assert write.exported(made, form)
