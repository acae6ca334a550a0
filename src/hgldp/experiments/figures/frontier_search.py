"""The frontier while it searches in a listed domain: three epochs as the server sees them, and what adds up."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hgldp.experiments.figures.log_axis import plain_numbers
from hgldp.experiments.figures.look import SEQUENCE
from hgldp.experiments.figures.panels import SMALL
from hgldp.experiments.frontier_trace import ListedMoment, watch_listed
from hgldp.schemes.pfr import PFR
from hgldp.simulation.generators import parse_generator
from hgldp.simulation.metrics import exact_top

STREAM, EPSILON, CELLS, MEMORY, SEED = "zipf:n=200000,d=10000,s=1.1", 2.0, 64, 4096, 1
NAMED, K, RARE_SHARE = 5, 10, 0.999
SHOWN = (0, 1, -1)
PLAIN, PALE, INK = "#BDBDBD", "#EAF3FA", "#333333"
SIZE, BAR = (11.0, 6.6), 2.3


def draw_search() -> Figure:
    """A run with a fixed seed; colours are the true five most frequent items, which the server does not know."""
    made = parse_generator(STREAM)
    stream = made.draw(np.random.default_rng(SEED))
    truth = np.bincount(stream, minlength=made.d)
    top = exact_top(truth, K)
    moments = watch_listed(PFR(made.d, CELLS, EPSILON), stream, memory=MEMORY, k=K, seed=SEED)
    figure = Figure(figsize=SIZE)
    places = figure.add_gridspec(2, 6, left=0.06, right=0.985, top=0.92, bottom=0.085, hspace=0.5, wspace=1.1)
    for column, number in enumerate(SHOWN):
        panel = figure.add_subplot(places[0, 2 * column : 2 * column + 2])
        _draw_epoch(panel, moments[number], top, range(1, len(moments) + 1)[number])
    _draw_evidence(figure.add_subplot(places[1, :4]), moments, top)
    _draw_found(figure.add_subplot(places[1, 4:]), moments, top)
    for panel in figure.axes:
        panel.spines[["top", "right"]].set_visible(False)
        panel.tick_params(labelsize=SMALL - 1)
    return figure


def _draw_epoch(panel: Axes, moment: ListedMoment, top: list[int], number: int) -> None:
    """The debiased share of each symbol; a search cell less the mean of all search cells."""
    tracked, measured = len(moment.bulletin.leaves), moment.measured
    shares = 100 * np.concatenate((measured.shares.astype(np.float64), measured.cell_shares))
    _draw_bars(panel, shares)
    for rank, item in reversed(list(enumerate(top[:NAMED]))):
        symbol = moment.bulletin.symbol(item)
        panel.bar(symbol, shares[symbol], color=SEQUENCE[rank], width=0.85)
        panel.annotate(
            str(rank + 1), (symbol, max(0, shares[symbol])), (0, 1), textcoords="offset points", ha="center", fontsize=7
        )
    panel.axhline(0, color=INK, linewidth=0.7)
    if tracked:
        panel.axvspan(-0.6, tracked - 0.5, color=PALE, zorder=0)
    _, high = panel.get_ylim()
    height = 1.05 * high
    panel.set_ylim(top=1.18 * high)
    for text, place in (("tracked items", tracked / 2), ("search cells", (tracked + CELLS) / 2)):
        if text == "search cells" or tracked:
            panel.text(place, height, text, ha="center", fontsize=SMALL - 1, color=INK)
    panel.set_xlim(-0.6, CELLS - 0.4)
    panel.set_title(f"epoch {number}: {measured.reports:,} reports", fontsize=10)
    panel.set_xlabel("symbol (number)", fontsize=SMALL)
    panel.set_ylabel("measured (% of reports)", fontsize=SMALL)


def _draw_bars(panel: Axes, heights: NDArray[np.float64]) -> None:
    """All grey bars as one path, which keeps the picture small."""
    across = np.repeat(np.arange(CELLS), 3)
    up = np.column_stack((np.zeros(CELLS), heights, np.full(CELLS, np.nan))).ravel()
    panel.plot(across, up, color=PLAIN, linewidth=BAR, solid_capstyle="butt", zorder=1)


def _draw_evidence(panel: Axes, moments: list[ListedMoment], top: list[int]) -> None:
    """Each item's mean over its own standard deviation, and how far luck takes the others."""
    seen = [moment.measured.end for moment in moments]
    sure = np.array([moment.evidence.mean / moment.evidence.deviation for moment in moments])
    others = np.delete(sure, top, axis=1)
    panel.fill_between(
        seen,
        np.quantile(others, 1 - RARE_SHARE, axis=1),
        np.quantile(others, RARE_SHARE, axis=1),
        color=PLAIN,
        alpha=0.6,
        linewidth=0,
        label="99.8 % of all other items",
    )
    for rank, item in enumerate(top):
        named = rank < NAMED
        label = f"true rank {rank + 1}" if named else f"true ranks {NAMED + 1} to {K}" if rank == NAMED else None
        colour = SEQUENCE[rank] if named else INK
        panel.plot(seen, sure[:, item], color=colour, linewidth=1.8 if named else 0.8, label=label)
    panel.set_xscale("log")
    panel.set_yscale("symlog", linthresh=10)
    panel.set_yticks([-5, 0, 5, 10, 30, 100], ["−5", "0", "5", "10", "30", "100"])
    panel.set_ylim(-8, 400)
    plain_numbers(panel.xaxis)
    panel.set_title("all epochs added up: the true top rises out of the noise", fontsize=10)
    panel.set_xlabel("reports so far (number)", fontsize=SMALL)
    panel.set_ylabel("evidence (standard deviations)", fontsize=SMALL)
    panel.legend(frameon=False, fontsize=SMALL - 1, ncols=2, loc="upper left")


def _draw_found(panel: Axes, moments: list[ListedMoment], top: list[int]) -> None:
    """How much of the top is tracked in an epoch, and how much is in the answer at its end."""
    seen, best = [moment.measured.end for moment in moments], set(top)
    tracked = [len(best & set(moment.bulletin.leaves)) for moment in moments]
    answered = [len(best & set(moment.answer)) for moment in moments]
    panel.plot(seen, tracked, color=SEQUENCE[0], marker="o", markersize=4, linewidth=1.4, label="tracked")
    panel.plot(seen, answered, color=SEQUENCE[1], marker="s", markersize=4, linewidth=1.4, label="in the answer")
    panel.set_xscale("log")
    plain_numbers(panel.xaxis)
    panel.set_ylim(-0.3, K + 0.4)
    panel.set_title(f"of the true top {K}", fontsize=10)
    panel.set_xlabel("reports so far (number)", fontsize=SMALL)
    panel.set_ylabel("items (number)", fontsize=SMALL)
    panel.legend(frameon=False, fontsize=SMALL - 1, loc="lower right")
