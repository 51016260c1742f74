"""Overview: the runs of the store."""

import streamlit as st

from dashboard import data, notices, parts, runtable
from dashboard.link import OverviewLink

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
with filters, parts.right():
    parts.search("Search suite, subject, file", "q", link.q)
    parts.choose("all suites", "suite", link.suite, runtable.choices(runs, "suite"))
    parts.choose("all subjects", "subject", link.subject, runtable.choices(runs, "subject"))
    parts.switch("superseded", "superseded", value=link.superseded)

listed = runtable.listed(runs, link)
counts = data.overview(source)
pages = parts.pages(link, listed.height, ROWS)
shown = listed.slice(pages.first - 1, ROWS)
rows = runtable.rows(shown, counts.overview, counts.outcomes)
notes = runtable.notes(runs, listed, link, rejected.height)
parts.draw("overview", rows=rows, pages=pages, notes=notes)
