"""Failures of one small run, and how a decisive leaf is written down."""

from typing import Any

import polars as pl

from queries import categories, evidence
from tests import builders


def failures(
    *checks: dict[str, Any],
    trials: tuple[dict[str, Any], ...] = ({},),
    definition: dict[str, Any] | None = None,
    form: str = "evaluation-report",
) -> pl.LazyFrame:
    return evidence.failures(
        builders.runs({"format": form}),
        builders.items({"tags": ["smoke"]}),
        builders.trials(*trials),
        builders.turns({"turn": 1, "step": "confirm"}),
        builders.checks(*checks),
        builders.definitions(definition or {"target": '["facts"]'}),
        categories.shipped(),
    )


def leaf(path: str, position: int, **more: object) -> dict[str, Any]:
    """A leaf that explains the criterion at position 0."""
    return {
        "path": path,
        "position": position,
        "parent": 0,
        "passed": False,
        "decisive": True,
        **more,
    }
