"""Variance: how much repetitions of the same thing differ, and by how many ways they pass."""

import streamlit as st

from dashboard import (
    charted,
    charts,
    choice,
    data,
    leaving,
    notices,
    parts,
    repeatbook,
    repeattable,
    runtable,
    waybook,
)
from dashboard.decisions import VarianceLink
from dashboard.export.about import Selection

link = parts.asked(VarianceLink)
source = data.source()
runs = data.known_runs(source)
picked = choice.of_runs(runs, link.run[:1])
parts.rail(
    "variance",
    store=source.path,
    total=runs.height,
    rejections=data.rejections(source).height,
    runs=link.run,
    picks=choice.picks(link, picked.runs),
)
if not picked.runs:
    notices.no_such_run(source.path, runs, link.run)
    st.stop()

run = picked.ids[0]
with parts.headline():
    parts.head("Variance", picked.says, picked.badges)
    with st.popover("Choose a run", icon=":material/list:", width="content"):
        parts.choose("Run", "run", run, runtable.options(runs))
    leaving.offer(source.path, leaving.VARIANCE, Selection((run,)))

counted = repeatbook.categories(source, (run,), runs)
parts.draw("variance_categories", categories=repeattable.categories(counted))
curves = repeattable.attempts(counted, run)
every = repeatbook.cells(source, (run,), runs)
with st.container(horizontal=True, key="charts"):
    marks = repeattable.flakes(every, link)
    if marks:
        charted.chart(
            "How often a cell passes, how often two repetitions differ",
            charts.flakes(marks),
            "A number is how many cells stand there.",
        )
    if curves:
        charted.chart(
            "The chance that any, and that all, of k repetitions pass", charts.attempts(curves)
        )

cells = repeattable.listed(every, link)
with st.container(horizontal=True, key="filters"):
    parts.search("Search cells", "q", link.q)
    parts.choose("all cells", "show", link.show, repeattable.SHOWN)
pages = parts.pages(link, cells.height, repeattable.ROWS)
shown = cells.slice(pages.first - 1, repeattable.ROWS)
parts.draw(
    "variance_cells",
    rows=repeattable.rows(shown, repeatbook.shown(source, (run,), shown), link),
    open=waybook.opened(source, run, link.cell, every),
    close=link.but(cell=None).href,
    total=every.height,
    pages=pages,
)
