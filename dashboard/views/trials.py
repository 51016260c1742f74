"""Trials: what was planned against what came out, a mark for each repetition."""

import streamlit as st

from dashboard import choice, data, leaving, notices, parts, runtable, trialbook
from dashboard.decisions import TrialsLink
from dashboard.export.about import Selection

link = parts.asked(TrialsLink)
source = data.source()
runs = data.known_runs(source)
picked = choice.of_runs(runs, link.run)
parts.rail(
    "trials",
    store=source.path,
    total=runs.height,
    rejections=data.rejections(source).height,
    runs=link.run,
    picks=choice.picks(link, picked.runs),
)
if not picked.runs:
    notices.no_such_run(source.path, runs, link.run)
    st.stop()

with parts.headline():
    parts.head("Trials", picked.says, picked.badges)
    with st.popover("Choose runs", icon=":material/list:", width="content"):
        parts.choose_several("Runs", "run", picked.ids, runtable.options(runs), choice.MOST_RUNS)
    leaving.offer(source.path, leaving.TRIALS, Selection(picked.ids))
cells = trialbook.planned(source, picked.ids, runs)
plans = trialbook.plans(list(picked.runs), cells)
parts.draw("trials_plans", plans=plans)
with st.container(horizontal=True, key="filters"):
    parts.search("Search cells", "q", link.q)
    parts.choose("all cells", "outcome", link.outcome, trialbook.SHOWN)
listed = trialbook.listed(cells, link)
pages = parts.pages(link, listed.height, trialbook.ROWS)
shown = listed.slice(pages.first - 1, trialbook.ROWS)
strips = trialbook.strips(source, picked.ids, cells, shown)
parts.draw("trials", plans=plans, rows=strips, pages=pages)
