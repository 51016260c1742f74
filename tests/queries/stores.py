"""Small stores of three runs in any mix of formats, drawn by Hypothesis."""

from collections.abc import Callable
from typing import Any, NamedTuple

import polars as pl
from hypothesis import strategies as st

from tests import builders
from tests.builders import trial_number

RUNS = ("00000000a1", "00000000b2", "00000000c3")
FORMATS = ("evaluation-report", "trial-row", "sample-report")
ITEMS = ("one", "two")
OUTCOMES = ("passed", "failed", "error", "blocked", "skipped", "rate_limited", "pending")
TARGETS = ('["facts",0]', '["response","interaction"]', '["catalogue"]', "[]", None)
CODES = (None, "EVALUATOR_FAILED", "EVALUATION_TIMEOUT", "SHOP_CLOSED")
EXPECTATIONS = ("commands", "outcome", "acts", "brand_new")
FAULTS = (("tool", None), ("agent", "ERR_STATE_MACHINE_VIOLATION"), ("agent", "ERR_NEW"))

Draw = Callable[[st.SearchStrategy[Any]], Any]
Rows = list[dict[str, Any]]


class Store(NamedTuple):
    """The tables a query may ask for."""

    runs: pl.LazyFrame
    items: pl.LazyFrame
    parts: pl.LazyFrame
    definitions: pl.LazyFrame
    trials: pl.LazyFrame
    turns: pl.LazyFrame
    checks: pl.LazyFrame
    votes: pl.LazyFrame
    discards: pl.LazyFrame

    def map(self, change: Callable[[pl.LazyFrame], pl.LazyFrame]) -> "Store":
        """Return the store with every table changed."""
        return Store(*(change(table) for table in self))

    def where(self, **values: object) -> "Store":
        """Return the rows with these values, in the tables that have all of these columns."""

        def keep(table: pl.LazyFrame) -> pl.LazyFrame:
            # `definition` of a run is the text of its suite, no key.
            names = set(table.collect_schema().names())
            if not values.keys() <= names or (table is self.runs and "definition" in values):
                return table
            return table.filter(pl.col(name).eq_missing(value) for name, value in values.items())

        return self.map(keep)


@st.composite
def stores(draw: Draw, only: str | None = None) -> Store:
    """Draw a store; its rows agree with each other as a loaded report's do.

    Args:
        draw: Given by Hypothesis.
        only: The format of every run; without it each has its own.
    """
    tables: dict[str, Rows] = {name: [] for name in Store._fields}
    for run in RUNS:
        form = only or draw(st.sampled_from(FORMATS))
        tables["runs"].append({"run": run, "format": form, "dialect": None, "suite": "suite"})
        for item in ITEMS:
            tags = draw(st.lists(st.sampled_from(("smoke", "en")), unique=True))
            digest = draw(st.sampled_from(("one", "other", None)))
            place = ITEMS.index(item)
            tables["items"].append(
                {"run": run, "item": item, "tags": tags, "digest": digest, "position": place}
            )
            if form == "sample-report":
                tables["parts"] += _parts(draw, run, item)
        defined = _definitions(draw, run, form)
        tables["definitions"] += [node for nodes in defined for node in nodes]
        for ordinal in range(draw(st.integers(0, 4))):
            trial = _trial(draw, run, ordinal, form)
            tables["trials"].append(trial)
            tables["turns"].append({"run": run, "trial": trial["trial"], "step": "step"})
            tables["checks"] += _checks(draw, trial, defined)
            if form == "sample-report":
                tables["votes"] += _votes(draw, trial)
                tables["discards"] += _discards(draw, trial)
        tables["checks"] += _suite_checks(draw, run)
    return Store(**{name: getattr(builders, name)(*rows) for name, rows in tables.items()})


def _parts(draw: Draw, run: str, item: str) -> Rows:
    """Parts of an item, those that are recorded at all."""
    return [
        {
            "run": run,
            "item": item,
            "part": part,
            "digest": draw(st.sampled_from(("one", "other"))),
            "provenance": draw(st.sampled_from(("authored", "derived", "recorded"))),
        }
        for part in draw(st.lists(st.sampled_from(("setup", "turn")), unique=True))
    ]


def _definitions(draw: Draw, run: str, form: str) -> list[Rows]:
    """Two criteria an item, the second a composite of two leaves."""
    roots = []
    for ordinal, (item, criterion) in enumerate(
        (item, criterion) for item in ITEMS for criterion in ("first", "second")
    ):
        shared = {
            "run": run,
            "definition": trial_number(ordinal, run),
            "item": item,
            "criterion": criterion,
            "path": criterion,
        }
        nodes = [shared | _demand(draw, form)]
        if criterion == "second" and form == "evaluation-report":
            nodes[0] = shared | {"kind": "any", "leaf": False}
            nodes += [
                shared | _demand(draw, form) | {"position": place, "path": f"second/{place}"}
                for place in (1, 2)
            ]
        roots.append(nodes)
    return roots


def _demand(draw: Draw, form: str) -> dict[str, Any]:
    if form == "evaluation-report":
        return {"target": draw(st.sampled_from(TARGETS))}
    if form == "sample-report":
        return {"kind": "expectation", "expectation": draw(st.sampled_from(EXPECTATIONS))}
    fault, code = draw(st.sampled_from(FAULTS))
    return {"fault": fault, "code": code}


def _trial(draw: Draw, run: str, ordinal: int, form: str) -> dict[str, Any]:
    outcome = draw(st.sampled_from(OUTCOMES))
    trial = {
        "run": run,
        "trial": trial_number(ordinal, run),
        "item": draw(st.sampled_from(ITEMS)),
        "variants": draw(st.sampled_from(("{}", '{"step":"terse"}'))),
        "repetition": ordinal,
        "outcome": outcome,
        "graded": outcome in {"passed", "failed"},
        "unfinished": form == "trial-row" and draw(st.booleans()),
        "turns": draw(st.integers(0, 3)),
        "bounds": draw(st.sampled_from((None, '{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":2}')))
        if form == "trial-row"
        else None,
        "error_code": None if outcome == "passed" else draw(st.sampled_from(CODES)),
    }
    if form == "sample-report":
        counts = ("provider_failures", "cards_created", "acts_refused", "discards")
        trial |= {name: draw(st.integers(0, 2)) for name in counts}
        trial |= {"abandoned": draw(st.booleans())}
        trial |= {"task_route": draw(st.sampled_from((None, True, False)))}
        signature = draw(st.sampled_from(("looked", "wrote 1", "wrote 2")))
        trial |= {"signature": signature, "masked_signature": signature.rstrip(" 12")}
    return trial


def _checks(draw: Draw, trial: dict[str, Any], defined: list[Rows]) -> Rows:
    """Some of the item's criteria with any result, decisive leaves wherever they fell."""
    rows: Rows = []
    for nodes in defined:
        if nodes[0]["item"] != trial["item"] or not draw(st.booleans()):
            continue
        errored = draw(st.booleans())
        start = len(rows)
        for node in nodes:
            place = node.get("position", 0)
            rows.append(
                {
                    **{name: trial[name] for name in ("run", "trial", "graded", "unfinished")},
                    **{name: node.get(name) for name in ("definition", "criterion", "path")},
                    **{name: node.get(name) for name in ("fault", "code")},
                    "position": start + place,
                    "parent": start if place else None,
                    "kind": node.get("kind", "check"),
                    "passed": not errored and draw(st.booleans()),
                    "errored": errored,
                    "error_code": draw(st.sampled_from(CODES[1:])) if errored else None,
                    "decisive": draw(st.booleans()),
                    "actual": draw(st.sampled_from(("1", "2", None))),
                }
            )
    return rows


def _suite_checks(draw: Draw, run: str) -> Rows:
    suite = {"run": run, "trial": None, "definition": None, "scope": "run", "graded": False}
    results = draw(st.lists(st.booleans(), max_size=2))
    return [
        suite | {"position": place, "passed": passed, "decisive": not passed}
        for place, passed in enumerate(results)
    ]


def _votes(draw: Draw, trial: dict[str, Any]) -> Rows:
    shared = {"run": trial["run"], "trial": trial["trial"]}
    rows: Rows = []
    for criterion in draw(st.lists(st.sampled_from(("tone", "brand_new")), unique=True)):
        scores = draw(st.lists(st.sampled_from((None, 1, 2, 5)), max_size=4))
        rows += [
            shared | {"criterion": criterion, "vote": vote, "score": score}
            for vote, score in enumerate(scores, start=1)
        ]
        if not scores:
            rows.append(shared | {"criterion": criterion, "vote": None, "score": None})
    return rows


def _discards(draw: Draw, trial: dict[str, Any]) -> Rows:
    codes = draw(st.lists(st.sampled_from(("schema", "evidence")), max_size=3))
    return [
        {"run": trial["run"], "trial": trial["trial"], "position": place, "code": code}
        for place, code in enumerate(codes)
    ]
