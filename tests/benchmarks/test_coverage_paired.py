import numpy as np
import pytest

from benchmarks.coverage_paired import EXACT, LEAST, MOST, SETTINGS, Setting, measure, table


@pytest.mark.parametrize("setting", [SETTINGS[1], SETTINGS[6], SETTINGS[9]], ids=str)
def test_equal_sides_are_found_different_as_often_as_the_level_says(setting: Setting) -> None:
    found = measure(setting, 600, np.random.default_rng(1))

    # Two standard errors of a share of .05 among 600.
    assert (0.0 if found.tests == EXACT else LEAST - 0.018) <= found.false_alarms <= MOST + 0.018
    assert found.held >= 0.94


def test_the_same_seed_gives_the_same_table() -> None:
    assert table(5, 3) == table(5, 3)
