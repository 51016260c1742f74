"""Raw JSON: one recorded value as it was written, to read, copy and download."""

import streamlit as st

from dashboard import casebook, choice, data, notices, parts, rawfile
from dashboard.link import CaseLink, RawLink
from ingest.records import trial_number

link = parts.asked(RawLink)
source = data.source()
runs = data.known_runs(source)
run = choice.run_of(runs, link.case)
trial = trial_number(link.case or "") if run is not None else 0
parts.rail(
    "raw",
    store=source.path,
    total=runs.height,
    rejections=data.rejections(source).height,
    runs=() if run is None else (run["run"],),
    picks=choice.case_picks(run),
)
if run is None or casebook.brief(source, run["run"], trial) is None:
    count = None if run is None else casebook.trials_of(source, run["run"])
    notices.no_such_case(source.path, runs, link.case, count)
    st.stop()

raw = rawfile.read(source, link, run["run"], trial)
if raw is None:
    lines = [f"The address names the {link.part} of turn {link.turn}; the case has none."]
    offers = [notices.Offer("The case", CaseLink(case=link.case).href)]
    notices.notice("Nothing like that was recorded", lines, offer="Nearest", links=offers)
    st.stop()

tools = [parts.Tool("Back to the case", raw.back, "u")]
with parts.headline():
    parts.head("Raw JSON", [parts.Piece(raw.title)], (), tools)
    st.download_button(
        "Download", raw.text, raw.file, "application/json", on_click="ignore", width="content"
    )
parts.draw("raw", **rawfile.shown(raw, link)._asdict())
