"""Search: where a text stands in inputs, observations, reasons and votes."""

import streamlit as st

from dashboard import casebook, choice, data, parts, runtable, searchbook, searchfile
from dashboard.link import SearchLink
from dashboard.searchbook import Scan
from ingest.search import Among, Text

link = parts.asked(SearchLink)
source = data.source()
runs = data.known_runs(source)
among = choice.all_runs(runs, link.run, link.suite, link.subject)
parts.rail(
    "search",
    store=source.path,
    total=runs.height,
    rejections=data.rejections(source).height,
    runs=link.run,
    picks=choice.picks(link, [*among.iter_rows(named=True)]),
)
says = [parts.Piece("inputs, observations, reasons and votes of all trials", tone="dim")]
with parts.headline():
    parts.head("Search", says)
ids = tuple(among["run"].to_list())
listed = casebook.choices(source, ids)
with st.container(horizontal=True, key="filters", vertical_alignment="center"):
    parts.search("Text to find", "q", link.q)
    parts.switch("regular expression", "regex", value=link.regex)
    parts.choose("all items", "item", link.item, listed["item"])
    parts.choose("all tags", "tag", link.tag, listed["tag"])
    parts.choose("all outcomes", "outcome", link.outcome, listed["outcome"])
    with st.popover("Choose runs", icon=":material/list:", width="content"):
        parts.choose_several("Runs", "run", link.run, runtable.options(runs), choice.MOST_RUNS)
        parts.choose("all suites", "suite", link.suite, runtable.choices(runs, "suite"))
        parts.choose("all subjects", "subject", link.subject, runtable.choices(runs, "subject"))
if not link.q:
    parts.draw("search", says=searchfile.ASK, go_on="", go_on_text="", trials=[], pages=None)
    st.stop()

text = Text(link.q, link.regex)
scan = searchbook.scan(source, text, Among(ids, link.item, link.outcome, link.tag))
place = st.empty()


def draw(scan: Scan) -> None:
    """Draw what was found so far."""
    pages = parts.pages(link, scan.count, searchfile.ROWS)
    shown = scan.hits.slice(pages.first - 1, searchfile.ROWS)
    numbers = shown["trial"].unique().to_list() if shown.height else []
    key = f"{link.href} {scan.count if pages.page == pages.pages else ''}"
    trials = searchfile.trials(
        shown,
        searchbook.excerpts(source, text, shown, key),
        searchbook.trials(source, numbers, key),
        choice.names(among.iter_rows(named=True)),
    )
    going = not scan.done
    words = {"says": searchfile.says(scan, stopped=link.stop), "trials": trials, "pages": pages}
    words["go_on"] = link.but(stop=not link.stop).href if going else ""
    words["go_on_text"] = "Go on" if link.stop else "Stop"
    with place:
        parts.draw("search", **words)


try:
    draw(scan)
    while not scan.done and not link.stop:
        scan.step()
        draw(scan)
except ValueError as error:
    said = str(error).rpartition("Error: ")[2]
    told = {"says": f"This is no regular expression: {said}", "go_on": "", "go_on_text": ""}
    with place:
        parts.draw("search", **told, trials=[], pages=None)
