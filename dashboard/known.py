"""What many observations hold, drawn as what it is: facts, interaction, effects, model requests."""

from collections.abc import Iterator
from typing import Final

from dashboard import jsontree, wording
from dashboard.jsontree import Members, Value

MOST: Final = 6
_LONGEST: Final = 160

Line = tuple[str, str]
"""A name and a text."""


def lines(observation: Value) -> Iterator[Line]:
    """Return the known members of an observation, one line each; what is not known stays a tree."""
    interaction = jsontree.member(observation, "interaction")
    if isinstance(interaction, Members):
        yield "asks", _interaction(interaction)
    for name in ("facts", "effects"):
        found = jsontree.member(observation, name)
        if isinstance(found, list) and found:
            yield name, _several([_typed(one) for one in found])
    calls = list(_calls(observation))
    if calls:
        yield "model", _several(calls)
    elif usage := _usage(jsontree.member(observation, "usage")):
        yield "usage", usage


def _several(texts: list[str]) -> str:
    hidden = len(texts) - MOST
    shown = texts[:MOST] + ([f"and {wording.count(hidden)} more"] if hidden > 0 else [])
    return "\n".join(shown)


def _interaction(value: Members) -> str:
    kind = jsontree.flat(jsontree.member(value, "kind"))
    options = jsontree.member(value, "options")
    if not isinstance(options, list):
        return kind
    labels = [_label(one) for one in options[:MOST]]
    return f"{kind}: {' · '.join(labels)}"


def _label(option: Value) -> str:
    for name in ("label", "title", "id"):
        if (found := jsontree.member(option, name)) is not None:
            return jsontree.flat(found)
    return _short(jsontree.flat(option))


def _typed(value: Value) -> str:
    """Return a typed thing as its type and what it says of itself."""
    if not isinstance(value, Members):
        return _short(jsontree.flat(value))
    kind = jsontree.flat(jsontree.member(value, "type") or "")
    told = jsontree.member(value, "value")
    rest = Members([pair for pair in value.pairs if pair[0] not in _TYPE]) if told is None else told
    return _short(f"{kind} {jsontree.flat(rest)}".strip())


_TYPE: Final = frozenset({"type", "evidenceIds", "version"})


def _calls(observation: Value) -> Iterator[str]:
    events = jsontree.member(observation, "events")
    for event in events if isinstance(events, list) else []:
        data = jsontree.member(event, "data")
        kind = jsontree.member(event, "type")
        if kind == "model.completed":
            yield _call(data)
        elif kind == "model.failed":
            yield f"{_task(data)}failed: {jsontree.flat(jsontree.member(data, 'code'))}"


def _call(data: Value) -> str:
    spent = jsontree.member(data, "durationMs")
    duration = spent if isinstance(spent, jsontree.Number) and spent.isdigit() else None
    parts = [
        jsontree.flat(jsontree.member(data, "model") or "a model"),
        jsontree.flat(jsontree.member(data, "provider") or ""),
        wording.duration(int(duration)) if duration else "",
        _usage(jsontree.member(data, "usage")),
    ]
    return _task(data) + " · ".join(part for part in parts if part)


def _task(data: Value) -> str:
    task = jsontree.member(data, "task")
    return f"{jsontree.flat(task)}: " if task is not None else ""


def _usage(usage: Value) -> str:
    counts = [
        f"{jsontree.flat(found)} {word}"
        for name, word in (("inputTokens", "tokens in"), ("outputTokens", "out"))
        if (found := jsontree.member(usage, name)) is not None
    ]
    return ", ".join(counts)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
