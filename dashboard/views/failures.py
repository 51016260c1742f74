"""Failures: what failed, errored or never ran, by cause."""

import streamlit as st

from dashboard import casebook, choice, criteria, data, groups, notices, parts, runtable, triage
from dashboard.link import FailuresLink

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
with st.container(horizontal=True, key="filters"):
    parts.search("Search", "q", link.q)
    parts.choose("all categories", "category", link.category, triage.categories(found))
    parts.choose("all items", "item", link.item, triage.choices(found, "item"))
    parts.choose("all tags", "tag", link.tag, triage.tags(found))
    parts.choose("all outcomes", "outcome", link.outcome, triage.choices(found, "outcome"))
    with st.popover("Choose runs", icon=":material/list:", width="content"):
        st.caption("Runs by name, or all current runs of a suite or subject.")
        parts.choose_several("Runs", "run", link.run, runtable.options(runs), choice.MOST_RUNS)
        parts.choose("all suites", "suite", link.suite, runtable.choices(runs, "suite"))
        parts.choose("all subjects", "subject", link.subject, runtable.choices(runs, "subject"))

lists = triage.lists(found, link)
parts.draw("tabs", tabs=groups.tabs(lists, link))
if link.tab == "suite":
    own = [
        {"name": name, "criteria": criteria.of_suite(casebook.suite_tree(source, run))}
        for run, name in choice.names(picked.runs).items()
    ]
    told = {"nothing": triage.NOTHING["suite"], "legend": triage.LEGENDS["suite"]}
    parts.draw("suite", runs=own, **told)
    st.stop()
hits = triage.of(lists, link.tab)
ranked = triage.ranked(hits)
pages = parts.pages(link, ranked.height, groups.MOST_GROUPS)
shown = ranked.slice(pages.first - 1, groups.MOST_GROUPS)
drawer = groups.Drawer(link, hits, found.trials, choice.names(picked.runs))
parts.draw(
    "failures",
    groups=drawer.groups(shown, first=pages.page == 1),
    says="" if ranked.height else f"{triage.NOTHING[link.tab]}{choice.narrowed(link)}.",
    show_run=len(picked.runs) > 1,
    pages=pages,
    legend=triage.LEGENDS[link.tab] if ranked.height else "",
)
