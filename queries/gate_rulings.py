"""What a gate knows of a run, and what it says of each rule: the words rules share."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self

Row = Mapping[str, Any]
Verdict = Literal["pass", "fail", "inconclusive"]


class Against(NamedTuple):
    """A comparison with a baseline, as rows of the figures of two sides."""

    headline: Row
    changes: Sequence[Row]
    categories: Sequence[Row]


class Evidence(NamedTuple):
    """The figures of one run that its rules are decided from.

    ``run`` is its row of ``runs.overview``; ``cells`` its rows of ``gate_counts.cells``;
    ``categories``, ``rates`` and ``votes`` its rows of ``reliability``; ``suite_failures`` its rows
    of ``evidence.suite``; ``against`` what it came to beside a baseline, when there is one.
    """

    run: Row
    cells: Sequence[Row]
    categories: Sequence[Row]
    rates: Sequence[Row]
    votes: Sequence[Row]
    suite_failures: Sequence[Row]
    against: Against | None = None

    @property
    def suite(self) -> str:
        """What the suite is called."""
        return str(self.run["suite"] or self.run["run"])

    def total(self, count: str) -> int:
        """Return a count over all cells."""
        return sum(cell[count] for cell in self.cells)

    def category(self, name: str) -> Row | None:
        """Return the row of a category; None when nothing of the run has to do with it."""
        return next((row for row in self.categories if row["category"] == name), None)

    def abandoned(self) -> tuple[int, int]:
        """Return abandoned trials and all trials.

        As the format counts them; where it does not, trials that failed or stopped in that
        category.
        """
        for row in self.rates:
            if row["name"] == "abandonment":
                return row["count"], row["trials"]
        found = self.category("abandonment")
        counted = found["failing_trials"] + found["stopped_trials"] if found else 0
        return counted, self.total("trials")


class Ruling(NamedTuple):
    """What one rule says of one thing, and the counts it says so from."""

    verdict: Verdict
    scope: str
    rule: str
    detail: str
    counts: Mapping[str, Any]

    @classmethod
    def of(
        cls, scope: str, rule: str, detail: str, counts: Mapping[str, Any], *, held: bool
    ) -> Self:
        """Return a ruling that passes or fails."""
        return cls("pass" if held else "fail", scope, rule, detail, counts)

    @classmethod
    def compared(
        cls,
        scope: str,
        rule: str,
        numbers: tuple[str, str, str],
        counts: Mapping[str, Any],
        *,
        held: bool,
    ) -> Self:
        """Return a ruling on two numbers, told with the sign that breaks it, or its opposite."""
        left, sign, right = numbers
        told = {"<": "≥", ">": "≤"}[sign] if held else sign
        return cls.of(scope, rule, f"{left} {told} {right}", counts, held=held)

    def named(self) -> dict[str, str]:
        """Return scope, rule and detail."""
        return {"scope": self.scope, "rule": self.rule, "detail": self.detail}

    def explained(self) -> dict[str, Any]:
        """Return everything, the counts among it."""
        return {"rule": self.rule, "scope": self.scope, "verdict": self.verdict} | {
            "detail": self.detail,
            "counts": dict(self.counts),
        }


def word(evidence: Evidence) -> str:
    """Return what the run's format calls its trials."""
    return "samples" if evidence.run["format"] == "sample-report" else "trials"


def scope(cell: Row) -> str:
    """Return what a cell is called: its item, with the variants it chose."""
    return str(cell["item"] if cell["variants"] == "{}" else f"{cell['item']} {cell['variants']}")
