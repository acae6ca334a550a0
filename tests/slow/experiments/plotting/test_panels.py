"""How far an axis reaches, and how its numbers are said."""

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.plotting.axes import NEAR_ONE_TICKS
from hgldp.experiments.plotting.look import SCHEMES
from hgldp.experiments.plotting.panels import grid, legend_below, name_axes

LINES = ("bgr", "dsr", "bdr", "cnr", "pfr", "grr", "hr")


def panel(*heights: list[float]) -> tuple[Figure, Axes]:
    figure, (axes,) = grid(1, 1)
    for name, some in zip(LINES, heights, strict=False):
        axes.plot(range(len(some)), some, **SCHEMES[name].style)
    return figure, axes


def test_a_line_far_below_the_others_does_not_take_the_axis() -> None:
    _, axes = panel([0.01, 0.01], [100.0, 900.0], [60.0, 500.0])
    name_axes(axes, "title", "across (unit)", "aae")
    low, high = axes.get_ylim()
    assert 30 < low < 60
    assert 900 < high < 2000


def test_a_line_below_the_others_but_near_stays_on_the_axis() -> None:
    _, axes = panel([10.0, 10.0], [100.0, 900.0])
    name_axes(axes, "title", "across (unit)", "aae")
    assert axes.get_ylim()[0] < 10


@pytest.mark.parametrize(("top", "label"), [(900.0, "1,000"), (2e4, "10 k"), (4e6, "1 M")])
def test_large_numbers_are_said_in_short(top: float, label: str) -> None:
    _, axes = panel([0.9 * top, top])
    name_axes(axes, "title", "across (unit)", "aae")
    axes.figure.draw_without_rendering()
    assert label in {text.get_text() for text in axes.get_yticklabels()}


def test_an_axis_for_shares_near_one_keeps_their_order_and_gives_the_last_tenth_more_room() -> None:
    _, axes = panel([0.0, 1.0])
    name_axes(axes, "title", "across (unit)", "ndcg", near_one=True)
    places = axes.transData.transform([(0.0, tick) for tick in NEAR_ONE_TICKS])[:, 1]
    assert (np.diff(places) > 0).all()
    whole, last = places[-1] - places[0], places[-1] - places[NEAR_ONE_TICKS.index(0.9)]
    assert 0.25 < last / whole < 0.4
    back = axes.transData.inverted().transform([(0.0, place) for place in places])[:, 1]
    assert back == pytest.approx(NEAR_ONE_TICKS)


def test_a_legend_has_no_lonely_long_column() -> None:
    figure, axes = panel(*([[0.1, 0.2]] * len(LINES)))
    figure.set_size_inches(17.0, 3.0)
    name_axes(axes, "title", "across (unit)", "ndcg")
    legend_below(figure, [axes])
    assert figure.legends[0]._ncols == 4
