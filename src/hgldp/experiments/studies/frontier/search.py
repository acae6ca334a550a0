"""The frontier while it searches in a listed domain: three epochs as the server sees them, and what adds up."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hgldp.experiments.plotting.axes import plain_numbers
from hgldp.experiments.plotting.look import SEQUENCE
from hgldp.experiments.plotting.panels import SMALL
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.randomness import derive_seed
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.simulation.generators import parse_generator
from hgldp.simulation.hot_list import SERVER
from hgldp.simulation.metrics import exact_top
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.epoch import SealedEpoch

STREAM = "zipf:n=200000,d=10000,s=1.1"
EPSILON = 2.0
CELLS = 64
MEMORY = 4096
SEED = 1
NAMED = 5
K = 10
RARE_SHARE = 0.999
SHOWN = (0, 1, -1)
PLAIN = "#BDBDBD"
PALE = "#EAF3FA"
INK = "#333333"
SIZE, BAR = (11.0, 6.6), 2.3


@dataclass(frozen=True)
class ListedEpoch:
    """The end of an epoch in a listed domain: every item's `evidence` in standard deviations, and the best k."""

    bulletin: FrontierBulletin
    measured: SealedEpoch
    evidence: NDArray[np.float64]
    answer: tuple[int, ...]


def trace_listed(scheme: PFR, stream: NDArray[np.int32], *, memory: int, k: int, seed: int) -> list[ListedEpoch]:
    """Every epoch of a run, the last one as long as the stream allows."""
    store = Frontier(scheme, memory=memory, seed=derive_seed(seed, SERVER))
    everybody = np.arange(scheme.domain_size)
    epochs = []
    position = 0
    while position < stream.size:
        bulletin, end = store.bulletin, position + store.epoch_length
        follow(scheme, store, stream[position:end], derive_seed(seed, position))
        answer = tuple(line.item for line in store.estimates(k))
        share, deviation = store.shares(everybody)
        epochs.append(ListedEpoch(bulletin, store.epochs[-1], share / deviation, answer))
        position = end
    return epochs


def draw_search() -> Figure:
    """A run with a fixed seed; colours are the true five most frequent items, which the server does not know."""
    made = parse_generator(STREAM)
    stream = made.draw(np.random.default_rng(SEED))
    truth = np.bincount(stream, minlength=made.d)
    top = exact_top(truth, K)
    epochs = trace_listed(PFR(made.d, CELLS, EPSILON), stream, memory=MEMORY, k=K, seed=SEED)
    figure = Figure(figsize=SIZE)
    places = figure.add_gridspec(2, 6, left=0.06, right=0.985, top=0.92, bottom=0.085, hspace=0.5, wspace=1.1)
    for column, number in enumerate(SHOWN):
        panel = figure.add_subplot(places[0, 2 * column : 2 * column + 2])
        _draw_epoch(panel, epochs[number], top, range(1, len(epochs) + 1)[number])
    _draw_evidence(figure.add_subplot(places[1, :4]), epochs, top)
    _draw_found(figure.add_subplot(places[1, 4:]), epochs, top)
    for panel in figure.axes:
        panel.spines[["top", "right"]].set_visible(False)
        panel.tick_params(labelsize=SMALL - 1)
    return figure


def _draw_epoch(panel: Axes, epoch: ListedEpoch, top: list[int], number: int) -> None:
    """The debiased share of each symbol; a search cell less the mean of all search cells."""
    tracked, measured = len(epoch.bulletin.leaves), epoch.measured
    shares = 100 * np.concatenate((measured.shares, measured.cell_shares))
    _draw_bars(panel, shares)
    for rank, item in reversed(list(enumerate(top[:NAMED]))):
        symbol = epoch.bulletin.symbol(item)
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


def _draw_evidence(panel: Axes, epochs: list[ListedEpoch], top: list[int]) -> None:
    """Each item's mean over its own standard deviation, and how far luck takes the others."""
    seen = [epoch.measured.end for epoch in epochs]
    sure = np.array([epoch.evidence for epoch in epochs])
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


def _draw_found(panel: Axes, epochs: list[ListedEpoch], top: list[int]) -> None:
    """How much of the top is tracked in an epoch, and how much is in the answer at its end."""
    seen, best = [epoch.measured.end for epoch in epochs], set(top)
    tracked = [len(best & set(epoch.bulletin.leaves)) for epoch in epochs]
    answered = [len(best & set(epoch.answer)) for epoch in epochs]
    panel.plot(seen, tracked, color=SEQUENCE[0], marker="o", markersize=4, linewidth=1.4, label="tracked")
    panel.plot(seen, answered, color=SEQUENCE[1], marker="s", markersize=4, linewidth=1.4, label="in the answer")
    panel.set_xscale("log")
    plain_numbers(panel.xaxis)
    panel.set_ylim(-0.3, K + 0.4)
    panel.set_title(f"of the true top {K}", fontsize=10)
    panel.set_xlabel("reports so far (number)", fontsize=SMALL)
    panel.set_ylabel("items (number)", fontsize=SMALL)
    panel.legend(frameon=False, fontsize=SMALL - 1, loc="lower right")
