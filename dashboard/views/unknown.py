"""What is shown at an address that no page has: what it was, and the pages most like it."""

from urllib.parse import unquote, urlsplit

import streamlit as st

from dashboard import data, notices, parts

source = data.source()
parts.rail("", store=source.path, total=data.known_runs(source).height)
notices.no_such_page(unquote(urlsplit(st.context.url or "").path).strip("/"))
