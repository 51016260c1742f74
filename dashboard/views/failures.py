"""Failures: what failed, errored or never ran, by cause."""

from pathlib import Path

import streamlit as st

from dashboard import (
    casebook,
    choice,
    criteria,
    data,
    filters,
    groups,
    listing,
    markform,
    marks,
    notices,
    parts,
    tabs,
    triage,
)
from dashboard.link import FailuresLink
from ingest import subjects

link = parts.asked(FailuresLink)
source = data.source()
runs = data.known_runs(source)
picked = choice.of_runs(runs, link.run, suite=link.suite, subject=link.subject)
parts.rail(
    "failures",
    store=source.path,
    total=runs.height,
    rejections=data.rejections(source).height,
    runs=link.run,
    picks=choice.picks(link, picked.runs),
)
if not picked.runs:
    notices.no_such_run(source.path, runs, link.run)
    st.stop()

parts.head("Failures", picked.says, picked.badges)
found = casebook.failures(source, picked.ids)
notes = subjects.read_notes(Path(source.path))
filters.draw(link, triage.choices(found), marks.choices(notes), runs)
lists = listing.lists(found, link, picked.runs, notes)
parts.draw("tabs", tabs=tabs.lines(lists, link))
if link.tab == "suite":
    own = [
        {"name": name, "criteria": criteria.of_suite(casebook.suite_tree(source, run))}
        for run, name in choice.names(picked.runs).items()
    ]
    told = {"nothing": triage.NOTHING["suite"], "legend": triage.LEGENDS["suite"]}
    parts.draw("suite", runs=own, **told)
    st.stop()
hits = triage.of(lists, link.tab)
if link.marking and (place := marks.place(hits, link.marking)):
    markform.draw(Path(source.path), place, notes)
ranked = triage.ranked(hits)
pages = parts.pages(link, ranked.height, groups.MOST_GROUPS)
shown = ranked.slice(pages.first - 1, groups.MOST_GROUPS)
drawer = groups.Drawer(link, hits, found.trials, choice.names(picked.runs), notes)
parts.draw(
    "failures",
    groups=drawer.groups(shown, first=pages.page == 1),
    says="" if ranked.height else f"{triage.NOTHING[link.tab]}{choice.narrowed(link)}.",
    offers=[] if ranked.height else tabs.offers(found, link),
    show_run=len(picked.runs) > 1,
    pages=pages,
    legend=triage.LEGENDS[link.tab] if ranked.height else "",
)
