"""The measurement of every command and page, in a small size."""

from pathlib import Path

import pytest

from benchmarks import pages, scale
from benchmarks.generate import FULL, Size, generate, of_checks
from benchmarks.limits import verdict
from ingest.store import TableName, open_reader

SIZE = Size(runs=8, items=3, repetitions=4)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "store.duckdb"
    generate(path, SIZE)
    return path


def test_the_same_seed_gives_the_same_store(store: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.duckdb"
    generate(other, SIZE)

    tables: tuple[TableName, ...] = ("trial", "turn", "check", "vote", "definition")
    for table in tables:
        found = []
        for each in (store, other):
            with open_reader(each) as reader:
                found.append(reader.frame(table).hash_rows().sort())
        assert len(found[0]) > 0
        assert found[0].equals(found[1]), table


def test_a_store_without_payloads_counts_the_same(store: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.duckdb"
    generate(bare, SIZE._replace(payloads=False))

    heights: list[list[int]] = []
    texts: tuple[int, ...] = ()
    for each in (store, bare):
        with open_reader(each) as reader:
            heights.append([reader.frame(name, ("run",)).height for name in ("trial", "check")])
            texts = reader.ask("SELECT sum(bytes)::BIGINT, count(observation) FROM turn", {}).row(0)
    assert heights[0] == heights[1]
    assert texts == (0, 0)


def test_a_number_of_checks_gives_a_number_of_runs() -> None:
    assert of_checks(10_000_000).runs == pytest.approx(FULL.runs, rel=0.1)
    assert of_checks(100_000_000).runs == pytest.approx(10 * FULL.runs, rel=0.1)


@pytest.mark.parametrize("words", [("runs",), ("variance",), ("gate",)])
def test_a_command_can_be_measured(store: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    chosen = next(
        each for each in scale.commands(store, tmp_path) if each.words[: len(words)] == words
    )
    taken = scale.measure(store, chosen, tmp_path)

    assert taken.wall > 0
    assert taken.peak > 30
    assert taken.size > 0


@pytest.mark.parametrize("title", ["Runs", "Compare", "Judges", "Case of a filtered list"])
def test_a_page_can_be_measured_in_a_process_of_its_own(store: Path, title: str) -> None:
    taken = pages.Taken(*pages.apart(store, title))

    assert taken.first > 0
    assert 0 < taken.again < taken.first


def test_all_pages_can_be_served_by_one_process(store: Path) -> None:
    assert 0.05 < pages.apart(store) < pages.MEMORY


def test_a_limit_is_kept_or_missed() -> None:
    assert verdict((0.9, 0.5, 1.0), (0.1, 0.1, 0.5)) == "pass"
    assert verdict((0.9, 0.5, 1.0), (0.6, 0.6, 0.5)) == "miss"
