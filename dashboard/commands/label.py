"""`unaveraged label`: what people say about a run, kept beside the store."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text
from dashboard.commands import options
from dashboard.errors import InputError

SUBJECT: Final = "subject"


@click.command
@options.run_name
@click.argument("pairs", metavar="KEY=VALUE...", nargs=-1, required=True)
@options.store
@options.json_output
def label(*, run: str, pairs: tuple[str, ...], db: Path, as_json: bool) -> None:
    """Name the subject of a run, or give it other labels.

    subject=NAME names the subject, KEY= takes a label away. What is said is kept beside the store.
    """
    from dashboard import figures, selection
    from dashboard.shapes import payload

    said = pairs_of(pairs)
    meant = selection.one(figures.known(db), run)
    _write(db, meant, said)
    now = selection.one(figures.known(db), meant["run"])
    if as_json:
        shape = {name: now[name] for name in ("run", "subject", "subject_source")}
        text.say_json(shape | {"labels": payload(now["labels"])})
    else:
        text.say(f"{text.heading(now)}  labels {text.shown(now['labels'])}")


def _write(db: Path, meant: Mapping[str, Any], said: dict[str, str]) -> None:
    from ingest import subjects

    notes = subjects.read_notes(db)
    who = subjects.identity(meant)
    if SUBJECT in said:
        note = notes.runs.setdefault(who, subjects.RunNote())
        name = said.pop(SUBJECT)
        note.subject, note.subject_source = (name, "label") if name else (None, None)
    notes.label(who, said)
    subjects.write_notes(db, notes)


def pairs_of(pairs: Iterable[str]) -> dict[str, str]:
    """Return `key=value` arguments as a dictionary.

    Raises:
        InputError: When one is not of that form, or a key is given twice.
    """
    read: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise InputError(f"{pair!r} is no label; write KEY=VALUE, such as prompt=r14")
        if key.strip() in read:
            raise InputError(f"label {key.strip()!r} is given twice; give it once")
        read[key.strip()] = value.strip()
    return read
