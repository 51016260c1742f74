"""History: the runs of a suite over time, and where one may not be read on to the next."""

import streamlit as st

from dashboard import (
    charted,
    charts,
    data,
    leaving,
    notices,
    parts,
    runtable,
    timeline,
    wording,
)
from dashboard.decisions import HistoryLink
from dashboard.export.about import Selection

link = parts.asked(HistoryLink)
source = data.source()
runs = data.known_runs(source)
suite = timeline.suite_of(runs, link)
found = timeline.of(source, runs, suite, link.subject)
parts.rail(
    "history", store=source.path, total=runs.height, rejections=data.rejections(source).height
)
if found is None:
    notices.no_such_run(source.path, runs, ())
    st.stop()

columns = timeline.columns(found)
with parts.headline():
    parts.head(
        "History",
        [parts.Piece(suite or "", strong=True), parts.Piece(wording.plural(len(columns), "run"))],
        [parts.Badge(f"{wording.plural(found.older, 'older run')} not shown", "warn")]
        if found.older
        else [],
    )
    with parts.right():
        parts.choose("suite of the newest run", "suite", suite, runtable.choices(runs, "suite"))
        parts.choose("all subjects", "subject", link.subject, runtable.choices(runs, "subject"))
    leaving.offer(source.path, leaving.HISTORY, Selection(tuple(found.runs["run"])))
parts.draw("history_runs", columns=columns, subjects=timeline.subjects(columns))
rates = timeline.rates(source, found)
points = timeline.points(found, rates)
if points:
    charted.chart("Categories, run by run", charts.history(points))
parts.draw("history_table", columns=columns, rows=timeline.table(found, rates))
with st.container(horizontal=True):
    parts.search("Search cells", "q", link.q)
cells = timeline.cells(found, link)
pages = parts.pages(link, cells.height, timeline.ROWS)
shown = cells.slice(pages.first - 1, timeline.ROWS)
parts.draw(
    "history_cells",
    columns=[column for column in columns if not column.suspect],
    aside=[column for column in columns if column.suspect],
    rows=timeline.strips(found, shown),
    pages=pages,
)
