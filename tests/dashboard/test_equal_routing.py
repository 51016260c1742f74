"""Every figure of the routing page is the command line's, value by value."""

from pathlib import Path

import pytest

from dashboard import wording
from tests.dashboard.conftest import Opened
from tests.dashboard.equal import NO_DATA, Row
from tests.dashboard.reading import markup, rows
from tests.dashboard.said import said

ROUTINGS = [
    pytest.param("samples", id="samples"),
    pytest.param("acceptance", id="acceptance", marks=NO_DATA),
]


@pytest.mark.parametrize("store", ROUTINGS)
def test_routing(opened: Opened, db: Path) -> None:
    found = said(db, "routing")
    drawn = markup(opened(db, "routing"))
    tickets = [(tool, check) for tool in found["tickets"] for check in tool["checks"]]

    assert sorted(row[:6] for row in rows(drawn, "Tickets")) == sorted(
        [
            tool_name(tool),
            *(check[name] for name in ("scenario", "check")),
            *(str(check["trials"]), str(len(check["models"]))),
            " ".join("; ".join(check["reasons"]).split()) or wording.NOTHING,
        ]
        for tool, check in tickets
    )
    faults = [*found["channel"], *found["recorded"], *found["not_routed"]]
    models = sorted({one["model"] or "no model" for row in faults for one in row["by_model"]})
    for route, title in TITLES.items():
        lines = rows(drawn, title)
        assert sorted(lines) == sorted(fault(row, models) for row in found[route])
    assert rows(drawn, "Never failed") == [
        [tool_name(row), row["scenario"], row["criterion"], wording.plural(row["trials"], "trial")]
        for row in found["never_failing"]
    ]
    assert rows(drawn, "Cut short") == [
        [
            *(tool_name(row), row["fault"] or "", row["code"] or wording.NOTHING),
            wording.plural(row["trials"], "trial"),
        ]
        for row in found["unfinished"]
    ]
    assert rows(drawn, "Ablation") == [ablated(row) for row in found["ablation"]]


TITLES = {
    "channel": "Work on a channel: the same fault on enough models",
    "recorded": "Recorded: on too few models to say",
    "not_routed": "Not routed",
}


def tool_name(row: Row) -> str:
    section = "" if row["dialect"] in {None, "contract"} else f" ({row['dialect']})"
    return f"{row['tool'] or 'no tool'}{section}"


def fault(row: Row, models: list[str]) -> list[str]:
    section = "" if row["dialect"] in {None, "contract"} else row["dialect"]
    trials = {one["model"] or "no model": one["trials"] for one in row["by_model"]}
    return [
        f"{row['code'] or 'no code'} {section}".strip(),
        row["channel"] or wording.NOTHING,
        *(row["reason"], str(len(row["models"]))),
        *(str(trials[name]) if name in trials else wording.NOTHING for name in models),
    ]


def ablated(row: Row) -> list[str]:
    return [
        *(tool_name(row), row["scenario"], row["model"] or "no model"),
        *(f"{row[f'{arm}_passed']}/{row[f'{arm}_graded']}" for arm in ("full", "ablated")),
        row["reason"] if row["delta"] is None else f"{100 * row['delta']:+.1f} pts",
    ]


@pytest.mark.parametrize("store", ROUTINGS)
def test_coverage(opened: Opened, db: Path) -> None:
    found = said(db, "routing")["coverage"]
    drawn = rows(markup(opened(db, "routing")), "Coverage")
    models = sorted({row["model"] for row in found if row["model"]})
    own = {(tool_name(row), row["scenario"], row["model"]): row for row in found}

    told = {
        (line[0], line[1], model): cell
        for line in drawn
        for model, cell in zip(models, line[2:], strict=True)
        if cell != wording.NOTHING
    }
    assert told == {key: covered(row) for key, row in own.items() if row["model"]}


def covered(row: Row) -> str:
    states = {"hole": "never graded", "stale": "too old", "undated": "no date"}
    age = "" if row["age_days"] is None else wording.plural(row["age_days"], "day")
    return f"{row['graded']}/{row['trials']} {states.get(row['state'], age)}"
