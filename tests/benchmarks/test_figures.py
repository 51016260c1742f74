from pathlib import Path

import pytest

from benchmarks.figures import FIGURES, measure
from benchmarks.generate import Size, generate


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "store.duckdb"
    generate(path, Size(runs=5, items=3, repetitions=4))
    return path


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_can_be_measured(store: Path, name: str) -> None:
    found = measure(store, name)

    assert found["rows"] > 0
    assert found["seconds"] > 0
    assert found["peak"] < 4
