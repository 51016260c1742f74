"""What people say about runs: subjects, labels. One small readable file beside the store.

The file survives rebuilding the store: it is keyed by the run id of the report's writer where there
is one, else by the run id derived from the file's content. It never changes a figure other than by
naming its subject.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, get_args

import polars as pl
from pydantic import BaseModel, ConfigDict, ValidationError

from ingest.errors import StoreUnreadable
from ingest.store import lake

Said = Literal["option", "file name", "label"]
MarkKind = Literal["known issue", "evaluator's fault", "flaky by design", "fixed in"]
MARK_KINDS: Final[tuple[MarkKind, ...]] = get_args(MarkKind)
_VERSION: Final = 1


class RunNote(BaseModel):
    """What was said about one run."""

    model_config = ConfigDict(extra="allow")

    subject: str | None = None
    subject_source: Said | None = None
    labels: dict[str, str] = {}


class Mark(BaseModel):
    """What a person said about failures that belong together. It changes no figure."""

    model_config = ConfigDict(extra="allow")

    kind: MarkKind
    text: str = ""


class Notes(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="allow")

    version: Literal[1] = 1
    runs: dict[str, RunNote] = {}
    marks: dict[str, Mark] = {}

    def name_subject(self, identity: str, subject: str, source: Said) -> None:
        """Say what a run evaluated; the last word counts."""
        note = self.runs.setdefault(identity, RunNote())
        note.subject, note.subject_source = subject, source

    def label(self, identity: str, labels: Mapping[str, str]) -> None:
        """Add labels to a run; an empty value removes the label."""
        note = self.runs.setdefault(identity, RunNote())
        merged = {**note.labels, **labels}
        note.labels = {name: value for name, value in sorted(merged.items()) if value}


def mark_key(suite: str | None, criterion: str, detail: str = "", cause: str = "") -> str:
    """Return the key under which failures are spoken of, the same in every store and run.

    Args:
        suite: The suite they are of.
        criterion: The criterion, or how the trials ended.
        detail: Fault and codes that tell failures of one criterion apart.
        cause: The digest of one cause; without it all causes are meant.
    """
    return json.dumps([suite or "", criterion, detail, cause], ensure_ascii=False)


def notes_path(db: Path) -> Path:
    """Return where the notes are kept: beside a store, inside a lake."""
    return db / "notes.json" if lake.is_lake(db) else db.with_name(f"{db.name}.notes.json")


def read_notes(db: Path) -> Notes:
    """Return what has been said about the runs of a store.

    Of a lake: what was said where its reports were loaded, then what was said here.

    Raises:
        StoreUnreadable: When the file is there but is not such a file.
    """
    path = notes_path(db)
    came = _came_with(db) if lake.is_lake(db) else {}
    try:
        notes = Notes.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Notes(runs=came)
    except (ValidationError, OSError) as error:
        reason = f"the notes are unreadable; mend or remove the file: {error}"
        raise StoreUnreadable(path, reason) from error
    notes.runs = came | notes.runs
    return notes


def write_notes(db: Path, notes: Notes) -> None:
    """Replace the notes of a store, whole or not at all."""
    path = notes_path(db)
    if lake.is_lake(db):
        came = _came_with(db)
        own = {who: note for who, note in notes.runs.items() if came.get(who) != note}
        notes = notes.model_copy(update={"runs": own})
    text = json.dumps(notes.model_dump(exclude_defaults=True) | {"version": _VERSION}, indent=1)
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(f"{text}\n", "utf-8")
    fresh.replace(path)


def sayings(db: Path) -> dict[str, dict[str, Any]]:
    """Return what was said about runs as a lake takes it along, by the key of the run."""
    notes = read_notes(db)
    return {who: note.model_dump(exclude_defaults=True) for who, note in notes.runs.items()}


def _came_with(db: Path) -> dict[str, RunNote]:
    """Return what was said about the runs of a lake where they were loaded."""
    said = {}
    for entry in lake.entries(db).values():
        for who, note in entry.said.items():
            said[who] = RunNote.model_validate(note)
    return said


def identity(run: Mapping[str, Any]) -> str:
    """Return the key under which a run is spoken of: its writer's run id, else our own."""
    return str(run["native_run"] or run["run"])


def with_notes(runs: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Return the run frame with what people said.

    Needs columns run, native_run, subject. ``subject`` becomes the effective one,
    ``subject_source`` says where it comes from (report, option, file name, label; null when nobody
    names one), ``labels`` is a JSON object.
    """
    said = [notes.runs.get(key, RunNote()) for key in map(identity, runs.iter_rows(named=True))]
    named = [note.subject for note in said]
    sources = [note.subject_source for note in said]
    labels = [json.dumps(note.labels, ensure_ascii=False) for note in said]
    native = pl.col("subject")
    return runs.with_columns(
        pl.coalesce(pl.Series("said", named, dtype=pl.String), native).alias("subject"),
        pl.coalesce(
            pl.Series("source", sources, dtype=pl.String),
            pl.when(native.is_not_null()).then(pl.lit("report")),
        ).alias("subject_source"),
        pl.Series("labels", labels, dtype=pl.String),
    )


def subject_from(pattern: re.Pattern[str], path: str) -> str | None:
    """Return the subject in a file name: group ``subject``, the first group, or the match."""
    found = pattern.search(Path(path).name)
    if found is None:
        return None
    if "subject" in pattern.groupindex:
        return found["subject"]
    return found[1] if pattern.groups else found[0]
