"""Reliability: the category rows of one or more runs side by side."""

import streamlit as st

from dashboard import beside, choice, data, leaving, notices, parts, ratetable, runtable
from dashboard.export.about import Selection
from dashboard.link import ReliabilityLink

link = parts.asked(ReliabilityLink)
source = data.source()
runs = data.known_runs(source)
picked = choice.of_runs(runs, link.run)
parts.rail(
    "reliability",
    store=source.path,
    total=runs.height,
    rejections=data.rejections(source).height,
    runs=link.run,
    picks=choice.picks(link, picked.runs),
)
if not picked.runs:
    notices.no_such_run(source.path, runs, link.run)
    st.stop()

figures = data.figures(source, picked.ids)
rows = ratetable.categories(picked.runs, figures, ratetable.asked(link))
copied = ratetable.markdown(picked.runs, rows)
with parts.headline():
    parts.head("Reliability", picked.says, picked.badges, markdown=copied)
    with st.popover("Choose runs", icon=":material/list:", width="content"):
        st.caption("The runs to show side by side.")
        parts.choose_several("Runs", "run", picked.ids, runtable.options(runs), choice.MOST_RUNS)
    leaving.offer(source.path, leaving.RELIABILITY, Selection(picked.ids))

outcomes = data.overview(source).outcomes
parts.draw(
    "reliability",
    runs=ratetable.blocks(picked.runs, outcomes),
    categories=rows,
    questions=ratetable.questions(link),
    basis_note=ratetable.basis(picked.runs),
    beside=beside.figures(picked.runs, figures),
    judges=beside.judges(picked.runs, figures),
    rules=ratetable.rules(data.rulebook()),
)
