"""What a pull request and a CI system are told: `gate` and `compare` as Markdown, JUnit XML."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from tests.cli.conftest import ROOT, Cli
from tests.export.conftest import hostile

__all__ = ["hostile"]

BASE, CURRENT = "library-desk.swift-model", "library-desk.patient-model"
GOLDEN = ROOT / "tests" / "golden" / "comment"
MOST_OPEN = 60
COMMENTS = {
    "gate": ["gate", CURRENT, "--baseline", BASE, "--pages", "http://127.0.0.1:8501"],
    "compare": ["compare", BASE, CURRENT, "--pages", "http://127.0.0.1:8501/"],
}


def comment(cli: Cli, db: Path, name: str) -> str:
    return cli(*COMMENTS[name], "--markdown", "--db", db).stdout


def open_lines(text: str) -> list[str]:
    """Lines that are seen before anything is unfolded."""
    return re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL).splitlines()


@pytest.mark.parametrize("name", COMMENTS)
def test_a_comment_says_what_it_said(
    name: str, cli: Cli, samples: Path, request: pytest.FixtureRequest
) -> None:
    text = comment(cli, samples, name)
    golden = GOLDEN / f"{name}.md"
    if request.config.getoption("--regenerate-goldens"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, "utf-8")

    assert text == golden.read_text("utf-8")


@pytest.mark.parametrize("name", COMMENTS)
def test_a_comment_is_short_and_the_rest_folded(name: str, cli: Cli, samples: Path) -> None:
    text = comment(cli, samples, name)

    assert len(open_lines(text)) <= MOST_OPEN
    assert text.count("<details>") == text.count("</details>") > 0


@pytest.mark.parametrize("name", COMMENTS)
def test_every_table_of_a_comment_is_one(name: str, cli: Cli, samples: Path) -> None:
    text = comment(cli, samples, name)
    html = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text)

    assert html.count("<table>") == text.count("| --- | --- |") > 1 or html.count("<table>") > 1
    assert "| ---" not in html


def test_the_verdict_comes_first_and_what_got_worse_next(cli: Cli, samples: Path) -> None:
    lines = comment(cli, samples, "gate").splitlines()

    assert lines[0] == "### ❌ Gate: fail"
    first = next(line for line in lines if line.startswith("| ✗"))
    assert first.startswith("| ✗ | max regressions | [`renew-loan")
    assert re.search(r"\(<http://127\.0\.0\.1:8501/failures\?run=\w+&item=renew-loan>\)", first)


def test_a_comparison_says_what_got_worse_first(cli: Cli, samples: Path) -> None:
    lines = comment(cli, samples, "compare").splitlines()

    assert lines[0] == "### ❌ 1 change for the worse, noise unmeasured"
    assert lines[4].startswith("7 cells paired, 0 items excluded")


def test_without_an_address_there_are_no_links(cli: Cli, samples: Path) -> None:
    text = cli("gate", CURRENT, "--markdown", "--db", samples).stdout

    assert "](" not in text


def test_the_exit_code_is_the_verdict_whatever_is_printed(cli: Cli, samples: Path) -> None:
    assert cli("gate", CURRENT, "--markdown", "--db", samples).exit_code == 1
    assert cli("compare", BASE, CURRENT, "--markdown", "--db", samples).exit_code == 0


def test_a_hostile_report_is_text_in_a_comment(cli: Cli, hostile: Path) -> None:
    text = cli("gate", "=HYPERLINK(1)", "--markdown", "--db", hostile).stdout
    html = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text)

    assert (
        re.findall(r"<(?!/?(?:h3|p|code|strong|table|thead|tbody|tr|th|td|details|summary))", html)
        == []
    )
    assert re.search(r"[\x00-\x08\x0b-\x1f\u202e\u200b]", text) is None
    assert "@octocat" not in re.sub(r"<code>.*?</code>", "", html, flags=re.DOTALL)


def test_junit_shows_rulings_and_failing_criteria_as_tests(
    cli: Cli, samples: Path, tmp_path: Path
) -> None:
    out = tmp_path / "gate.xml"
    result = cli("gate", CURRENT, "--junit", out, "--db", samples)
    (suite,) = ElementTree.parse(out).getroot()  # noqa: S314 (we wrote it)
    cases = {(case.get("classname"), case.get("name")): case for case in suite}

    assert result.exit_code == 1
    assert suite.get("tests") == str(len(suite))
    assert len(cases) == len(suite)
    for kind, counter in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        assert suite.get(counter) == str(len(suite.findall(f"testcase/{kind}")))
    ruling = cases[("gate", "require_suite_criteria [nothing-blocked]")]
    assert [child.get("message") for child in ruling] == ["the suite's criterion failed"]
    (criterion,) = (case for (name, _), case in cases.items() if name == "renew-loan ask=plain")
    failure = criterion[0]
    assert failure.get("message") == "fails in 1 of 3 graded repetitions"
    assert "expected `2`" in str(failure.text) or "expected" in str(failure.text)
    assert {case[0].tag for (name, _), case in cases.items() if name == "not graded"} == {"skipped"}


def test_junit_of_a_hostile_report_is_xml(cli: Cli, hostile: Path, tmp_path: Path) -> None:
    out = tmp_path / "gate.xml"
    cli("gate", "=HYPERLINK(1)", "--junit", out, "--db", hostile)

    ElementTree.parse(out)  # noqa: S314 (we wrote it)
    assert re.search(r"[\x00-\x08\x0b-\x1f\u202e\u200b]", out.read_text("utf-8")) is None


def test_a_junit_file_that_cannot_be_written_is_said(
    cli: Cli, samples: Path, tmp_path: Path
) -> None:
    out = tmp_path / "gone" / "gate.xml"
    result = cli("gate", CURRENT, "--junit", out, "--db", samples)

    assert result.exit_code == 2
    assert result.stderr == f"unaveraged: {out} cannot be written: No such file or directory\n"
