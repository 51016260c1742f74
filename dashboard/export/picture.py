"""SVG and PNG of a chart, drawn offline."""

from typing import BinaryIO, Final, Literal

import vl_convert

from dashboard.errors import InputError
from dashboard.export.charts import Spec
from dashboard.export.table import Table

SHARPNESS: Final = 2.0
NOWHERE: Final[list[str]] = []
"""Addresses a chart may read from."""


def write(table: Table, out: BinaryIO, form: Literal["svg", "png"]) -> None:
    """Write the chart of a table.

    Raises:
        InputError: When the table has none.
    """
    if table.chart is None:
        raise InputError(f"{table.name} has no chart; export it as a table")
    out.write(drawn(table.chart(), form))


def drawn(chart: Spec, form: Literal["svg", "png"]) -> bytes:
    """Return a Vega-Lite chart as a picture; nothing is fetched for it."""
    if form == "svg":
        svg: str = vl_convert.vegalite_to_svg(chart, allowed_base_urls=NOWHERE)
        return svg.encode()
    png: bytes = vl_convert.vegalite_to_png(chart, scale=SHARPNESS, allowed_base_urls=NOWHERE)
    return png
