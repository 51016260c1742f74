import numpy as np
import pytest

from benchmarks.coverage import LEAST, SETTINGS, Setting, measure, table


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_intervals_hold_the_rate_they_are_about(setting: Setting) -> None:
    found = measure(setting, 2_000, np.random.default_rng(1))

    assert min(found.again, found.again_mean, found.items) >= LEAST


def test_an_interval_that_ignores_items_is_too_narrow_for_other_items() -> None:
    assert measure(SETTINGS[3], 1_000, np.random.default_rng(1)).pooled < 0.8


def test_the_same_seed_gives_the_same_table() -> None:
    assert table(50, 3) == table(50, 3)
