"""Not loaded: what ingest refused or flagged, by rule, each with its place and what to do."""

import streamlit as st

from dashboard import data, notices, parts, refused, wording
from dashboard.link import RejectionsLink

link = parts.asked(RejectionsLink)
source = data.source()
runs = data.known_runs(source)
rejections, flags = data.rejections(source), data.flags(source)
parts.rail("rejections", store=source.path, total=runs.height, rejections=rejections.height)
if rejections.is_empty() and flags.is_empty():
    lines = ["Every file that was given to this store was loaded whole."]
    notices.notice("Nothing was refused", lines)
    st.stop()
listed = refused.flagged(flags) if link.flags else refused.rejected(rejections)
found = refused.of_rule(listed, link.rule)
rule = "" if link.rule is None else f" by rule {link.rule}"
said = f"{wording.count(found.height)} {'kept with a flag' if link.flags else 'refused'}{rule}"
parts.head("Not loaded", [parts.Piece(said)])
parts.draw("tabs", tabs=refused.tabs(link, rejections.height, flags.height))
pages = parts.pages(link, found.height, refused.ROWS)
shown = found.slice(pages.first - 1, refused.ROWS)
parts.draw("rejections", groups=refused.groups(found, shown), pages=pages)
