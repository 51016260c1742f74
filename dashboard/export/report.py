"""The report: one page that opens offline, with the figures, the evidence and their words."""

import base64
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from dashboard import brief, markup, text, wording
from dashboard.brief_text import mark_of
from dashboard.errors import InputError
from dashboard.export import about, comparison, page, picture, print_pdf, tables
from dashboard.export.formats import Format
from dashboard.export.glossary import GLOSSARY
from dashboard.export.table import Source, Table

PER_RUN: Final = ("reliability", "variance-categories", "votes", "grid")
EVIDENCE: Final = brief.Asked(limit=25, budget=25_000)
"""How much evidence a report shows of each run."""
TONES: Final = {"decisive": "decides", "failing": "fails", "errored": "errored"}


class Section(NamedTuple):
    """One table of the page, with its chart."""

    title: str
    drawn: dict[str, object]
    chart: str


class Line(NamedTuple):
    """One node of a criterion's expression."""

    depth: int
    mark: str
    tone: str
    text: str
    values: Sequence[tuple[str, str]]


class Case(NamedTuple):
    """One criterion that failed or errored, with its evidence."""

    title: str
    criterion: str
    errored: bool
    facts: list[tuple[str, str]]
    lines: list[Line]


class Failing(NamedTuple):
    """What failed in one run."""

    source: Source
    cases: list[Case]
    more: int


def write(db: Path, selection: about.Selection, form: Format, out: BinaryIO) -> None:
    """Write the report of the selected runs; of two, their comparison first.

    Raises:
        InputError: When the format is no page, or nothing is selected.
    """
    if form not in ("html", "pdf"):
        raise InputError(f"a report is a page; it cannot be had as {form}: there is html, pdf")
    html = render(db, selection).encode()
    out.write(html if form == "html" else print_pdf.printed(html))


def render(db: Path, selection: about.Selection) -> str:
    """Return the page of the selected runs.

    Raises:
        InputError: When nothing or too much is meant.
    """
    chosen = about.choose(db, selection)
    if chosen.runs.is_empty():
        raise InputError(text.NO_RUN)
    compared, why_not = _compared(db, selection)
    every = [*compared, *_figures(db, selection)]
    described = (compared or every)[0].about
    return markup.render(
        "report",
        title=_title(described.runs, both=bool(compared)),
        says=list(_says(chosen, compared, why_not)),
        sections=[_section(one) for one in every],
        failing=[_failing(chosen, source) for source in chosen.about.runs],
        excluded=described.excluded,
        rules=chosen.about.rules,
        runs=chosen.about.runs,
        filters=described.filters,
        glossary=GLOSSARY,
        tool=described.tool,
    )


def _compared(db: Path, selection: about.Selection) -> tuple[list[Table], str]:
    """Return the tables of a comparison where two runs are named, or why there are none."""
    if len(selection.runs) != 2:
        return [], ""
    try:
        pair = comparison.pair(db, selection)
    except InputError as error:
        return [], str(error)
    return [comparison.table(pair), comparison.changes(pair)], ""


def _figures(db: Path, selection: about.Selection) -> Iterator[Table]:
    for name in PER_RUN:
        narrowed = selection._replace(control=None)
        if name in ("variance-categories", "reliability"):
            narrowed = narrowed._replace(items=())
        else:
            narrowed = narrowed._replace(categories=())
        if name == "votes":
            narrowed = narrowed._replace(items=())
        made = tables.build(db, name, narrowed)
        if not made.frame().is_empty():
            yield made


def _title(runs: Sequence[Source], *, both: bool) -> str:
    named = [f"{run.subject or 'no subject'} on {run.suite or 'no suite'}" for run in runs]
    if both and len(runs) == 2:
        return f"{named[0]}, compared with {named[1]}"
    return named[0] if len(named) == 1 else f"{len(named)} runs"


def _says(chosen: about.Chosen, compared: Sequence[Table], why_not: str) -> Iterator[str]:
    """Yield what the page says in words."""
    if compared:
        yield compared[0].says.partition(". ")[2]
        yield compared[0].notes[-1]
    if why_not:
        yield f"The runs are shown one by one: {why_not}."
    for run in chosen.runs.to_dicts():
        counts = brief.of(chosen.db, run["run"], chosen.rulebook, brief.Asked(limit=1))["outcomes"]
        ended = ", ".join(f"{number} {wording.sign(name).word}" for name, number in counts.items())
        trials = text.plural(sum(counts.values()), "trial")
        state = f" The run is {run['status']}." if run["status"] else ""
        yield f"{text.subject(run)}: {trials}: {ended or 'none ran'}.{state}"


def _section(table: Table) -> Section:
    chart = ""
    if table.chart is not None:
        svg = base64.b64encode(picture.drawn(table.chart(), "svg")).decode()
        chart = f"data:image/svg+xml;base64,{svg}"
    return Section(table.title, page.drawn(table), chart)


def _failing(chosen: about.Chosen, source: Source) -> Failing:
    asked = EVIDENCE._replace(items=chosen.selection.items)
    found = brief.of(chosen.db, source.run, chosen.rulebook, asked)
    wanted = chosen.selection.categories
    entries = [
        entry
        for entry in (*found["failures"], *found["errored"])
        if not wanted or entry["category"] in wanted
    ]
    return Failing(source, list(map(_case, entries)), sum(found["not_shown"].values()))


def _case(entry: dict[str, Any]) -> Case:
    place = [entry["item"], *(f"{step}={name}" for step, name in entry.get("variants", {}).items())]
    return Case(
        title=" ".join([*place, *filter(None, [entry.get("step")])]),
        criterion=entry["criterion"],
        errored=entry["errored"],
        facts=list(_facts(entry)),
        lines=list(_lines(entry["expression"], 0)),
    )


def _facts(entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    fails = entry["fails"]
    yield "category", wording.category(entry["category"])
    yield (
        "how often",
        f"{fails['failed']} of {fails['graded_repetitions']} graded repetitions",
    )
    for name in ("label", "item_description", "input", "fault", "code", "reason", "error_code"):
        if name in entry:
            yield wording.spoken(name.removeprefix("item_")), _written(entry[name])
    yield "trials", ", ".join(fails["trials"])
    found = entry.get("first_divergence")
    if found is not None and found["turn"] is not None:
        step = f" ({found['step']})" if found["step"] else ""
        yield "first divergence", f"turn {found['turn']}{step}, beside {found['passing']}: passed"


def _lines(node: dict[str, Any], depth: int) -> Iterator[Line]:
    what = (node["id"], node["kind"], node.get("path"), node.get("operator"), node.get("evaluator"))
    values: list[tuple[str, str]] = [
        (name, _written(node[name])) for name in ("expected", "actual", "evidence") if name in node
    ]
    if node.get("actual_present") is False:
        values.append(("actual", "nothing there"))
    tone = TONES.get(node["role"], "dim")
    yield Line(depth, mark_of(node), tone, " ".join(filter(None, what)), values)
    for child in node.get("children", ()):
        yield from _lines(child, depth + 1)


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
