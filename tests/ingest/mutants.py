"""Sample reports with one thing wrong in each."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from tests.ingest.stores import SAMPLES

ODD: Final[tuple[Any, ...]] = (None, "", "odd", -1, 0, 1.5, 2**70, True, [], {}, [None], {"": None})
MARKS: Final = '{}[],:"\\ 0N-\x00\u202e'

Step = str | int


class Base(NamedTuple):
    """A sample report to spoil, and where its records are."""

    name: str
    text: str
    records: tuple[str, ...]

    @property
    def lines(self) -> bool:
        return self.name.endswith("l")

    def parsed(self) -> Any:
        return [json.loads(line) for line in self.text.splitlines()] if self.lines else self._one()

    def _one(self) -> Any:
        return json.loads(self.text)

    def written(self, document: Any) -> str:
        if self.lines:
            return "".join(f"{json.dumps(row)}\n" for row in document)
        return json.dumps(document)

    def holders(self, document: Any) -> Iterator[tuple[list[Step], list[Any]]]:
        """Yield the arrays that hold records, each with the way to it."""
        if isinstance(document, list):
            yield [], document
        elif self.records == ("cases",):
            yield ["cases"], document["cases"]
        else:
            for number, item in enumerate(document["items"]):
                yield ["items", number, "samples"], item["samples"]

    def place(self, path: list[Step]) -> str:
        """Return the place of a record as a report of ingest writes it."""
        if self.lines:
            return f"line {int(path[0]) + 1}"
        return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path)[
            0 if isinstance(path[0], int) else 1 :
        ]

    def places(self, document: Any) -> dict[str, list[Step]]:
        return {
            self.place([*way, number]): [*way, number]
            for way, held in self.holders(document)
            for number in range(len(held))
        }


def base(path: str, *records: str) -> Base:
    found = Base(path.rpartition("/")[2], (SAMPLES / path).read_text("utf-8"), records)
    return found._replace(text=found.written(found.parsed()))


BASES: Final = (
    base("evaluation/lost-items.limited.json", "cases"),
    base("evaluation/library-desk.swift-model.running.json", "cases"),
    base("samples/2026-11-02-loans-x4-swift-model.json", "items"),
    base("trial_rows/grainmill.live-runner.jsonl"),
    base("trial_rows/grainmill.replay-report.jsonl"),
    base("trial_rows/shelfmark.week-45.jsonl"),
    base("trial_rows/tidelog.week-45.json"),
)


class Mutant(NamedTuple):
    """A spoiled report: its text, the records in it, and the only place that was touched."""

    base: Base
    text: str
    places: frozenset[str]
    touched: str | None

    @property
    def ending(self) -> str:
        return self.base.name.rpartition(".")[2]


def at(document: Any, path: list[Step]) -> Any:
    for step in path:
        document = document[step]
    return document


def nodes(value: Any, path: list[Step]) -> Iterator[list[Step]]:
    """Yield the way to everything inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for step, each in inner:
        yield [*path, step]
        if isinstance(each, (dict, list)):
            yield from nodes(each, [*path, step])


def spoil(record: Any, chance: random.Random) -> None:
    """Drop, replace or repeat something at some place inside a record."""
    *way, last = chance.choice(list(nodes(record, [])))
    holder: Any = at(record, way)
    kind = chance.randrange(3)
    if kind == 0:
        del holder[last]
    elif kind == 1:
        holder[last] = chance.choice(ODD)
    elif isinstance(holder, list):
        holder.insert(0, copy.deepcopy(at(holder, [last])))
    else:
        holder[f"{last}2"] = holder[last]


def spoiled_record(base: Base, chance: random.Random) -> Mutant:
    document = base.parsed()
    places = base.places(document)
    place = chance.choice(list(places))
    spoil(at(document, places[place]), chance)
    return Mutant(base, base.written(document), frozenset(places), place)


def repeated_record(base: Base, chance: random.Random) -> Mutant:
    document = base.parsed()
    way, held = chance.choice([each for each in base.holders(document) if each[1]])
    held.append(copy.deepcopy(chance.choice(held)))
    places = base.places(document)
    return Mutant(base, base.written(document), frozenset(places), base.place([*way, len(held)]))


def replaced_record(base: Base, chance: random.Random) -> Mutant:
    document = base.parsed()
    places = base.places(document)
    place = chance.choice(list(places))
    *way, last = places[place]
    at(document, way)[last] = chance.choice(ODD)
    return Mutant(base, base.written(document), frozenset(places), place)


def spoiled_around(base: Base, chance: random.Random) -> Mutant:
    """Spoil anything, also the suite or the envelope: only that nothing is lost can be said."""
    document = base.parsed()
    spoil(document, chance)
    try:
        places = frozenset(base.places(document))
    except (KeyError, TypeError, AttributeError):
        places = frozenset({""})
    return Mutant(base, base.written(document), places, None)


def spoiled_text(base: Base, chance: random.Random) -> Mutant:
    """Put, take or replace one character among the records."""
    text = base.text
    start = text.index('"cases"') if base.records == ("cases",) else 0
    where = chance.choice([n for n in range(start, len(text)) if text[n] != "\n"])
    put = chance.choice(["", *MARKS])
    text = text[:where] + put + text[where + chance.randrange(2) :]
    return Mutant(base, text, frozenset(base.places(base.parsed())), "?")


def cut_text(base: Base, chance: random.Random) -> Mutant:
    text = base.text[: chance.randrange(1, len(base.text) - 2)]
    places = {f"line {n + 1}" for n in range(len(text.splitlines()))} if base.lines else {""}
    return Mutant(base, text, frozenset(places), "?" if base.lines else None)


Spoiler = Callable[[Base, random.Random], Mutant]
SPOILERS: Final[tuple[Spoiler, ...]] = (
    spoiled_record,
    spoiled_record,
    repeated_record,
    replaced_record,
    spoiled_around,
    spoiled_text,
    cut_text,
)


def spoiled(seed: int) -> Mutant:
    chance = random.Random(seed)  # noqa: S311
    base = chance.choice(BASES)
    return chance.choice(SPOILERS)(base, chance)
