"""Overview: the runs of the store."""

import streamlit as st

from dashboard import data, notices, parts, runtable, wording
from dashboard.link import OverviewLink, RejectionsLink

ROWS = 100

link = parts.asked(OverviewLink)
source = data.source()
runs = data.known_runs(source)
rejected = data.rejections(source)
parts.rail("overview", store=source.path, total=runs.height, rejections=rejected.height)
if runs.is_empty():
    notices.empty_store(source.path, rejected.height)
    st.stop()

title, filters = st.columns([2, 7], vertical_alignment="center")
with title:
    parts.head("Runs")
with filters, st.container(horizontal=True, horizontal_alignment="right", key="filters"):
    parts.search("Search suite, subject, file", "q", link.q)
    parts.choose("all suites", "suite", link.suite, runtable.choices(runs, "suite"))
    parts.choose("all subjects", "subject", link.subject, runtable.choices(runs, "subject"))
    parts.switch("superseded", "superseded", value=link.superseded)

listed = runtable.listed(runs, link)
notes = []
if listed.is_empty():
    notes.append({"text": "No run is like that.", "href": OverviewLink().href, "link": "Show all"})
hidden = runtable.listed(runs, link.but(superseded=True)).height - listed.height
if hidden:
    text = (
        f"{wording.plural(hidden, 'run')} replaced by a later report of the same run are left out."
    )
    notes.append(
        {"text": text, "href": link.but(superseded=True, page=1).href, "link": "Show them"}
    )
if rejected.height:
    text = f"{wording.plural(rejected.height, 'thing was', 'things were')} not loaded."
    notes.append({"text": text, "href": RejectionsLink().href, "link": "See why"})

counts = data.overview(source)
pages = parts.pages(link, listed.height, ROWS)
shown = listed.slice(pages.first - 1, ROWS)
rows = runtable.rows(shown, counts.runs, counts.outcomes)
parts.draw("overview", rows=rows, pages=pages, notes=notes)
