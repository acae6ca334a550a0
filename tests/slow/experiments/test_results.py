"""Results are chosen, averaged and split; failed ones never count."""

import numpy as np
import pytest
from scipy import stats

from hgldp.errors import InvalidField
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.results import Results, Row, student_95


def row(scheme: str, epsilon: float, seed: int, ndcg: float, **settings: str | int | float) -> Row:
    return Row(Measurement("retail", scheme, epsilon, seed, settings=tuple(settings.items())), {"ndcg": ndcg})


BROKEN = Row(Measurement("retail", "dsr", 1.0, 9), failure="ValueError: planted")
RESULTS = Results.of(
    [
        row("dsr", 1.0, 1, 0.4),
        row("dsr", 1.0, 2, 0.6),
        row("dsr", 2.0, 1, 0.8),
        row("dsr", 2.0, 1, 0.1, variant="as-published", cells=20),
        row("warmup", 0.0, 1, 0.7),
        BROKEN,
    ]
)


def test_conditions_choose_by_field_setting_and_several_values() -> None:
    assert RESULTS.where(scheme="dsr", epsilon=1.0).values("ndcg").tolist() == [0.4, 0.6]
    assert RESULTS.where(scheme="dsr", epsilon=(1.0, 2.0), variant="default").values("ndcg").tolist() == [0.4, 0.6, 0.8]
    assert RESULTS.where(cells=20).values("ndcg").tolist() == [0.1]
    assert RESULTS.where(scheme="dsr", cells=None).values("ndcg").tolist() == [0.4, 0.6, 0.8]
    assert len(RESULTS.where(scheme="dsr").with_no_settings_but()) == 3
    assert len(RESULTS.where(scheme="dsr").with_no_settings_but("variant")) == 3
    assert len(RESULTS.where(scheme="dsr").with_no_settings_but("variant", "cells")) == 4


def test_what_spends_no_budget_stands_beside_every_budget() -> None:
    assert RESULTS.where(scheme="warmup", epsilon=2.0).mean("ndcg") == 0.7


def test_a_failed_row_is_kept_apart_and_never_averaged() -> None:
    assert [one.failure for one in RESULTS.failed] == ["ValueError: planted"]
    assert len(RESULTS) == 5
    assert RESULTS.where(scheme="dsr", epsilon=1.0).mean("ndcg") == pytest.approx(0.5)
    assert len(RESULTS.where(scheme="dsr", epsilon=1.0).failed) == 1
    assert len(RESULTS.where(scheme="warmup").failed) == 0
    assert len(RESULTS.among([BROKEN.measurement]).failed) == 1


def test_the_band_is_students_interval() -> None:
    values = np.array([0.4, 0.6])
    mean, low, high = RESULTS.where(scheme="dsr", epsilon=1.0).band("ndcg")
    expected = stats.t.interval(0.95, 1, values.mean(), stats.sem(values))
    assert (mean, low, high) == pytest.approx((0.5, *expected), rel=1e-3)
    assert RESULTS.where(cells=20).band("ndcg") == (0.1, 0.1, 0.1)


@pytest.mark.parametrize("freedom", [1, 2, 9, 10, 11, 19, 50, 1000])
def test_students_factor_is_right_to_three_digits(freedom: int) -> None:
    assert student_95(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=2e-3)


def test_an_average_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidField, match="ndcg"):
        RESULTS.where(scheme="bgr").mean("ndcg")


def test_splitting_goes_in_ascending_order_and_loses_nothing() -> None:
    parts = RESULTS.where(scheme="dsr").by("epsilon")
    assert list(parts) == [1.0, 2.0]
    assert sum(map(len, parts.values())) == 4
    assert list(RESULTS.by("cells")) == [None, 20]
    assert len(parts[1.0] + parts[2.0]) == 4
