"""What paired cells say: rates over cells, the square of steady cells, and what would show more."""

import math
from statistics import mean, variance

import pytest
from scipy import stats

from queries import difference
from queries.paired_tests import Stratum

STEADY = [
    Stratum(3, 3, 3, 3, 5),
    Stratum(3, 3, 0, 3, 2),
    Stratum(0, 3, 3, 3),
    Stratum(0, 3, 0, 3, 4),
    Stratum(2, 3, 3, 3, 3),
]


def test_every_cell_counts_once() -> None:
    found = difference.measure([Stratum(1, 1, 0, 1), Stratum(0, 9, 9, 9)])

    assert (found.base_rate, found.current_rate) == (0.5, 0.5)
    assert (found.base_passed, found.base_trials) == (1, 10)
    assert (found.current_passed, found.current_trials) == (9, 10)
    assert found.base_size == pytest.approx(4 / (1 + 1 / 9))


def test_steady_cells_make_a_square_and_wavering_ones_stand_apart() -> None:
    found = difference.measure(STEADY)

    assert found.cells == 15
    assert (found.both, found.only_base, found.only_current, found.neither, found.unstable) == (
        *(5, 2, 1, 4),
        3,
    )


def test_the_interval_for_other_cells_is_that_of_a_paired_t() -> None:
    changes = [0.0] * 5 + [-1.0] * 2 + [1.0] + [0.0] * 4 + [1 / 3] * 3
    low, high = stats.t.interval(0.95, len(changes) - 1, mean(changes), stats.sem(changes))
    found = difference.measure(STEADY)

    assert found.difference == pytest.approx(mean(changes))
    assert (found.items_low, found.items_high) == pytest.approx((low, high))


def test_the_smallest_difference_that_could_have_been_shown() -> None:
    strata = [Stratum(8, 10, 9, 10, 10), Stratum(6, 10, 9, 10, 10)]
    changes = [0.1] * 10 + [0.3] * 10
    noise = mean([0.16 / 9 + 0.09 / 9] * 10 + [0.24 / 9 + 0.09 / 9] * 10)
    total = max(variance(changes), noise)
    found = difference.measure(strata)

    assert found.detectable == pytest.approx(2.8015852 * math.sqrt(total / 20))
    assert (found.helps, found.more_cells, found.more_repetitions) == ("repetitions", None, None)


def test_more_repetitions_help_where_the_cells_alone_are_not_too_different() -> None:
    strata = [Stratum(2, 4, 2, 4, 20), Stratum(2, 4, 3, 4, 10)]
    found = difference.measure(strata)

    assert found.helps == "repetitions"
    assert found.more_repetitions is not None
    more = [
        each._replace(**{name: value * 20 for name, value in each._asdict().items()})
        for each in strata
    ]
    again = difference.measure([each._replace(cells=each.cells // 20) for each in more])
    assert again.detectable is not None
    assert found.detectable is not None
    assert again.detectable < found.detectable


def test_more_cells_help_where_the_cells_differ() -> None:
    found = difference.measure([Stratum(9, 9, 0, 9, 3), Stratum(0, 9, 9, 9, 2)])

    assert (found.helps, found.more_repetitions) == ("cells", None)
    assert found.more_cells is not None
    assert found.more_cells > 0


def test_one_repetition_says_unknown_and_never_zero() -> None:
    found = difference.measure([Stratum(1, 1, 0, 1, 2), Stratum(1, 1, 1, 1, 8)])

    assert found.test == "exact McNemar"
    assert found.helps is None
    assert found.more_repetitions is None


@pytest.mark.parametrize("strata", [[Stratum(3, 3, 3, 3, 9)], [Stratum(2, 3, 1, 3)]])
def test_what_does_not_vary_or_is_alone_has_no_detectable_difference(
    strata: list[Stratum],
) -> None:
    assert difference.measure(strata).detectable is None


def test_nothing_discordant_is_no_test() -> None:
    found = difference.measure([Stratum(3, 3, 3, 3, 9)])

    assert (found.test, found.p, found.items_low) == (None, None, None)


def test_the_order_of_strata_changes_no_bit() -> None:
    assert difference.measure(STEADY) == difference.measure(STEADY[::-1])
