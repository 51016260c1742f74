"""What is shown at an address that no page has: what it was, and the pages most like it."""

from urllib.parse import unquote, urlsplit

import streamlit as st

from dashboard import data, notices, parts

source = data.source()
rejections = data.rejections(source).height
parts.rail("", store=source.path, total=data.known_runs(source).height, rejections=rejections)
asked = st.query_params.get("asked")
notices.no_such_page(asked or unquote(urlsplit(st.context.url or "").path).strip("/"))
