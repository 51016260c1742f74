"""Makes a large store of plausible runs: the same seed gives the same store.

Evaluation reports (four fifths of the runs) evaluate eight criteria a trial, two of them composites
of two leaves; sample reports record failures, signatures and votes.
"""

from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl

from ingest.records import TABLES, Run
from ingest.store import Writer

Columns = dict[str, Any]
NODES: Final = 12
PARENTS: Final = np.array([-1, -1, -1, -1, -1, -1, -1, 6, 6, -1, 9, 9])
TARGETS: Final = (
    '["response","message"]',
    '["facts",0]',
    '["interaction","status"]',
    '["events"]',
    '["effects"]',
    '["catalogue"]',
)
EXPECTATIONS: Final = ("commands", "outcome", "acts", "interaction_status")
CRITERIA: Final = ("tone", "tone", "tone", "language_quality", "language_quality")
VOTES: Final = len(CRITERIA)


class Size(NamedTuple):
    """How many runs, items of a run and repetitions of an item."""

    runs: int = 100
    items: int = 200
    repetitions: int = 50

    @property
    def trials(self) -> int:
        """Trials of one run."""
        return self.items * self.repetitions


FULL: Final = Size()
"""1,000,000 trials, 10,000,000 checks, 1,000,000 votes."""


def generate(path: Path, size: Size = FULL, seed: int = 20260901) -> None:
    """Write a store of this size to ``path``, which must not exist."""
    writer = Writer(path)
    connection = writer._begin()
    for number in range(size.runs):
        rng = np.random.default_rng([seed, number])
        sample_report = number % 5 == 4
        tables = _run(number, size, sample_report=sample_report)
        tables |= (_samples if sample_report else _cases)(number, size, rng)
        for table, columns in tables.items():
            frame = pl.DataFrame(columns)
            connection.register("incoming", frame)
            connection.execute(f'INSERT INTO "{table}" BY NAME SELECT * FROM incoming').fetchall()  # noqa: S608
            connection.unregister("incoming")
    writer._end(commit=True)


def _key(number: int) -> tuple[str, int]:
    return f"{number:010x}", number << 22


def _run(number: int, size: Size, *, sample_report: bool) -> dict[str, Columns]:
    run, _ = _key(number)
    names = [name for name in TABLES if name is Run]
    count = {"settled": size.trials, "turns": size.trials, "begun": size.trials, "rejected": 0}
    row = dict.fromkeys(names[0]._fields) | count
    row |= {"run": run, "report": f"{number:064x}", "position": 0, "suite": "suite"}
    row |= {"format": "sample-report" if sample_report else "evaluation-report"}
    items = np.arange(size.items)
    return {
        "run_loaded": {name: [value] for name, value in row.items() if value is not None},
        "item": {
            "run": [run] * size.items,
            "item": [f"item.{item:04}" for item in items],
            "position": items,
            "tags": [["en" if item % 2 else "it", "smoke"] for item in items],
            "steps": [["step"]] * size.items,
        },
    }


def _trials(
    number: int, size: Size, rng: np.random.Generator
) -> tuple[Columns, np.ndarray, np.ndarray]:
    """Return trial columns, which passed, and which are graded."""
    run, first = _key(number)
    ability = rng.beta(4, 1, size.items)
    passed = rng.random(size.trials) < np.repeat(ability, size.repetitions)
    graded = rng.random(size.trials) > 0.02
    words = np.where(graded, np.where(passed, "passed", "failed"), "error")
    columns: Columns = {
        "run": [run] * size.trials,
        "trial": first + np.arange(size.trials),
        "item": np.repeat([f"item.{item:04}" for item in range(size.items)], size.repetitions),
        "variants": ["{}"] * size.trials,
        "repetition": np.tile(np.arange(size.repetitions), size.items),
        "outcome": words,
        "graded": graded,
        "error_code": pl.Series(np.where(graded, "", "EVALUATION_TIMEOUT")).replace({"": None}),
        "unfinished": np.zeros(size.trials, dtype=bool),
        "turns": np.ones(size.trials, dtype=np.int32),
        "place": [f"$.cases[{trial}]" for trial in range(size.trials)],
    }
    return columns, passed, graded


def _cases(number: int, size: Size, rng: np.random.Generator) -> dict[str, Columns]:
    run, first = _key(number)
    trials, passed, graded = _trials(number, size, rng)
    roots = np.flatnonzero(PARENTS < 0)
    failing = ~passed[:, None] & (rng.random((size.trials, NODES)) < 0.3)
    failing[:, 0] |= ~passed
    for parent in (6, 9):
        failing[:, parent + 1] |= failing[:, parent]
        failing[:, parent + 2] = failing[:, parent] | (rng.random(size.trials) < 0.2)
    leaf = np.ones(NODES, dtype=bool)
    leaf[[6, 9]] = False
    above = failing[:, np.where(PARENTS < 0, np.arange(NODES), PARENTS)]
    owner = np.searchsorted(roots, np.arange(NODES), side="right") - 1
    places = np.tile(np.arange(NODES), size.trials)
    item = np.repeat(np.arange(size.items), size.repetitions * NODES)
    paths = [
        f"c{owner[node]}" if PARENTS[node] < 0 else f"c{owner[node]}/l{node}"
        for node in range(NODES)
    ]
    kinds = ["any" if not leaf[node] else "check" for node in range(NODES)]
    targets = [TARGETS[node % len(TARGETS)] if leaf[node] else None for node in range(NODES)]
    nodes: Columns = {
        "criterion": [f"c{place}" for place in owner],
        "path": paths,
        "id": [path.rsplit("/")[-1] for path in paths],
        "kind": kinds,
        "target": targets,
        "parent": pl.Series(PARENTS, dtype=pl.Int32).replace({-1: None}),
    }
    shape = pl.DataFrame(nodes)
    checks = shape[places].with_columns(
        run=pl.lit(run),
        trial=pl.Series(first + np.repeat(np.arange(size.trials), NODES)),
        definition=pl.Series(first + item * len(roots) + np.tile(owner, size.trials)),
        position=pl.Series(places, dtype=pl.Int32),
        scope=pl.lit("trial"),
        passed=pl.Series(~failing.ravel()),
        errored=pl.lit(value=False),
        decisive=pl.Series((failing & above & leaf).ravel()),
        negated=pl.lit(value=False),
        graded=pl.Series(np.repeat(graded, NODES)),
        unfinished=pl.lit(value=False),
    )
    count = size.items * NODES
    each = np.tile(np.arange(NODES), size.items)
    owned = np.tile(owner, size.items) + np.repeat(np.arange(size.items), NODES) * len(roots)
    definitions = shape[each].select("criterion", "path", "kind", "target")
    return {
        "trial": trials,
        "check": checks.to_dict(as_series=True),
        "definition": {
            **definitions.to_dict(as_series=True),
            "run": [run] * count,
            "definition": first + owned,
            "position": np.tile(np.arange(NODES) - roots[owner], size.items),
            "leaf": np.tile(leaf, size.items),
            "scope": ["trial"] * count,
            "item": np.repeat([f"item.{item:04}" for item in range(size.items)], NODES),
        },
    }


def _samples(number: int, size: Size, rng: np.random.Generator) -> dict[str, Columns]:
    run, first = _key(number)
    trials, passed, graded = _trials(number, size, rng)
    behaviour = rng.integers(0, 6, size.trials)
    line = "turn 1: looked up the order and wrote one line of the ledger\n"
    texts = [f"{line * 3}ended {word}" for word in behaviour]
    trials |= {"signature": texts, "masked_signature": texts}
    zeros = np.zeros(size.trials, dtype=np.int64)
    trials |= dict.fromkeys(("provider_failures", "cards_created", "acts_proposed"), zeros)
    trials |= {"acts_refused": behaviour % 2, "commands_journaled": zeros, "discards": zeros}
    trials |= {"abandoned": np.zeros(size.trials, dtype=bool)}
    failed = np.flatnonzero(~passed & graded)
    places = np.tile(np.arange(10), len(failed))
    failed = np.repeat(failed, 10)
    which = rng.integers(0, len(EXPECTATIONS), len(failed))
    names = np.array(EXPECTATIONS)[which]
    items = failed // size.repetitions
    votes = size.trials * VOTES
    return {
        "trial": trials,
        "definition": {
            "run": [run] * size.items * 4,
            "definition": first + np.arange(size.items * 4),
            "position": np.zeros(size.items * 4, dtype=np.int32),
            "leaf": np.ones(size.items * 4, dtype=bool),
            "scope": ["trial"] * size.items * 4,
            "item": np.repeat([f"item.{item:04}" for item in range(size.items)], 4),
            "criterion": np.tile(EXPECTATIONS, size.items),
            "path": np.tile(EXPECTATIONS, size.items),
            "kind": ["expectation"] * size.items * 4,
            "expectation": np.tile(EXPECTATIONS, size.items),
        },
        "check": {
            "run": [run] * len(failed),
            "trial": first + failed,
            "definition": first + items * 4 + which,
            "position": places,
            "scope": ["trial"] * len(failed),
            "criterion": names,
            "path": names,
            "id": names,
            "kind": ["expectation"] * len(failed),
            "passed": np.zeros(len(failed), dtype=bool),
            "errored": np.zeros(len(failed), dtype=bool),
            "decisive": np.ones(len(failed), dtype=bool),
            "negated": np.zeros(len(failed), dtype=bool),
            "graded": np.ones(len(failed), dtype=bool),
            "unfinished": np.zeros(len(failed), dtype=bool),
        },
        "vote": {
            "run": [run] * votes,
            "trial": first + np.repeat(np.arange(size.trials), VOTES),
            "criterion": np.tile(CRITERIA, size.trials),
            "position": np.tile([0, 0, 0, 1, 1], size.trials),
            "vote": np.tile([1, 2, 3, 1, 2], size.trials),
            "score": rng.integers(1, 6, votes),
        },
    }
