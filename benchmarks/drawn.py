"""The rows of one generated run, by format: what :mod:`benchmarks.generate` inserts."""

from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl

from benchmarks import payloads
from ingest.records import key

Columns = dict[str, Any]
FORMATS: Final = tuple(
    {4: "sample-report", 9: "sample-report", 7: "trial-row"}.get(place, "evaluation-report")
    for place in range(10)
)
NODES: Final = 12
PARENTS: Final = np.array([-1, -1, -1, -1, -1, -1, -1, 6, 6, -1, 9, 9])
TURNS: Final = np.array([0, 0, 0, 1, 1, 1, -1, -1, -1, -1, -1, -1])
"""Turn that a node is about, -1 for the whole trial."""
TARGETS: Final = (
    '["response","message"]',
    '["facts",0]',
    '["interaction","status"]',
    '["events"]',
    '["effects"]',
    '["catalogue"]',
)
CUSTOM: Final = 5
"""Node whose evaluator sometimes breaks."""
EXPECTATIONS: Final = ("commands", "outcome", "acts", "interaction_status")
CRITERIA: Final = ("tone", "tone", "tone", "language_quality", "language_quality")
VOTES: Final = len(CRITERIA)
ROW_CHECKS: Final = tuple(f"{name}-holds" for name in "abcdefghij")
BLAMES: Final = (
    (None, None),
    ("agent", "ERR_ENVELOPE_HINT_BLINDNESS"),
    ("agent", "ERR_STATE_MACHINE_VIOLATION"),
    ("agent", "ERR_TOOL_DISCOVERY_FAILURE"),
    ("agent", "ERR_DOC_DRIFT_BLINDNESS"),
    ("tool", None),
)
BOUNDS: Final = '{"max_turns":12,"timeout_secs":300,"token_budget":50000}'


class Part(NamedTuple):
    """What one run is drawn from."""

    run: str
    items: list[str]
    repetitions: int
    payloads: bool
    rng: np.random.Generator

    @property
    def trials(self) -> int:
        """How many trials the run has."""
        return len(self.items) * self.repetitions

    @property
    def first(self) -> int:
        """The number of its first trial, and of its first definition."""
        return key(self.run, 0)


class Trials(NamedTuple):
    """The trials of a run: their columns, which passed, which are graded, their turns."""

    columns: Columns
    passed: np.ndarray
    graded: np.ndarray
    turns: np.ndarray


def _trials(part: Part, fewest: int, most: int) -> Trials:
    rng, size = part.rng, part.trials
    ability = rng.beta(4, 1, len(part.items))
    passed = rng.random(size) < np.repeat(ability, part.repetitions)
    graded = rng.random(size) > 0.02
    turns = rng.integers(fewest, most + 1, size)
    columns: Columns = {
        "run": [part.run] * size,
        "trial": part.first + np.arange(size),
        "item": np.repeat(part.items, part.repetitions),
        "variants": ["{}"] * size,
        "repetition": np.tile(np.arange(part.repetitions), len(part.items)),
        "outcome": np.where(graded, np.where(passed, "passed", "failed"), "error"),
        "graded": graded,
        "error_code": pl.Series(np.where(graded, "", "EVALUATION_TIMEOUT")).replace({"": None}),
        "unfinished": np.zeros(size, dtype=bool),
        "duration_ms": turns * 900 + rng.integers(0, 4_000, size),
        "turns": turns.astype(np.int32),
        "place": [f"$.cases[{trial}]" for trial in range(size)],
    }
    return Trials(columns, passed, graded, turns)


def _turns(part: Part, trials: Trials) -> dict[str, Columns]:
    owner = np.repeat(np.arange(part.trials), trials.turns)
    number = np.concatenate([np.arange(one) for one in trials.turns])
    columns: Columns = {
        "run": [part.run] * len(owner),
        "trial": part.first + owner,
        "turn": number,
        "step": [f"step-{one}" for one in number],
        "status": np.where(trials.passed[owner], "passed", "failed"),
        "duration_ms": part.rng.integers(200, 2_000, len(owner)),
        "observed": np.full(len(owner), part.payloads),
        "bytes": np.zeros(len(owner), dtype=np.int64),
    }
    if part.payloads:
        columns |= payloads.turns(part.rng, number)
    return {"turn": columns}


def cases(part: Part) -> dict[str, Columns]:
    """Draw an evaluation report: eight criteria a trial, two of them composites of two leaves."""
    trials, rng, size = _trials(part, 2, 5), part.rng, part.trials
    roots = np.flatnonzero(PARENTS < 0)
    failing = ~trials.passed[:, None] & (rng.random((size, NODES)) < 0.3)
    failing[:, 0] |= ~trials.passed
    for parent in (6, 9):
        failing[:, parent + 1] |= failing[:, parent]
        failing[:, parent + 2] = failing[:, parent] | (rng.random(size) < 0.2)
    errored = np.zeros((size, NODES), dtype=bool)
    errored[:, CUSTOM] = rng.random(size) < 0.004
    failing |= errored
    shape = _shape(roots)
    leaf = np.ones(NODES, dtype=bool)
    leaf[[6, 9]] = False
    above = failing[:, np.where(PARENTS < 0, np.arange(NODES), PARENTS)]
    items = np.repeat(np.arange(len(part.items)), part.repetitions * NODES)
    owner = np.searchsorted(roots, np.arange(NODES), side="right") - 1
    own = np.tile(np.arange(NODES), size)
    columns = shape[own].with_columns(
        run=pl.lit(part.run),
        trial=pl.Series(part.first + np.repeat(np.arange(size), NODES)),
        definition=pl.Series(part.first + items * len(roots) + np.tile(owner, size)),
        position=pl.Series(own, dtype=pl.Int32),
        passed=pl.Series(~failing.ravel()),
        errored=pl.Series(errored.ravel()),
        error_code=pl.when(pl.Series(errored.ravel())).then(pl.lit("EVALUATOR_TIMEOUT")),
        decisive=pl.Series((failing & above & leaf).ravel()),
        negated=pl.lit(value=False),
        graded=pl.Series(np.repeat(trials.graded, NODES)),
        unfinished=pl.lit(value=False),
    )
    told = {"check": _with_values(part, columns), "trial": trials.columns}
    return {**told, **_turns(part, trials), "definition": _definitions(part, shape, leaf, owner)}


def _shape(roots: np.ndarray) -> pl.DataFrame:
    owner = np.searchsorted(roots, np.arange(NODES), side="right") - 1
    leaf = [node not in (6, 9) for node in range(NODES)]
    paths = [
        f"c{owner[node]}" if PARENTS[node] < 0 else f"c{owner[node]}/l{node}"
        for node in range(NODES)
    ]
    return pl.DataFrame(
        {
            "criterion": [f"c{place}" for place in owner],
            "path": paths,
            "id": [path.rsplit("/")[-1] for path in paths],
            "kind": ["check" if leaf[node] else "any" for node in range(NODES)],
            "operator": ["equals" if leaf[node] else None for node in range(NODES)],
            "target": [TARGETS[node % len(TARGETS)] if leaf[node] else None for node in range(12)],
            "parent": pl.Series(PARENTS, dtype=pl.Int32).replace({-1: None}),
            "scope": ["trial" if turn < 0 else "turn" for turn in TURNS],
            "turn": pl.Series(TURNS, dtype=pl.Int32).replace({-1: None}),
        }
    )


def _with_values(part: Part, checks: pl.DataFrame) -> Columns:
    """Give leaves what they compared."""
    if not part.payloads:
        return checks.to_dict(as_series=True)
    leaf = pl.col("kind") == "check"
    actual = payloads.values(part.rng, checks.height)
    return checks.with_columns(
        actual_present=pl.when(leaf).then(pl.lit(value=True)),
        actual=pl.when(leaf).then(pl.lit(actual)),
        expected=pl.when(leaf).then(pl.concat_str(pl.lit('"'), "id", pl.lit(' as agreed"'))),
    ).to_dict(as_series=True)


def _definitions(part: Part, shape: pl.DataFrame, leaf: np.ndarray, owner: np.ndarray) -> Columns:
    items, roots = len(part.items), np.flatnonzero(PARENTS < 0)
    each = np.tile(np.arange(NODES), items)
    columns = shape[each].select("criterion", "path", "kind", "operator", "target", "scope", "turn")
    step = pl.concat_str(pl.lit("step-"), "turn")
    owned = np.tile(owner, items) + np.repeat(np.arange(items), NODES) * len(roots)
    return {
        **columns.with_columns(step=step).drop("turn").to_dict(as_series=True),
        "run": [part.run] * items * NODES,
        "definition": part.first + owned,
        "position": np.tile(np.arange(NODES) - roots[owner], items),
        "leaf": np.tile(leaf, items),
        "item": np.repeat(part.items, NODES),
    }


def rows(part: Part) -> dict[str, Columns]:
    """Draw trial rows: ten checks each, a failing one with its fault and code."""
    trials, rng, size = _trials(part, 3, 3), part.rng, part.trials
    trials.columns["bounds"] = [BOUNDS] * size
    checks, ways = len(ROW_CHECKS), len(BLAMES)
    failing = ~trials.passed[:, None] & (rng.random((size, checks)) < 0.3)
    failing[:, 0] |= ~trials.passed
    which = np.where(failing, rng.integers(1, ways, (size, checks)), 0).ravel()
    place = np.tile(np.arange(checks), size)
    items = np.repeat(np.arange(len(part.items)), part.repetitions * checks)
    names = np.array(ROW_CHECKS)
    failed = failing.ravel()
    table: Columns = {
        **_leaves(part, part.first + np.repeat(np.arange(size), checks), names[place], "check"),
        "definition": part.first + (items * checks + place) * ways + which,
        "position": place,
        "passed": ~failed,
        "decisive": failed,
        "graded": np.repeat(trials.graded, checks),
        **_blames(which),
    }
    if part.payloads:
        table["reason"] = payloads.sentences(rng, len(place)).set(pl.Series(~failed), None)
    count = len(part.items) * checks * ways
    told = names[np.tile(np.repeat(np.arange(checks), ways), len(part.items))]
    defined = _defined(part, count, told, "check", checks * ways)
    defined |= _blames(np.tile(np.arange(ways), count // ways))
    return {"trial": trials.columns, "check": table, "definition": defined} | _turns(part, trials)


def _blames(which: np.ndarray) -> Columns:
    return {
        name: pl.Series([blame[place] for blame in BLAMES], dtype=pl.String).gather(which)
        for place, name in enumerate(("fault", "code"))
    }


def _leaves(part: Part, trials: np.ndarray, names: np.ndarray, kind: str) -> Columns:
    size = len(trials)
    false = np.zeros(size, dtype=bool)
    return {
        "run": [part.run] * size,
        "trial": trials,
        "scope": ["trial"] * size,
        "criterion": names,
        "path": names,
        "id": names,
        "kind": [kind] * size,
        "errored": false,
        "negated": false,
        "unfinished": false,
    }


def _defined(part: Part, count: int, names: np.ndarray, kind: str, an_item: int) -> Columns:
    return {
        "run": [part.run] * count,
        "definition": part.first + np.arange(count),
        "position": np.zeros(count, dtype=np.int32),
        "leaf": np.ones(count, dtype=bool),
        "scope": ["trial"] * count,
        "item": np.repeat(part.items, an_item),
        "criterion": names,
        "path": names,
        "kind": [kind] * count,
    }


def samples(part: Part) -> dict[str, Columns]:
    """Draw a sample report: failures only, signatures, counters and five votes a trial."""
    trials, rng, size = _trials(part, 1, 1), part.rng, part.trials
    behaviour = rng.integers(0, 6, size)
    line = "turn 1: looked up the order and wrote one line of the ledger\n"
    texts = [f"{line * 3}ended {word}" for word in behaviour]
    zeros = np.zeros(size, dtype=np.int64)
    trials.columns.update(
        {
            "signature": texts,
            "masked_signature": texts,
            **dict.fromkeys(("provider_failures", "cards_created", "acts_proposed"), zeros),
            "acts_refused": behaviour % 2,
            "commands_journaled": zeros,
            "discards": zeros,
            "abandoned": np.zeros(size, dtype=bool),
        }
    )
    failed = np.repeat(np.flatnonzero(~trials.passed & trials.graded), 10)
    which = rng.integers(0, len(EXPECTATIONS), len(failed))
    ways, names = len(EXPECTATIONS), np.array(EXPECTATIONS)
    true = np.ones(len(failed), dtype=bool)
    table: Columns = {
        **_leaves(part, part.first + failed, names[which], "expectation"),
        "definition": part.first + failed // part.repetitions * ways + which,
        "position": np.tile(np.arange(10), len(failed) // 10),
        "passed": ~true,
        "decisive": true,
        "graded": true,
    }
    defined = _defined(
        part, len(part.items) * ways, np.tile(names, len(part.items)), "expectation", ways
    )
    defined["expectation"] = defined["criterion"]
    told = {"trial": trials.columns, "check": table, "definition": defined, "vote": _votes(part)}
    return told | _turns(part, trials)


def _votes(part: Part) -> Columns:
    size = part.trials * VOTES
    votes: Columns = {
        "run": [part.run] * size,
        "trial": part.first + np.repeat(np.arange(part.trials), VOTES),
        "criterion": np.tile(CRITERIA, part.trials),
        "position": np.tile([0, 0, 0, 1, 1], part.trials),
        "vote": np.tile([1, 2, 3, 1, 2], part.trials),
        "score": part.rng.integers(1, 6, size),
    }
    if part.payloads:
        votes["reason"] = payloads.sentences(part.rng, size)
    return votes
