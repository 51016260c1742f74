"""What is wrong with a record: each fault with its JSON path, the rule, and what was found."""

from typing import NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

SHOWN: int = 60


class Fault(NamedTuple):
    """One thing wrong with a record: where, which rule, what."""

    place: str
    rule: str
    message: str


class RecordInvalid(Exception):
    """A record does not have the shape its model declares."""

    def __init__(self, faults: list[Fault]) -> None:
        """Keep every fault found."""
        super().__init__("; ".join(f"{fault.place}: {fault.message}" for fault in faults))
        self.faults = faults

    def within(self, prefix: str) -> "RecordInvalid":
        """Return the same faults seen from the record that holds this one."""
        return RecordInvalid(
            [fault._replace(place=join(prefix, fault.place)) for fault in self.faults]
        )


def faults_of(error: ValidationError) -> list[Fault]:
    """Return what pydantic found as faults with JSON paths."""
    return [_fault(each) for each in error.errors(include_url=False, include_context=False)]


def join(prefix: str, inner: str) -> str:
    """Return the JSON path of a member of the value at ``prefix``."""
    return (
        f"{prefix}{inner}"
        if inner.startswith("[") or not inner or not prefix
        else f"{prefix}.{inner}"
    )


def place(loc: tuple[int | str, ...]) -> str:
    """Return a pydantic location as a JSON path such as ``turns[0].status``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return text.removeprefix(".")


def _fault(error: ErrorDetails) -> Fault:
    where, found = place(error["loc"]), error["input"]
    seen = "" if isinstance(found, (dict, list, bytes, str)) else f", found {_short(repr(found))}"
    if isinstance(found, str) and error["type"] != "json_invalid":
        seen = f", found {_short(repr(found))}"
    return Fault(where, error["type"], f"{error['msg']}{seen}")


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}…"
