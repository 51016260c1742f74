"""Writes down what the user says about the runs of an ingest: subjects and labels."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ingest import growth, subjects
from ingest.results import Said

Runs = list[dict[str, Any]]


def write_sayings(
    db: Path,
    said: Said,
    spoken: Mapping[str, str],
    grown: list[growth.Grown],
    runs: Callable[[], Runs],
) -> None:
    """Keep what was said beside the store; ``spoken`` has the path of each report it is about.

    What was said earlier about a run of a file that has grown goes over to the longer one.
    """
    notes = subjects.read_notes(db) if grown or any(said) else None
    if notes is None or not (any(said) or notes.runs):
        return
    stored = runs()
    for each in grown:
        for before, after in growth.heirs(each, stored).items():
            if before in notes.runs:
                notes.runs[after] = notes.runs.pop(before)
    for run in stored:
        if run["report"] in spoken:
            _note(notes, run, said, spoken[run["report"]])
    subjects.write_notes(db, notes)


def _note(notes: subjects.Notes, run: Mapping[str, Any], said: Said, path: str) -> None:
    who = subjects.identity(run)
    subject, source = _subject(said, path)
    already = notes.runs.get(who, subjects.RunNote()).subject_source
    if subject and run["subject"] is None and (source == "option" or already != "label"):
        notes.name_subject(who, subject, source)
    if said.labels:
        notes.label(who, said.labels)


def _subject(said: Said, path: str) -> tuple[str | None, subjects.Said]:
    if said.subject:
        return said.subject, "option"
    pattern = said.subject_from
    return (subjects.subject_from(pattern, path) if pattern else None), "file name"
