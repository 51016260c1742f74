"""The one place that makes HTML: templates with autoescape on, filled with untrusted text.

Whatever a report says is written as text: characters that act without being seen are made visible
first, then the text is escaped. No other module builds a tag.
"""

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Final
from unicodedata import name

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from dashboard import wording

# Control characters, line and paragraph separators, zero-width and bidirectional marks, lone
# surrogates. A zero-width joiner inside an emoji joins; anywhere else it hides.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff]|\u200d(?![\u2600-\u27bf\U0001f000-\U0001faff])"
)
STYLES: Final = ("style.css", "compare.css")
_PICTURES: Final = 0x2400
"""Where Unicode has a picture, and so a name, of each control character."""


def visible(text: str) -> str:
    """Return text with every character that acts unseen written out; tabs and newlines stay."""
    return _UNSEEN.sub(_written_out, text)


class Exact(str):
    """Text that is put out as it is, unseen characters too: to be copied, not to be read."""

    __slots__ = ()


def _written_out(match: re.Match[str]) -> str:
    point = ord(match.group())
    if point > ord(" "):
        return f"⟨U+{point:04X}⟩"
    return f"⟨{name(chr(_PICTURES + point)).removeprefix('SYMBOL FOR ')}⟩"


def _shown(value: object) -> object:
    """What an expression of a template puts out, before it is escaped."""
    if value is None:
        return ""
    return visible(value) if type(value) is str else value


def folded(text: str) -> Markup:
    """Return a name that a narrow column may break after a slash or an underscore."""
    escaped = str(escape(visible(text)))
    return Markup(re.sub("([/_])", r"\1<wbr>", escaped))  # noqa: S704 (it is escaped)


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("dashboard", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    words: dict[str, Callable[..., object]] = {
        "category": wording.category,
        "folded": folded,
        "spoken": wording.spoken,
        "count": wording.count,
        "percent": wording.percent,
        "duration": wording.duration,
        "size": wording.size,
        "moment": wording.moment,
        "file_name": wording.file_name,
        "sign": wording.sign,
    }
    environment.filters.update(words)
    environment.globals.update(plural=wording.plural, span=wording.span, NOTHING=wording.NOTHING)
    return environment


def render(template: str, **values: object) -> str:
    """Return a template of ``templates/`` filled with values, each of them escaped."""
    return _templates().get_template(f"{template}.html").render(values)


def prepare() -> None:
    """Translate every template, which is done once for each."""
    environment = _templates()
    for template in environment.list_templates(extensions=["html"]):
        environment.get_template(template)


@cache
def stylesheet() -> str:
    """Return the style of all pages, which holds no data."""
    sheets = ((files("dashboard") / name).read_text("utf-8") for name in STYLES)
    return f"<style>{''.join(sheets)}</style>"


@cache
def behaviour() -> str:
    """Return the script that follows links without reloading, which holds no data."""
    return (files("dashboard") / "templates" / "behaviour.html").read_text("utf-8")
