"""What a page shows, as a reader would take it in."""

import html
import io
import re
from typing import Any

import polars as pl
from streamlit.testing.v1 import AppTest


def markup(page: AppTest) -> str:
    """All HTML of a page, the rail included; the style and the script are no content."""
    bodies = [element.proto.body for element in page.get("html")]
    return "\n".join(body for body in bodies if not body.startswith(("<style>", "<script>")))


def text(page: AppTest) -> str:
    """The words of a page, tags and runs of blanks taken out."""
    return words(markup(page))


def words(fragment: str) -> str:
    """The words of a piece of HTML."""
    whole = fragment.replace("<wbr>", "")
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", whole)).split())


def links(page: AppTest, path: str) -> list[str]:
    """The addresses on a page that lead to another page."""
    found = re.findall(r'href="([^"]*)"', markup(page))
    return [html.unescape(one) for one in found if one.startswith(path)]


def query(address: str) -> str:
    """The part of an address between the question mark and the hash."""
    return address.partition("?")[2].partition("#")[0]


def rows(fragment: str, label: str) -> list[list[str]]:
    """The cells of each row in the body of the table under this label, as words."""
    found = re.search(rf'aria-label="{label}"><table.*?</table>', fragment, re.DOTALL)
    body = found.group().partition("<tbody")[2] if found else ""
    lines = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    return [
        [words(cell) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", line, re.DOTALL)]
        for line in lines
    ]


def charts(page: AppTest) -> list[list[dict[str, Any]]]:
    """The marks of each chart of a page."""
    drawn = []
    for element in page.get("vega_lite_chart"):
        for dataset in element.proto.datasets:
            frame = pl.read_ipc_stream(io.BytesIO(dataset.data.data))
            drawn.append(frame.to_dicts())
    return drawn
