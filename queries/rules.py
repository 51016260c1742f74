"""Rules that put a criterion, a failure or a stop into exactly one category: what one may say.

The rules are data: the shipped ones in ``categories.toml``, a user's own in a file of the same
form, read before them.
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Final, Literal, NamedTuple, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

Category = Literal[
    "side_effect_integrity",
    "operational_claim_integrity",
    "semantic_interpretation",
    "clarification",
    "abandonment",
    "provider_failure",
    "user_experience",
    "tool_fault",
    "evaluator_error",
    "unmapped",
]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
"""All categories in the order people read them."""

Text = Annotated[str, Field(min_length=1)]
Stop = Literal[
    "error",
    "blocked",
    "skipped",
    "cancelled",
    "pending",
    "running",
    "rate_limited",
    "absent",
    "unknown",
    "http_error",
]

STOP_FIELDS: Final = frozenset({"error_code", "outcome"})
LEAF_FIELDS: Final = frozenset({"path", "evaluator", "expectation", "fault", "code"})
_DEFINITION_FIELDS: Final = LEAF_FIELDS | {"criterion"}
_NAMING_FIELDS: Final = frozenset({"name", "category", "reason"})


class Rule(BaseModel):
    """One line of a rule table: a category, and everything it must match."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    category: Category
    name: Text | None = None
    reason: Text | None = None
    format: Literal["evaluation-report", "trial-row", "sample-report"] | None = None
    dialect: Literal["contract", "live-runner", "replay-report"] | None = None
    suite: Text | None = None
    item: Text | None = None
    tag: Text | None = None
    criterion: Text | None = None
    expectation: Text | None = None
    fault: Literal["agent", "tool"] | None = None
    code: Text | None = None
    evaluator: Text | None = None
    path: Annotated[str, Field(pattern=r"^(/[^/]+)+$")] | None = None
    error_code: Text | None = None
    outcome: Stop | None = None

    @model_validator(mode="after")
    def match_one_kind_of_thing(self) -> Self:
        """Refuse a rule that matches everything, or stops and criteria at once."""
        wanted = self.wanted().keys()
        if not wanted:
            raise ValueError("matches everything; say what it must match")
        if wanted & STOP_FIELDS and wanted & _DEFINITION_FIELDS:
            stop, other = min(wanted & STOP_FIELDS), min(wanted & _DEFINITION_FIELDS)
            raise ValueError(f"'{stop}' sorts stops and '{other}' criteria; make two rules of it")
        return self

    def wanted(self) -> dict[str, str]:
        """Return what must match, by field."""
        return self.model_dump(exclude=set(_NAMING_FIELDS), exclude_none=True)


class Placed(NamedTuple):
    """A rule, the name it is shown by, and the book it stands in (0 first)."""

    rule: Rule
    name: str
    book: int


RuleBook = tuple[Placed, ...]
"""Rules of all books in force, the first that matches deciding."""


class RulesError(Exception):
    """A file of rules cannot be used; the text says which rule and what to write instead."""


class _Book(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    rule: list[Rule] = []


def shipped() -> RuleBook:
    """Return the rules of ``categories.toml``."""
    return read({})


def read(texts: Mapping[str, str]) -> RuleBook:
    """Return the rules of a user's files, in the order given, followed by the shipped ones.

    Args:
        texts: TOML text of each file by the name to call it.

    Raises:
        RulesError: When a file is no TOML or a rule says something it may not.
    """
    ours = files("queries").joinpath("categories.toml").read_text(encoding="utf-8")
    books = [*texts.items(), ("shipped", ours)]
    return tuple(
        Placed(rule, rule.name or f"{source} rule {number}", book)
        for book, (source, text) in enumerate(books)
        for number, rule in enumerate(_parse(source, text), start=1)
    )


def _parse(source: str, text: str) -> list[Rule]:
    try:
        return _Book.model_validate(tomllib.loads(text)).rule
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{source} is no TOML: {error}") from error
    except ValidationError as error:
        lines = "\n".join(_explain(source, fault["loc"], fault) for fault in error.errors())
        raise RulesError(lines) from error


def _explain(source: str, place: tuple[int | str, ...], fault: ErrorDetails) -> str:
    """Say where a rule is wrong, what was found, and what may stand there."""
    where = source
    if len(place) > 1:
        where += f", rule {int(place[1]) + 1}"
    field = str(place[-1]) if len(place) != 2 else ""
    found = fault["input"]
    if fault["type"] == "extra_forbidden":
        known = "rule" if len(place) == 1 else ", ".join(Rule.model_fields)
        return f"{where}: unknown field '{field}'; known are: {known}"
    if fault["type"] == "missing":
        return f"{where}: '{field}' is missing; one of: {', '.join(CATEGORIES)}"
    if fault["type"] == "literal_error":
        return f"{where}: {field} = {found!r}; allowed are: {fault['ctx']['expected']}"
    if fault["type"] == "string_pattern_mismatch":
        return f"{where}: {field} = {found!r}; write it as /response/interaction"
    message = fault["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if not field else f"{where}: {field} = {found!r}: {message}"
