"""Routing: who has to act on what trial rows found, and what nobody can decide."""

import polars as pl
import streamlit as st

from dashboard import choice, data, leaving, notices, parts, routes, runtable, wording
from dashboard.decisions import RoutingLink
from dashboard.export.about import Selection

link = parts.asked(RoutingLink)
source = data.source()
runs = data.known_runs(source)
rows = runs.filter(pl.col("format") == "trial-row")
picked = choice.of_runs(rows, link.run)
parts.rail(
    "routing",
    store=source.path,
    total=runs.height,
    rejections=data.rejections(source).height,
    runs=link.run,
    picks=choice.picks(link, picked.runs),
)
if runs.is_empty():
    notices.empty_store(source.path)
    st.stop()
if rows.is_empty() or not picked.runs:
    lines = ["Routing is about trial rows: the reports of a battery of tools and models."]
    notices.notice("No trial rows here", lines, role="status")
    st.stop()

ids = picked.ids if link.run else tuple(rows["run"])
with parts.headline():
    parts.head("Routing", [parts.Piece(wording.plural(len(ids), "run") + " of trial rows")])
    with st.popover("Choose runs", icon=":material/list:", width="content"):
        parts.choose_several("Runs", "run", link.run, runtable.options(rows), choice.MOST_RUNS)
    leaving.offer(source.path, leaving.ROUTING, Selection(ids))
found = routes.routed(source, ids, rows)
models = routes.models(found.channels)
parts.draw(
    "routing",
    tickets=routes.tickets(found.tickets),
    models=models,
    ways=routes.ways(found.channels, models),
    never=routes.never_failing(found.never_failing),
    seen=routes.seen(found.coverage),
    arms=routes.arms(found.ablation),
    cut=routes.cut_short(found.cut_short, link.run),
    in_force=routes.in_force(),
)
