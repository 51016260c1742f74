"""The turns and checks of many cases as frames, built column by column."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from ingest.frames import column, numbered, texts, unfold
from ingest.records import Check, Row, Turn, key

SHARED: Final = (
    *("definition", "parent", "actual_present", "scope", "criterion", "path", "id", "label"),
    *("kind", "operator", "target", "evaluator", "passed", "errored", "error_code"),
    *("decisive", "negated", "graded"),
)
"""Columns of what the nodes of one form share; definition and parent count from the first."""
TURN: Final = (
    *("run", "trial", "turn", "step", "native_id", "status", "error_code", "duration_ms"),
)
TURN_PAYLOADS: Final = ("input", "observation", "checkpoint")


class Form:
    """What evaluated criteria of one form have in common.

    Attributes:
        nodes: The values of ``SHARED`` for each node.
        error: The code of the criterion itself.
    """

    __slots__ = ("error", "nodes")

    def __init__(self, nodes: Sequence[tuple[Any, ...]], error: str | None) -> None:
        """Take what they have in common."""
        self.nodes = nodes
        self.error = error


class Columns:
    """Turns and checks on their way into frames.

    Attributes:
        turns: The values of ``TURN``, then those of ``TURN_PAYLOADS`` in UTF-8.
        criteria: Form, run, trial, turn, and the place of the first node, of each criterion.
        actual: What each node of each criterion found; ``expected`` and ``evidence`` likewise.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.trials: Sequence[Any] = ()
        self.turns: list[tuple[Any, ...]] = []
        self.criteria: list[tuple[Form, str, int | None, int | None, int]] = []
        self.actual: list[bytes | None] = []
        self.expected: list[bytes | None] = []
        self.evidence: list[bytes | None] = []

    def __len__(self) -> int:
        """Return the number of turns and checks."""
        return len(self.turns) + len(self.actual)

    def extend(self, other: "Columns") -> None:
        """Take the rows of others below these."""
        self.turns.extend(other.turns)
        self.criteria.extend(other.criteria)
        self.actual.extend(other.actual)
        self.expected.extend(other.expected)
        self.evidence.extend(other.evidence)

    def frames(self) -> Mapping[type[Row], pl.DataFrame]:
        """Return the turns and the checks."""
        found: dict[type[Row], pl.DataFrame] = {}
        if self.turns:
            found[Turn] = self._turns()
        if self.criteria:
            found[Check] = self._checks()
        return found

    def _turns(self) -> pl.DataFrame:
        columns = list(zip(*self.turns, strict=True))
        told = [column(Turn, *each) for each in zip(TURN, columns, strict=False)]
        payloads = [
            texts(Turn, *each) for each in zip(TURN_PAYLOADS, columns[len(TURN) :], strict=True)
        ]
        return pl.DataFrame([*told, *payloads]).with_columns(
            pl.col("observation").is_not_null().alias("observed"),
            pl.sum_horizontal(pl.col(TURN_PAYLOADS).str.len_chars().cast(pl.Int64)).alias("bytes"),
        )

    def _checks(self) -> pl.DataFrame:
        """Return one row a node: each criterion's form unfolded into the nodes it has."""
        all_forms, all_runs, trials, turns, starts = zip(*self.criteria, strict=True)
        forms, form = numbered(all_forms)
        runs, run = numbered(all_runs)
        owners = pl.DataFrame({"run": runs, "first": [key(each, 0) for each in runs]})
        criteria = owners.select(pl.all().gather(run)).with_columns(
            column(Check, "trial", trials),
            column(Check, "turn", turns),
            pl.Series("start", starts, dtype=pl.Int64),
        )
        nodes = zip(*(node for each in forms for node in each.nodes), strict=True)
        shared = pl.DataFrame([column(Check, *each) for each in zip(SHARED, nodes, strict=True)])
        whose, place, part = unfold([len(each.nodes) for each in forms], form)
        return (
            pl.concat(
                [
                    criteria.select(pl.all().gather(whose)),
                    shared.select(pl.all().gather(part)),
                ],
                how="horizontal",
            )
            .with_columns(
                texts(Check, "actual", self.actual),
                texts(Check, "expected", self.expected),
                texts(Check, "evidence", self.evidence),
                (pl.col("start") + place).alias("position"),
                (pl.col("start") + pl.col("parent")).alias("parent"),
                (pl.col("first") + pl.col("definition")).alias("definition"),
                pl.lit(value=False).alias("unfinished"),
            )
            .drop("start", "first")
        )
