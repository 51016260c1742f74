"""Not loaded: what ingest refused, by rule, each with its place and what to do."""

import streamlit as st

from dashboard import data, notices, parts, refused, wording
from dashboard.link import RejectionsLink

link = parts.asked(RejectionsLink)
source = data.source()
runs = data.known_runs(source)
found = data.rejections(source)
parts.rail("rejections", store=source.path, total=runs.height, rejections=found.height)
if found.is_empty():
    lines = ["Every file that was given to this store was loaded whole."]
    notices.notice("Nothing was refused", lines)
    st.stop()
parts.head("Not loaded", [parts.Piece(wording.plural(found.height, "thing"))])
pages = parts.pages(link, found.height, refused.ROWS)
shown = found.slice(pages.first - 1, refused.ROWS)
parts.draw("rejections", groups=refused.groups(shown), pages=pages)
