"""What is copied for a ticket says what failed, and holds no markup of a report."""

import html
import re
from pathlib import Path

import pytest

from dashboard import ticket
from dashboard.criteria import Node, Row
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import markup
from tests.dashboard.stored import case_of, run_of

SWIFT = "library-desk.swift-model.json"


def copied(page_markup: str) -> list[str]:
    found = re.findall(r'data-markdown="([^"]*)"', page_markup)
    return [html.unescape(one) for one in found]


def test_a_case_its_turns_and_its_unmet_criteria_can_be_copied(
    opened: Opened, samples: Path
) -> None:
    run = run_of(samples, SWIFT)
    name = case_of(samples, run, item="renew-loan", outcome="failed")
    shown = markup(opened(samples, "case", case=name))
    case, *rest = copied(shown)

    assert case.startswith("### Renew one of two similar titles")
    assert "expected: `L-2041`" in case
    assert "actual: `L-2044`" in case
    assert any(one.startswith("**Turn 2") for one in rest)
    assert any(one.startswith("**✗ renewed-once**") for one in rest)
    assert 'data-copy="case?case=' in shown


def test_a_group_is_copied_with_its_causes_and_an_address_that_says_what_it_is(
    opened: Opened, samples: Path
) -> None:
    shown = markup(opened(samples, "failures", run=run_of(samples, SWIFT)))
    groups = copied(shown)

    assert any(one.startswith("### renewed-once") and "got: `L-2044`" in one for one in groups)
    assert "criterion=renewed-once" in shown


def test_a_gone_criterion_offers_the_nearest(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SWIFT)
    shown = markup(opened(samples, "failures", run=run, criterion="renewed-twice"))

    assert "Nearest:" in shown
    assert "criterion=renewed-once" in shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "`a`"),
        ("`a`", "`` `a` ``"),
        ("", "`  `"),
        ("a\n```\nb", "\n````\na\n```\nb\n````"),
    ],
)
def test_text_of_a_report_is_code(text: str, expected: str) -> None:
    assert ticket.code(text) == expected


def test_names_are_no_markup() -> None:
    assert ticket.plain("<b>*a*\n[x](y)") == r"\<b\>\*a\* \[x\](y)"


def test_a_long_text_is_cut_and_says_so() -> None:
    node = Node(
        "c0", "✗", "fail", "failed", "x", None, "", "", rows=[Row("actual", [("y" * 9000, False)])]
    )

    assert "more characters" in ticket.criterion(node, "here")


def test_the_categories_of_a_run_are_copied_as_a_table(opened: Opened, samples: Path) -> None:
    (table,) = copied(markup(opened(samples, "reliability", run=run_of(samples, SWIFT))))

    assert table.startswith("### library-desk/swift-model")
    assert re.search(r"\| side-effect integrity \| \d+/\d+", table)
