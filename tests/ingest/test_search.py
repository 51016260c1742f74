"""A text is found wherever a trial holds it, by a scan that can be cut into parts."""

import json
from pathlib import Path

import pytest

from ingest import search, store
from ingest.load import load_paths
from ingest.search import Among, Text

SAMPLES = Path(__file__).parents[2] / "sample_reports"


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("search") / "samples.duckdb"
    load_paths([str(SAMPLES)], path)
    return path


def runs(db: Path) -> tuple[str, ...]:
    with store.open_reader(db) as reader:
        return tuple(reader.frame("run", ("run",))["run"].to_list())


def places(db: Path, text: Text, **among: str) -> list[tuple[int, str]]:
    whole = Among(runs(db), **among)
    with store.open_reader(db) as reader:
        parts = search.ranges(reader, whole.runs)
        found = [search.holding(reader, text, whole, part, 1000) for part in parts]
    return [(row["trial"], row["place"]) for frame in found for row in frame.iter_rows(named=True)]


def expected(db: Path, needle: str) -> set[tuple[int, str]]:
    """The same by reading everything."""
    read = {
        "turn": ("input", "observation", "checkpoint"),
        "check": ("reason",),
        "trial": ("reason",),
        "vote": ("reason", "error"),
    }
    found = set()
    with store.open_reader(db) as reader:
        for table, columns in read.items():
            frame = reader.frame(table)  # type: ignore[arg-type]
            for row in frame.iter_rows(named=True):
                for column in columns:
                    if needle in (row[column] or "").lower() and row["trial"] is not None:
                        found.add((row["trial"], f"{table} {column}"))
    return found


@pytest.mark.parametrize("needle", ["renew", "loan", "the", "exit", "jam"])
def test_every_place_that_holds_a_text_is_found(db: Path, needle: str) -> None:
    assert set(places(db, Text(needle.upper()))) == expected(db, needle)
    assert expected(db, needle)


def test_a_regular_expression_finds_more_than_its_letters(db: Path) -> None:
    assert set(places(db, Text("l[oO]an", regex=True))) == expected(db, "loan")
    assert places(db, Text("l[oO]an")) == []


def test_a_broken_regular_expression_says_so(db: Path) -> None:
    with pytest.raises(ValueError, match="missing"):
        places(db, Text("a(", regex=True))


def test_filters_keep_the_trials_they_name(db: Path) -> None:
    with store.open_reader(db) as reader:
        trials = reader.frame("trial", ("trial", "item", "outcome"))
    failed = set(trials.filter(outcome="failed", item="renew-loan")["trial"])
    found = places(db, Text("loan"), item="renew-loan", outcome="failed")

    assert found
    assert {trial for trial, _ in found} <= failed


def test_a_text_with_quotes_is_found_as_json_writes_it(tmp_path: Path) -> None:
    other = tmp_path / "quotes.duckdb"
    row = json.loads((SAMPLES / "evaluation" / "library-desk.swift-model.json").read_text())
    row["cases"][0]["turns"][0]["input"] = {"text": 'say "cheese"\nplease'}
    file = tmp_path / "quotes.json"
    file.write_text(json.dumps(row))
    load_paths([str(file)], other)

    assert [place for _, place in places(other, Text('"cheese"'))] == ["turn input"]
    with store.open_reader(other) as reader:
        (part,) = search.ranges(reader, runs(other))
        hits = search.holding(reader, Text('"cheese"'), Among(runs(other)), part, 5)
        (excerpt,) = search.excerpts(reader, Text('"cheese"'), hits)
    assert excerpt is not None
    assert excerpt.found == '\\"cheese\\"'
    assert excerpt.before.endswith("say ")


def test_excerpts_show_what_stands_around(db: Path) -> None:
    for text in (Text("renew"), Text("ren.w", regex=True)):
        with store.open_reader(db) as reader:
            (part, *_) = search.ranges(reader, runs(db))
            hits = search.holding(reader, text, Among(runs(db)), part, 20)
            told = list(search.excerpts(reader, text, hits))
        assert hits.height == len(told)
        assert all(one is not None and one.found.lower() == "renew" for one in told)
        assert all(one is not None and len(one.before) <= search.CONTEXT for one in told)


def test_parts_are_cut_by_the_bytes_they_hold(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "RANGE_BYTES", 10_000)
    with store.open_reader(db) as reader:
        parts = search.ranges(reader, runs(db))

    assert len(parts) > 3
    assert set(places(db, Text("loan"))) == expected(db, "loan")
