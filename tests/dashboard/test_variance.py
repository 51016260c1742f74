"""The variance page: how steady each cell is, by how many ways it passes."""

import re
from pathlib import Path

from dashboard import charts, wording
from tests.dashboard.conftest import Opened
from tests.dashboard.reading import links, markup, text, words
from tests.dashboard.said import said
from tests.dashboard.stored import run_of

SAMPLE = "2026-11-02-loans-x4-swift-model.json"
DESK = "library-desk.swift-model.json"


def lines(page: str, kind: str) -> list[str]:
    return [words(one) for one in re.findall(rf'<tr id="{kind}-.*?</tr>', page, re.DOTALL)]


def test_the_page_says_what_the_command_line_says(opened: Opened, samples: Path) -> None:
    for file in (SAMPLE, DESK):
        run = run_of(samples, file)
        page = opened(samples, "variance", run=run)
        found = said(samples, "variance", "--run", run)

        assert not page.exception
        drawn = {one.split(" ", 1)[0]: one for one in lines(markup(page), "category")}
        assert len(lines(markup(page), "category")) == len(found["categories"])
        for row in found["categories"]:
            line = drawn[wording.category(row["category"]).split(" ")[0]]
            assert f"{row['always_passed']} {row['never_passed']} {row['mixed']}" in line
            assert wording.percent(row["pair_disagreement"]) in line
        cells = lines(markup(page), "cell")
        assert len(cells) == len(found["cells"])
        for row in found["cells"]:
            own = [one for one in cells if f"{row['passed']}/{row['measured']}" in one]
            assert any(one.startswith(row["item"]) for one in own)


def test_letters_tell_ways_apart(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SAMPLE)
    page = markup(opened(samples, "variance", run=run))
    found = {row["item"]: row for row in said(samples, "variance", "--run", run)["cells"]}

    for line in re.findall(r'<tr id="cell-.*?</tr>', page, re.DOTALL):
        item = words(line).split(" ")[0]
        letters = set(re.findall(r"<sub[^>]*>(\w+)</sub>", line))
        assert len(letters) == found[item]["distinct_behaviours"]
        assert "A" in letters


def test_an_open_cell_holds_its_behaviours_against_the_commonest(
    opened: Opened, samples: Path
) -> None:
    for file in (SAMPLE, DESK):
        run = run_of(samples, file)
        page = opened(samples, "variance", run=run)
        (opens, *_) = [one for one in links(page, "variance?") if "#open" in one]
        cell = re.findall(r"cell=([\w-]+)", opens)[0]

        shown = opened(samples, "variance", run=run, cell=cell)

        assert not shown.exception
        assert "behaviours" in text(shown).partition("close")[0]
        assert re.search(r"A \d+ repetition", text(shown))
        assert "<del>" in markup(shown) or "→" in text(shown)


def test_filters_and_unknown_cells(opened: Opened, samples: Path) -> None:
    run = run_of(samples, SAMPLE)

    flaky = opened(samples, "variance", run=run, show="flaky", cell="nothing")
    none = opened(samples, "variance", run=run, q="zzz")

    assert not flaky.exception
    counted = [row for row in said(samples, "variance", "--run", run)["cells"] if row["flaky"]]
    assert len(lines(markup(flaky), "cell")) == len(counted)
    assert "No cell is like that" in text(none)


def test_charts_show_their_n_and_link_to_what_is_behind_them() -> None:
    row = {
        "panel": "tone · 3 cells",
        "k": 1,
        "any": 0.5,
        "all": 0.5,
        "cells": 3,
        "href": "failures?a",
    }
    curve = charts.attempts([row | {"last": True}]).to_dict()
    flake = charts.flakes(
        [{"rate": 0.5, "differ": 0.5, "cells": 3, "href": "variance?b"}]
    ).to_dict()

    assert curve["facet"]["field"] == "panel"
    layers = curve["spec"]["layer"]
    assert {one["encoding"]["y"]["field"] for one in layers} == {"any", "all"}
    assert layers[0]["encoding"]["href"]["field"] == "href"
    points, labels = flake["layer"]
    assert points["encoding"]["size"]["field"] == "cells"
    assert labels["encoding"]["text"]["field"] == "cells"
    assert points["encoding"]["href"]["field"] == "href"
