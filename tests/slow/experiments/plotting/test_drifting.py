"""The picture of the streams that drift."""

import numpy as np

from hgldp.experiments.plotting.drifting import draw_drifting, shares_over_time, shown_items
from hgldp.experiments.plotting.look import as_svg
from hgldp.simulation.drift import DRIFTS, STEPS


def test_every_kind_has_a_panel_with_eight_lines() -> None:
    figure = draw_drifting()
    assert [panel.get_title().partition(",")[0] for panel in figure.axes] == list(DRIFTS)
    assert {len(panel.get_lines()) for panel in figure.axes} == {8}
    assert as_svg(figure) == as_svg(draw_drifting())


def test_shares_add_up_to_one_in_every_step() -> None:
    shares = shares_over_time(DRIFTS["births"], 1)
    assert shares.shape == (20_000, STEPS)
    assert np.allclose(shares.sum(axis=0), 1.0)


def test_the_bursts_are_among_the_lines() -> None:
    shares = shares_over_time(DRIFTS["bursts"], 1)
    peaks = shares[shown_items(shares)].max(axis=1) / np.median(shares[shown_items(shares)], axis=1)
    assert (peaks > 100).sum() == 4
