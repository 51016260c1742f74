import math

import numpy as np
import polars as pl
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from queries import intervals


def of(**values: float) -> pl.DataFrame:
    return pl.DataFrame([values])


def ends(interval: tuple[pl.Expr, pl.Expr], **values: float) -> tuple[float | None, float | None]:
    low_end, high_end = of(**values).select(low=interval[0], high=interval[1]).row(0)
    return low_end, high_end


def test_beta_quantiles_agree_with_an_independent_implementation() -> None:
    rng = np.random.default_rng(20260901)
    for _ in range(1_000):
        a, b = (10 ** rng.uniform(-0.3, 4.5) for _ in range(2))
        probability = float(rng.choice((0.001, 0.025, 0.05, 0.5, 0.95, 0.975)))

        found = intervals.beta_quantile(probability, a, b)

        assert found == pytest.approx(stats.beta.ppf(probability, a, b), rel=0, abs=1e-10)


@pytest.mark.parametrize("probability", [0.6, 0.95, 0.975, 0.995])
@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 9.5, 49, 199, 1_000, 20_000])
def test_student_quantiles_agree_with_an_independent_implementation(
    probability: float, freedom: float
) -> None:
    found = intervals.t_quantile(probability, freedom)

    assert found == pytest.approx(stats.t.ppf(probability, freedom), rel=1e-10)


@pytest.mark.parametrize("x", [-1, 0, 1e-9, 0.2, 0.5, 0.999, 1, 2])
def test_the_beta_distribution_is_a_distribution(x: float) -> None:
    assert intervals.beta_cdf(x, 2.5, 7) == pytest.approx(stats.beta.cdf(x, 2.5, 7), abs=1e-13)


@pytest.mark.parametrize("probability", [0, 1])
def test_the_extreme_quantiles_are_the_ends(probability: float) -> None:
    assert intervals.beta_quantile(probability, 2, 3) == probability


@pytest.mark.parametrize(
    ("passed", "size"), [(0, 1), (1, 1), (0, 20), (20, 20), (7, 20), (199, 200), (65_000, 70_000)]
)
def test_intervals_of_a_rate_agree_with_an_independent_implementation(
    passed: int, size: int
) -> None:
    wilson = intervals.wilson(pl.col("passed") / pl.col("size"), pl.col("size"))
    exact = intervals.exact(pl.col("passed"), pl.col("size"))

    for found, method in ((wilson, "wilson"), (exact, "beta")):
        reference = proportion_confint(passed, size, method=method)
        # The reference has no number where there is no tail to cut off.
        wanted = [end if math.isfinite(end) else float(i) for i, end in enumerate(reference)]
        assert ends(found, passed=passed, size=size) == pytest.approx(wanted, abs=1e-10)


def test_nothing_observed_has_no_interval() -> None:
    nothing = {"rate": 0.5, "size": 0}

    assert ends(intervals.wilson(pl.col("rate"), pl.col("size")), **nothing) == (None, None)
    assert ends(intervals.exact(pl.col("size"), pl.col("size")), **nothing) == (None, None)


def test_an_interval_always_holds_its_rate() -> None:
    frame = pl.DataFrame({"size": range(1, 400)}).with_columns(
        passed=pl.int_ranges(0, pl.col("size") + 1)
    )
    rate = pl.col("passed") / pl.col("size")
    low, high = intervals.wilson(rate, pl.col("size"))

    assert frame.explode("passed").select(((low <= rate) & (rate <= high)).all()).item()


def test_large_counts_do_not_wrap() -> None:
    size = 70_000 * 65_536
    low, high = ends(
        intervals.wilson(pl.col("passed") / pl.col("size"), pl.col("size")),
        passed=size // 2,
        size=size,
    )

    assert low == pytest.approx(0.5, abs=1e-4)
    assert high == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize(("repetitions", "limit"), [(5, 0.45), (10, 0.26), (20, 0.14)])
def test_stable_so_far_is_not_stable(repetitions: int, limit: float) -> None:
    found = of(R=repetitions).select(intervals.stable_so_far(pl.col("R"), pl.col("R"))).item()

    assert found == pytest.approx(limit, abs=0.005)


@pytest.mark.parametrize("passed", [0, 4])
def test_stable_so_far_is_said_of_what_always_passed(passed: int) -> None:
    limit = intervals.stable_so_far(pl.col("passed"), pl.lit(5))

    assert of(passed=passed).select(limit).item() is None


def correlation(results: list[tuple[int, int]]) -> float:
    """Correlation of items given as (passed, repetitions)."""
    within = sum(c * (r - c) / r for c, r in results)
    total, passed = sum(r for _, r in results), sum(c for c, _ in results)
    sums = {"within": within, "total": total, "passed": passed, "items": len(results)}
    expression = intervals.correlation(*(pl.col(name) for name in sums))
    return float(of(**sums).select(expression).item())


@pytest.mark.parametrize(
    ("results", "alike"),
    [
        ([(5, 5), (0, 5)], 1.0),
        ([(5, 5), (5, 5)], 1.0),
        ([(1, 1), (0, 1)], 1.0),
        ([(2, 4), (2, 4)], 0.0),
        ([(3, 4), (1, 4)], 0.0),
        ([(4, 5), (0, 5)], 1 - 0.8 / (8 * 0.24)),
    ],
)
def test_trials_of_an_item_are_as_alike_as_their_results(
    results: list[tuple[int, int]], alike: float
) -> None:
    assert correlation(results) == pytest.approx(alike)


@pytest.mark.parametrize(
    ("items", "found", "used"), [(10, 0.0, 0.3), (10, 0.6, 0.6), (100, 0.0, 0.0)]
)
def test_few_items_are_not_believed_a_low_correlation(
    items: int, found: float, used: float
) -> None:
    frame = of(found=found, items=items)

    assert frame.select(intervals.assumed(pl.col("found"), pl.col("items"))).item() == used


@pytest.mark.parametrize(("items", "quantile"), [(1, None), (2, 12.706204736174698)])
def test_one_item_has_no_quantile(items: int, quantile: float | None) -> None:
    found = of(items=items).select(intervals.t_of(pl.col("items"))).item()

    assert found == (quantile and pytest.approx(quantile, rel=1e-10))
