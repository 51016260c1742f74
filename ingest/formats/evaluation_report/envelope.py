"""The envelope of an evaluation report: everything but its suite and its cases."""

from collections.abc import Mapping
from typing import Final

import msgspec

from ingest.batch import Document
from ingest.cut import RAW_OBJECT, Cut, cutter, judge
from ingest.formats.evaluation_report.models import Report
from ingest.large import without
from ingest.twice import refuse_repeated

_report: Final = cutter(Report, once=False)
_MEMBERS: Final = frozenset(info.alias or name for name, info in Report.model_fields.items())


def members_of(document: Document) -> Mapping[str, msgspec.Raw]:
    """Return the members of a report, unread.

    Raises:
        RecordInvalid: When it is no object.
    """
    if document.members is not None:
        return document.members
    try:
        return RAW_OBJECT.decode(document.data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        judge(Report, bytes(document.data))
        raise


def envelope_of(document: Document, members: Mapping[str, msgspec.Raw]) -> Cut:
    """Read a report without its suite and its cases.

    Raises:
        RecordInvalid: When it does not have the shape of its model, or says something twice.
    """
    large = [members[name] for name in ("suite", "cases") if name in members]
    rest = without(document.data, large, b"[]")
    if "cases" in members and bytes(memoryview(members["cases"])[:1]) != b"[":
        judge(Report, bytes(document.data))
    refuse_repeated(rest)
    return _report(rest)


def extra(members: Mapping[str, msgspec.Raw]) -> str:
    """Return what the envelope holds beyond its model, as one JSON object."""
    kept = {name: raw for name, raw in members.items() if name not in _MEMBERS or name == "target"}
    return msgspec.json.encode(kept).decode()
