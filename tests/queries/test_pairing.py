"""Cells are paired by item and variants, and kept apart when they did not measure the same."""

from typing import Any

import polars as pl
import pytest

from queries import comparison, pairing
from tests import builders
from tests.builders import OTHER, RUN, trial_number
from tests.queries.paired import hand_made

SIDES = pl.LazyFrame({"run": [RUN, OTHER], "side": ["base", "current"]})


def both(form: str, **row: Any) -> pl.LazyFrame:
    return builders.runs({"run": RUN, "format": form} | row, {"run": OTHER, "format": form} | row)


def trial(run: str, item: str, place: int = 0, **row: Any) -> dict[str, Any]:
    return {"run": run, "item": item, "trial": trial_number(place, run)} | row


def listed(*names: tuple[str, str], **row: Any) -> pl.LazyFrame:
    return builders.items(
        *(
            {"run": run, "item": item, "position": place} | row
            for place, (run, item) in enumerate(names)
        )
    )


def part(run: str, digest: str, provenance: str = "authored", name: str = "turn") -> dict[str, str]:
    return {"run": run, "part": name, "digest": digest, "provenance": provenance}


def states(tables: pairing.Tables) -> dict[str, str]:
    found = pairing.pairs(tables, SIDES).collect()
    return dict(found.select("item", "state").iter_rows())


def one_item(*parts: dict[str, str]) -> dict[str, Any]:
    """The pair of one item that both runs of a sample report hold."""
    tables = hand_made(
        runs=both("sample-report"),
        items=listed((RUN, "item"), (OTHER, "item")),
        parts=builders.parts(*parts),
        trials=builders.trials(trial(RUN, "item"), trial(OTHER, "item")),
    )
    return pairing.pairs(tables, SIDES).collect().row(0, named=True)


@pytest.mark.parametrize(
    ("base", "current", "state", "list_name"),
    [
        (part(RUN, "a"), part(OTHER, "a"), "compared", None),
        (part(RUN, "a"), part(OTHER, "b"), "excluded", "authored"),
        (part(RUN, "a", "derived"), part(OTHER, "b", "derived"), "compared", "derived"),
        (part(RUN, "a", "derived"), part(OTHER, "b"), "excluded", "authored"),
        (part(RUN, "a", "derived"), part(OTHER, "b", "recorded"), "excluded", "recorded"),
        (part(RUN, "a"), part(OTHER, "b", name="judge"), "compared", None),
    ],
)
def test_a_part_that_differs_is_judged_by_what_it_was_declared_to_be(
    base: dict[str, str], current: dict[str, str], state: str, list_name: str | None
) -> None:
    pair = one_item(base, current)

    assert pair["state"] == state
    assert not pair["unverified"]
    for name in ("recorded", "authored", "derived"):
        assert pair[name] == (["turn"] if name == list_name else [])


def test_an_item_can_be_excluded_for_two_reasons() -> None:
    pair = one_item(
        part(RUN, "a", "recorded", "setup"),
        part(OTHER, "b", "recorded", "setup"),
        part(RUN, "a"),
        part(OTHER, "b"),
    )

    assert (pair["recorded"], pair["authored"]) == (["setup"], ["turn"])


def test_an_unknown_fingerprint_pairs_by_name_and_is_counted() -> None:
    pair = one_item(part(RUN, "a"))

    assert (pair["state"], pair["unverified"]) == ("compared", True)


def test_an_evaluation_report_pairs_by_the_digest_of_its_definition() -> None:
    names = ("same", "edited", "untold")
    tables = hand_made(
        runs=both("evaluation-report"),
        items=builders.items(
            *(
                {"run": run, "item": item, "digest": digest}
                for run, last in ((RUN, "one"), (OTHER, "other"))
                for item, digest in zip(names, ("one", last, None), strict=True)
            )
        ),
        trials=builders.trials(*(trial(run, item) for run in (RUN, OTHER) for item in names)),
    )

    assert states(tables) == {"same": "compared", "edited": "excluded", "untold": "compared"}
    assert pairing.pairs(tables, SIDES).filter("unverified").collect()["item"].to_list() == [
        "untold"
    ]
    assert pairing.exclusions(pairing.pairs(tables, SIDES)).collect().to_dicts() == [
        {"item": "edited", "cells": 1, "recorded": [], "authored": ["definition"]}
    ]


def rows_tables(bounds: tuple[str, str], checks: tuple[str, str], dialect: str) -> pairing.Tables:
    return hand_made(
        runs=both("trial-row", dialect=dialect),
        items=listed((RUN, "item"), (OTHER, "item")),
        trials=builders.trials(
            trial(RUN, "item", bounds=bounds[0]), trial(OTHER, "item", bounds=bounds[1])
        ),
        definitions=builders.definitions(
            {"run": RUN, "criterion": checks[0]},
            {"run": OTHER, "criterion": checks[1]},
            {"run": OTHER, "criterion": "invalid_output", "definition": 2},
        ),
    )


@pytest.mark.parametrize(
    ("bounds", "checks", "dialect", "state"),
    [
        (('{"a":1,"b":2}', '{"b":2,"a":1}'), ("x", "x"), "contract", "compared"),
        (('{"a":1}', '{"a":2}'), ("x", "x"), "contract", "excluded"),
        (('{"a":1}', '{"a":1}'), ("x", "y"), "contract", "excluded"),
        (('{"a":1}', '{"a":1}'), ("x", "y"), "replay-report", "compared"),
    ],
)
def test_trial_rows_pair_by_declared_checks_and_bounds(
    bounds: tuple[str, str], checks: tuple[str, str], dialect: str, state: str
) -> None:
    assert states(rows_tables(bounds, checks, dialect)) == {"item": state}


def test_a_cell_is_an_item_with_its_variants() -> None:
    tables = hand_made(
        runs=both("evaluation-report"),
        items=listed((RUN, "item"), (OTHER, "item")),
        trials=builders.trials(
            trial(RUN, "item", 0, variants='{"step":"a"}'),
            trial(OTHER, "item", 0, variants='{"step":"a"}'),
            trial(OTHER, "item", 1, variants='{"step":"b"}'),
        ),
    )
    found = pairing.pairs(tables, SIDES).select("variants", "state").collect().rows()

    assert found == [('{"step":"a"}', "compared"), ('{"step":"b"}', "added")]


def test_added_and_removed_items_are_no_pairs() -> None:
    tables = hand_made(
        runs=both("sample-report"),
        items=listed((RUN, "gone"), (RUN, "kept"), (OTHER, "kept"), (OTHER, "new")),
        trials=builders.trials(
            trial(RUN, "gone"), trial(RUN, "kept", 1), trial(OTHER, "kept"), trial(OTHER, "new", 1)
        ),
    )

    assert list(states(tables).items()) == [
        ("kept", "compared"),
        ("new", "added"),
        ("gone", "removed"),
    ]


def test_an_item_without_samples_has_no_rate_and_is_not_removed() -> None:
    tables = hand_made(
        runs=both("sample-report"),
        items=listed((RUN, "item"), (OTHER, "item")),
        trials=builders.trials(trial(RUN, "item")),
    )
    pair = pairing.pairs(tables, SIDES).collect().row(0, named=True)

    assert (pair["state"], pair["before"], pair["after"]) == ("compared", 1.0, None)


@pytest.mark.parametrize(("form", "rate"), [("sample-report", 0.5), ("evaluation-report", 1.0)])
def test_an_ungraded_trial_counts_only_where_the_format_counts_it(form: str, rate: float) -> None:
    tables = hand_made(
        runs=both(form),
        items=listed((RUN, "item"), (OTHER, "item")),
        trials=builders.trials(
            trial(RUN, "item", 0), trial(RUN, "item", 1, outcome="error"), trial(OTHER, "item")
        ),
    )
    pairs = pairing.pairs(tables, SIDES)

    assert pairs.collect().row(0, named=True)["before"] == rate
    assert comparison.headline(pairs).collect().row(0, named=True)["baseline"] == rate
