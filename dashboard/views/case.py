"""Case: one trial, turn by turn."""

import streamlit as st

from dashboard import (
    casebook,
    casefile,
    choice,
    data,
    listing,
    notices,
    pairbook,
    parting,
    parts,
    siblings,
)
from dashboard.link import CaseLink
from ingest.records import trial_number

link = parts.asked(CaseLink)
source = data.source()
runs = data.known_runs(source)
run = choice.run_of(runs, link.case)
found = None
if run is not None and link.case is not None:
    found = casebook.case(source, run["run"], trial_number(link.case), link.turn)
parts.rail(
    "case",
    store=source.path,
    total=runs.height,
    rejections=data.rejections(source).height,
    runs=() if run is None else (run["run"],),
    picks=choice.case_picks(run),
)
if run is None or found is None:
    count = None if run is None else casebook.trials_of(source, run["run"])
    notices.no_such_case(source.path, runs, link.case, count)
    st.stop()

trial = found.trial["trial"].item()
title, says, badges = casefile.head(found, run)
failed = listing.trials(source, runs, link.within) or casebook.failed_trials(source, run["run"])
tools = siblings.tools(failed, trial, link.within)
page = casefile.page(found, link, run)
parts.head(title, says, badges, tools, markdown=page.copy)
own = found.trial.row(0, named=True)
alike = tuple(choice.same_suite(runs, run))
others = pairbook.others(source, trial, own["item"], own["variants"], alike)
named = {one["run"]: one for one in runs.iter_rows(named=True)}
parted = parting.parted(source, own, others, run["run"], named)
with parts.headline():
    listed = {"siblings": page.siblings, "siblings_more": page.siblings_more}
    parts.draw("siblings", parted=parted, **listed)
    if found.turns["observed"].any():
        with st.container(width=230):
            parts.search("Search in this case", "find", link.find)
        parts.switch("what changed", "changes", value=link.changes)
parts.draw("case", **page._asdict())
