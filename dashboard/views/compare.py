"""Compare: what can be compared first, then category by category, then cell by cell."""

import streamlit as st

from dashboard import (
    cellgrid,
    celltable,
    changelist,
    contrast,
    data,
    differencetable,
    leaving,
    opened,
    pairtable,
    parts,
    versus,
)
from dashboard.decisions import CompareLink

link = parts.asked(CompareLink)
source = data.source()
runs = data.known_runs(source)
found = contrast.chosen(source, link)
parts.rail(
    "compare",
    store=source.path,
    total=runs.height,
    rejections=data.rejections(source).height,
    runs=versus.carried(found, link),
    picks=versus.picks(found, link),
)
if found is None or not found.others:
    versus.nothing(source, runs, link, found)
    versus.chooser(runs, link)
    st.stop()
with parts.headline():
    parts.head("Compare", versus.says(found), versus.badges(found))
    versus.chooser(runs, link)
    leaving.offer(source.path, leaving.COMPARISON, leaving.of_sides(found))

pairs = [contrast.paired(source, found.sides(side)) for side in found.others]
beside = contrast.beside(source, tuple(run for side in found.all for run in side.ids))
whole = versus.statuses(pairs)
parts.draw(
    "compare_pairs",
    base=found.base,
    counted=bool(beside.refused),
    problems=found.problems,
    pairings=pairtable.pairings(found, pairs),
    sights=pairtable.sights(found, pairs, whole, beside, link),
)
compared = [contrast.compared(source, found.sides(side)) for side in found.others]
control = versus.control(source, found)
parts.draw(
    "compare_rates",
    table=differencetable.table(found, compared, control, link),
    base=found.base,
    withheld=[one.headline["reason"].item() for one in compared],
    noise=pairtable.noise(found, compared[0].floor),
)
statuses = versus.in_category(source, found, pairs, link) or whole
tags = contrast.tags(source, found.base.ids + found.others[0].ids)
cells = cellgrid.listed(statuses, tags, link)
parts.draw("compare_changes", groups=changelist.of(found.others, compared, link))
versus.filters(link, tags, compared)
pages = parts.pages(link, cells.height, cellgrid.ROWS)
shown = cells.slice(pages.first - 1, cellgrid.ROWS)
trials, judged = contrast.repetitions(source, versus.ids(found), shown, versus.category(link))
marked = versus.marked(found, judged)
strips = celltable.strips(shown.to_dicts(), cellgrid.sides(found), trials, marked)
parts.draw(
    "compare_cells",
    sides=found.all,
    rows=cellgrid.rows(strips, shown, statuses, [one.changes for one in compared], link),
    **opened.drawn(source, link.cell),
    names=versus.names(found),
    close=link.but(cell=()).href,
    category=versus.category(link),
    pages=pages,
)
