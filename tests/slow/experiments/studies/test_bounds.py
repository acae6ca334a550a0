"""The theorems' bounds by hand, what they promise where it can be checked, and where they promise nothing."""

from math import exp, log, sqrt

import numpy as np
import pytest

from hgldp.experiments.studies.bounds import PICTURE, bdr_bound, bgr_bound
from tests.slow.experiments.made_results import made


def test_the_bound_on_bgr_is_the_printed_formula():
    t = 5000
    d = 50
    epsilon = 1.5
    alpha = 0.01
    beta = 0.1
    printed = (sqrt(2 * t * log(2 / beta)) + alpha * t) * (exp(epsilon) + d - 1) / (exp(epsilon) - 1)
    assert bgr_bound(reports=t, domain_size=d, epsilon=epsilon, alpha=alpha, beta=beta) == pytest.approx(printed)


def test_the_bound_on_bdr_is_the_printed_formula_with_t_under_the_root():
    t = 5000
    k = 20
    one = 0.5
    two = 1.0
    alpha = 0.01
    beta = 0.1
    factor = (exp(one) + 1) * (exp(two) + k - 1) / (exp(one) * (exp(two) - 1))
    printed = (3 * sqrt(t * log(3 / beta) / 2) + alpha * t) * factor
    assert bdr_bound(reports=t, cells=k, judge=one, value=two, alpha=alpha, beta=beta) == pytest.approx(printed)


def test_grr_without_any_store_is_underestimated_within_the_bound_as_often_as_promised():
    """Beta = 0.2, 2,000 draws: the share beyond the bound is below it with a false-alarm rate far below 1e-6."""
    t = 5000
    f = 800
    d = 20
    epsilon = 1.0
    beta = 0.2
    p, q = exp(epsilon) / (exp(epsilon) + d - 1), 1 / (exp(epsilon) + d - 1)
    drawn = np.random.default_rng(5)
    seen = drawn.binomial(f, p, 2000) + drawn.binomial(t - f, q, 2000)
    lost = f - (seen - t * q) / (p - q)
    bound = bgr_bound(reports=t, domain_size=d, epsilon=epsilon, alpha=0, beta=beta)
    assert (lost > bound).mean() <= beta
    assert (lost > bound / 20).mean() > beta


def test_the_bound_on_bgr_grows_with_the_domain_and_that_on_bdr_does_not_know_it():
    small, large = (bgr_bound(reports=1000, domain_size=d, epsilon=1.0, alpha=0, beta=0.05) for d in (10_000, 40_000))
    assert large / small == pytest.approx(4, rel=1e-3)


def test_more_for_naming_lowers_the_bound_on_bdr():
    bounds = [
        bdr_bound(reports=1000, cells=20, judge=2 * share, value=2 * (1 - share), alpha=0, beta=0.05)
        for share in (2 / 3, 1 / 2, 1 / 3, 1 / 10)
    ]
    assert bounds == sorted(bounds, reverse=True)


def test_the_figure_has_both_bounds_and_four_measured_lines_in_every_panel():
    figure = PICTURE.draw(made().where(warmup="1%").with_no_settings_but("variant", "cells"))
    panels = [axes for axes in figure.axes if axes.get_lines()]
    assert len(panels) == 6
    for panel in panels:
        assert len(panel.get_lines()) == 6
        assert "(nats)" in panel.get_xlabel()
        assert "(events)" in panel.get_ylabel()
    assert len(figure.legends[0].get_texts()) == 6
