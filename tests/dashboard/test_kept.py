"""Figures that are kept beside a large store are those that would be counted."""

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from benchmarks.generate import Size, generate
from dashboard import figures, kept, repeated
from ingest.store import Writer

SIZE = Size(runs=10, items=6, repetitions=5)


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A store that counts as large, on which all counting takes long."""
    monkeypatch.setattr(kept, "SMALLEST", 0)
    monkeypatch.setattr(kept, "QUICK", -1.0)
    path = tmp_path / "store.duckdb"
    generate(path, SIZE)
    yield path
    tmp_path.chmod(0o755)


def everything(db: Path, runs: pl.DataFrame) -> list[pl.DataFrame]:
    """Every figure that is kept."""
    rules = figures.rules(None)
    return [
        *figures.runs(db),
        *figures.reliability(db, runs, rules),
        *(figures.breakdown(db, runs, rules, by) for by in ("item", "tag", "axis")),
        *repeated.variance(db, runs, rules),
        *repeated.votes(db, runs, 3),
    ]


def counted(db: Path, runs: pl.DataFrame) -> list[pl.DataFrame]:
    with kept.unused():
        return everything(db, runs)


def same(left: Sequence[pl.DataFrame], right: Sequence[pl.DataFrame]) -> None:
    for one, other in zip(left, right, strict=True):
        assert_frame_equal(one, other, check_exact=True)


def files(db: Path) -> list[Path]:
    return sorted(db.parent.glob(".store.duckdb.figures/*"))


def test_kept_figures_are_the_counted_ones_to_the_last_bit(db: Path) -> None:
    runs = figures.known(db)
    expected = counted(db, runs)
    assert files(db) == []

    everything(db, runs[2:5])
    same(everything(db, runs), expected)
    assert len(files(db)) == 8
    same(everything(db, runs), expected)
    same(everything(db, runs[4:7]), counted(db, runs[4:7]))


def test_only_runs_that_are_not_kept_are_counted(db: Path) -> None:
    runs, asked = figures.known(db), []

    def compute(missing: pl.DataFrame) -> list[pl.DataFrame]:
        asked.append(missing["run"].to_list())
        return [missing.select("run", value=pl.col("run").str.len_chars()).sort("run")]

    for chosen in (runs[:3], runs, runs[5:], runs[:0]):
        (frame,) = kept.figures(db, chosen, "lengths", compute)
        assert frame["run"].to_list() == sorted(chosen["run"])
    assert asked == [runs["run"][:3].to_list(), runs["run"][3:].to_list(), []]


def test_a_run_that_was_loaded_anew_is_counted_anew(db: Path) -> None:
    runs = figures.known(db)
    later = runs.with_columns(pl.col("ingested_at") + pl.duration(seconds=1))

    def one(value: int) -> kept.Compute:
        return lambda missing: [missing.select("run", value=pl.lit(value)).sort("run")]

    kept.figures(db, runs, "value", one(1))
    (frame,) = kept.figures(db, later[:2], "value", one(2))
    assert frame["value"].to_list() == [2, 2]
    (frame,) = kept.figures(db, pl.concat([later[:2], runs[2:]]), "value", one(3))
    assert frame["value"].sum() == 2 * 2 + len(runs) - 2


def test_other_rules_are_other_figures(db: Path, tmp_path: Path) -> None:
    runs = figures.known(db)
    own = tmp_path / "own.toml"
    own.write_text('[[rule]]\ncategory = "user_experience"\ncriterion = "c0"\n')
    shipped = figures.reliability(db, runs, figures.rules(None)).categories
    changed = figures.reliability(db, runs, figures.rules([own])).categories

    assert "user_experience" in changed.filter(pl.col("failures") > 0)["category"]
    assert not shipped.equals(changed)
    assert figures.reliability(db, runs, figures.rules(None)).categories.equals(shipped)


@pytest.mark.parametrize("content", [b"", b"no archive", None])
def test_what_cannot_be_read_is_counted_again(db: Path, content: bytes | None) -> None:
    runs = figures.known(db)
    expected = everything(db, runs)
    for file in files(db):
        if content is None:
            with zipfile.ZipFile(file, "w") as archive:
                archive.writestr("runs.json", '{"loaded": {}, "frames": 3}')
        else:
            file.write_bytes(content)

    same(everything(db, runs), expected)
    assert all(zipfile.is_zipfile(file) for file in files(db))


def test_a_folder_that_cannot_be_written_is_no_obstacle(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever tests as root may write anywhere: the writing itself fails."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    runs = figures.known(db)

    same(everything(db, runs), counted(db, runs))
    assert files(db) == []


def test_forgotten_runs_are_kept_nowhere(db: Path) -> None:
    runs = figures.known(db)
    everything(db, runs)
    gone = runs.row(0, named=True)
    Writer(db).forget(gone["report"])
    kept.prune(db)

    for file in files(db):
        with zipfile.ZipFile(file) as archive:
            held = b"".join(archive.read(name) for name in archive.namelist())
        assert gone["run"].encode() not in held
    left = figures.known(db)
    same(everything(db, left), counted(db, left))


def test_a_small_store_keeps_nothing(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "SMALLEST", 1 << 40)
    everything(db, figures.known(db))

    assert files(db) == []
