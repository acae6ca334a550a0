"""What each drifting generator does: the shares of a few items along the stream."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from hgldp.experiments.plotting.look import MARKERS, SEQUENCE
from hgldp.experiments.plotting.panels import SMALL, grid
from hgldp.simulation.drift import DRIFTS, STEPS, Drift

SEED = 1
LARGEST, MOST_CHANGED = 4, 4
COLUMNS = 3
EVERY = STEPS // 8


def shares_over_time(drift: Drift, seed: int) -> NDArray[np.float64]:
    """The exact share of every item in every step, by item."""
    rates = drift.law(drift.d, drift.shape, np.random.default_rng(seed))
    shares = np.empty((drift.d, STEPS), np.float64)
    for step in range(STEPS):
        now = rates(step / STEPS)
        shares[:, step] = now / now.sum()
    return shares


def shown_items(shares: NDArray[np.float64]) -> list[int]:
    """The four most frequent of the whole stream, and of the others the four whose share changes most.

    >>> shown_items(np.array([[0.4, 0.4], [0.1, 0.1], [0.2, 0.3], [0.2, 0.15], [0.1, 0.05]]))
    [0, 2, 3, 1, 4]
    """
    largest = np.argsort(-shares.sum(axis=1), kind="stable")[:LARGEST].tolist()
    change = shares.max(axis=1) - shares.min(axis=1)
    change[largest] = -1.0
    others = np.argsort(-change, kind="stable")[: min(MOST_CHANGED, change.size - len(largest))].tolist()
    return [int(item) for item in largest + others]


def draw_drifting() -> Figure:
    """One panel a kind, with its defaults and a fixed seed; a colour is a place in the list, not an item."""
    figure, panels = grid(len(DRIFTS), COLUMNS)
    for panel, (kind, drift) in zip(panels, DRIFTS.items(), strict=True):
        shares = shares_over_time(drift, SEED)
        for place, item in enumerate(shown_items(shares)):
            panel.plot(
                np.arange(STEPS) / STEPS,
                shares[item],
                color=SEQUENCE[place],
                linewidth=1.2,
                marker=MARKERS[place],
                markersize=3.5,
                markevery=(place * EVERY // len(SEQUENCE), EVERY),
            )
        panel.set_title(f"{kind}, {drift.parameter} = {drift.shape:g}", fontsize=10)
        panel.set_xlabel("part of the stream", fontsize=SMALL)
        panel.set_ylabel("share of the events", fontsize=SMALL)
        panel.set_ylim(bottom=0)
        for axis in (panel.xaxis, panel.yaxis):
            axis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    figure.tight_layout()
    return figure
