"""From the values of one file to a batch: which format claims it, and what of it was refused."""

from collections.abc import Callable, Sequence
from typing import Final

from ingest import files
from ingest.batch import Batch, Source
from ingest.files import File, Found, Unreadable
from ingest.formats import READERS, Reader
from ingest.surrogates import REPLACED
from ingest.values import Content

SHOWN_MEMBERS: Final = 8

Take = Callable[[Batch], None]


def read(path: str, file: File, content: Content, spill: Take, give_up: Take) -> Batch:
    """Return what the format that claims a file makes of it.

    Args:
        path: The file, as text.
        file: What was read of it.
        content: The values in it.
        spill: Takes rows out of the batch when there are many.
        give_up: Told of a batch whose reader broke.

    Raises:
        Unreadable: When no format claims it.
    """
    reader = claimant(content.members, file.data)
    source = Source(path, file.digest, file.size, content.chunks)
    batch = Batch(source, reader.NAME, spill)
    if content.mended:
        batch.flag("", "lone-surrogate", REPLACED)
    try:
        reader.read(source, batch)
    except BaseException:
        give_up(batch)
        raise
    for place, refused in enumerate(batch.rejections):
        if refused.place in content.broken:
            batch.rejections[place] = content.broken[refused.place].rejection(path)
    return batch


def claimant(members: Sequence[frozenset[str]], data: bytes) -> Reader:
    """Return the one format that claims a file.

    Raises:
        Unreadable: When none does.
        RuntimeError: When two do, which is a mistake in a format module.
    """
    for names in members:
        claiming = [reader for reader in READERS if reader.claims(names)]
        if len(claiming) > 1:
            raise RuntimeError(f"{[each.NAME for each in claiming]} all claim {sorted(names)}")
        if claiming:
            return claiming[0]
    seen = sorted(set().union(*members)) if members else []
    shown = ", ".join(seen[:SHOWN_MEMBERS]) + (", …" if len(seen) > SHOWN_MEMBERS else "")
    raise Unreadable(
        "unknown-format",
        f"JSON, but no report: members seen are {shown or 'none'}; "
        f"known formats: {'; '.join(reader.TITLE for reader in READERS)}",
        "nothing to do if it is no report; otherwise check what wrote it",
        data,
    )


def check_name(found: Found) -> None:
    """Refuse a file of a folder whose name or kind says that it is no report.

    Raises:
        Unreadable: With what it is instead.
    """
    if found.named:
        return
    if not files.looks_like_json(found.path):
        raise Unreadable(
            "not-a-report",
            f"the name ends in none of {', '.join(files.ENDINGS)}: the file is no report",
            "nothing to do if it is none; otherwise rename it or give it by name",
        )
    if files.is_special(found.path):
        raise Unreadable("unreadable", "it is no plain file", "give it by name if it is to be read")
