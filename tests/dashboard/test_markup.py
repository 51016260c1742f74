"""Nothing a report says becomes markup, and nothing in it acts unseen."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard import jsontree, markup
from dashboard.jsontree import Budget
from dashboard.parts import Piece
from tests.dashboard.reading import words


def head(title: str) -> str:
    return markup.render("head", title=title, what=[Piece(title, title=title)], badges=[], tools=[])


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ('" onmouseover="alert(1)', "&#34; onmouseover=&#34;alert(1)"),
        ("a\x00b\x1b[31m", "a⟨NULL⟩b⟨ESCAPE⟩[31m"),
        ("abc\u202edef\u2066", "abc⟨U+202E⟩def⟨U+2066⟩"),
        ("zero\u200bwidth\ufeff", "zero⟨U+200B⟩width⟨U+FEFF⟩"),
        ("\x7f\x85", "⟨U+007F⟩⟨U+0085⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("ab\u200dc", "ab⟨U+200D⟩c"),
        ("line\none\ttab", "line\none\ttab"),
    ],
)
def test_text_is_shown_as_it_was_written(written: str, shown: str) -> None:
    assert f">{shown}</h1>" in head(written)


@given(st.text(min_size=1))
def test_no_text_adds_a_tag_or_an_attribute(text: str) -> None:
    def skeleton(page: str) -> list[str]:
        return [re.sub(r'"[^"]*"', '""', tag) for tag in re.findall(r"<[^>]*>", page)]

    assert skeleton(head(text)) == skeleton(head("plain"))


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_no_observation_adds_a_tag(value: object) -> None:
    tree = jsontree.build(jsontree.parse(json.dumps(value)), Budget(50))
    template = markup._templates().from_string(
        '{% import "json.html" as json %}{{ json.tree(tree) }}'
    )
    tags = set(re.findall(r"</?([a-z0-9]+)", template.render(tree=tree)))

    assert tags <= {"div", "details", "summary", "ul", "li", "span"}


def test_nothing_is_written_for_nothing() -> None:
    assert (
        words(markup.render("notice", title="", lines=[None], commands=[], links=[], role="")) == ""
    )


def test_the_constants_hold_no_template_and_no_address_of_another_machine() -> None:
    for text in (markup.stylesheet(), markup.behaviour()):
        assert "{{" not in text
        assert "http" not in text
        assert "@import" not in text


def test_the_script_holds_no_markup_for_which_it_would_be_taken_out() -> None:
    script = markup.behaviour().removeprefix("<script>").removesuffix("</script>\n")

    assert not re.search(r"<[/\w!]", script)


def test_a_long_name_may_break_where_its_parts_end_and_stays_text() -> None:
    drawn = markup.folded("a_b/<i>\u202e")

    assert drawn == "a_<wbr>b/<wbr>&lt;i&gt;⟨U+202E⟩"
