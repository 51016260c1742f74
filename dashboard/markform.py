"""The form that puts a mark on failures; what it says goes into the notes beside the store."""

from pathlib import Path

import streamlit as st

from dashboard import marks, parts
from dashboard.marks import Place
from ingest.subjects import MARK_KINDS, Notes

_KIND, _TEXT = "mark_kind", "mark_text"


def draw(db: Path, place: Place, notes: Notes) -> None:
    """Draw the form for some failures."""
    there = place.marks(notes)
    with st.container(border=True, key="marking"):
        says = "this cause" if place.cause else "all causes"
        parts.draw("marking", name=place.name, detail=place.detail, says=says)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            first = MARK_KINDS.index(there[0].kind) if there else 0
            st.selectbox("Mark as", MARK_KINDS, index=first, key=_KIND)
            text = there[0].text if there else ""
            st.text_input("Note (a ticket, a version, a reason)", text, key=_TEXT)
            st.button("Save", type="primary", on_click=_save, args=(db, place))
            if there:
                st.button("Remove", on_click=_remove, args=(db, place))
            st.button("Cancel", on_click=_close)


def _save(db: Path, place: Place) -> None:
    marks.put(db, place, st.session_state[_KIND], st.session_state[_TEXT])
    _close()


def _remove(db: Path, place: Place) -> None:
    marks.remove(db, place.keys)
    _close()


def _close() -> None:
    if "marking" in st.query_params:
        del st.query_params["marking"]
