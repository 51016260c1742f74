"""Judges: what they said, how far they agree, and the votes behind every score."""

import streamlit as st

from dashboard import choice, data, judgebook, judgetable, leaving, notices, parts, runtable
from dashboard.decisions import JudgesLink
from dashboard.export.about import Selection

link = parts.asked(JudgesLink)
source = data.source()
runs = data.known_runs(source)
picked = choice.of_runs(runs, link.run[:1])
parts.rail(
    "judges",
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
    parts.head("Judges", picked.says, picked.badges)
    with st.popover("Choose a run", icon=":material/list:", width="content"):
        parts.choose("Run", "run", run, runtable.options(runs))
    leaving.offer(source.path, leaving.VOTES, Selection((run,)))
low = link.threshold if link.threshold in judgetable.SCORES else 3
found = judgebook.judges(source, (run,), low, runs)
names = found.criteria["criterion"].to_list()
own = link.criterion if link.criterion in names else next(iter(names), None)
parts.draw(
    "judges",
    criteria=judgetable.criteria(found.criteria, found.spread, link, own or ""),
    threshold=low,
)
if own is None:
    st.stop()

items = judgetable.listed(found.items, own, link)
with st.container(horizontal=True, key="filters"):
    parts.choose("all items", "show", link.show, judgetable.SHOWN)
    parts.choose("low is below 3", "threshold", str(low), judgetable.THRESHOLDS)
pages = parts.pages(link, items.height, judgetable.ROWS)
shown = items.slice(pages.first - 1, judgetable.ROWS)
votes = judgebook.votes(source, (run,), shown, own, low)
said = []
if link.item is not None:
    one = judgebook.votes(source, (run,), found.items.filter(item=link.item), own, low)
    one = one.head(judgebook.MOST_REASONS)
    written = judgebook.reasons(source, run, one["trial_number"].to_list(), own)
    said = judgetable.reasons(one, written)
parts.draw(
    "judge_items",
    criterion=own,
    rows=judgetable.rows(shown, votes, link),
    item=link.item,
    reasons=said,
    close=link.but(item=None).href,
    pages=pages,
    threshold=low,
)
