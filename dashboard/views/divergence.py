"""Side by side: a case beside another trial of its cell, from the first turn that differs."""

import polars as pl
import streamlit as st

from dashboard import casebook, choice, data, notices, pairbook, pairfile, parting, parts
from dashboard.link import CaseLink, DivergenceLink
from ingest.records import trial_number

link = parts.asked(DivergenceLink)
source = data.source()
runs = data.known_runs(source)
run = choice.run_of(runs, link.case)
number = trial_number(link.case or "") if run is not None else 0
found = None if run is None else casebook.brief(source, run["run"], number)
parts.rail(
    "divergence",
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

own = (run["run"], number)
alike = tuple(choice.same_suite(runs, run))
others = pairbook.others(source, number, found["item"], found["variants"], alike)
chosen = parting.other_of(link, others) or parting.nearest(source, own, others)
if chosen is None:
    back = [notices.Offer("Back to the case", CaseLink(case=link.case).href)]
    lines = ["No other trial of this item and these variants is in the store."]
    notices.notice("There is nothing to compare with", lines, offer="Go on to", links=back)
    st.stop()

other = others.row(by_predicate=pl.col("trial") == chosen, named=True)
named = {one["run"]: one for one in runs.iter_rows(named=True)}
tools = [parts.Tool("Back to the case", CaseLink(case=link.case).href, "u")]
says = [parts.Piece(text) for text in parting.title(found, "side by side")]
parts.head(found["item"], says, (), tools)
with st.container(horizontal=True, key="filters", vertical_alignment="center"):
    parts.choose(
        "compare with", "other", parting.name(chosen), parting.options(others, named, run["run"])
    )
    parts.switch("ids and times", "ids", value=link.ids)
    parts.switch("durations and usage", "spent", value=link.spent)
    parts.switch("equal lines", "equal", value=link.equal)
where = pairbook.parting(source, own, (other["run"], chosen))
turn = parting.number(link, where)
pair = pairbook.turn(source, own, (other["run"], chosen), turn)
sides = [(other, named[other["run"]]), (found, run)]
page = pairfile.page(pair, where, link, sides, turn)._asdict()
parts.draw("divergence", parts_=page.pop("parts"), **page)
