"""The frontier while it spells out strings that nobody listed: the tree of prefixes at four epochs."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from hgldp.experiments.plotting.look import SEQUENCE
from hgldp.experiments.plotting.panels import SMALL
from hgldp.experiments.plotting.prefix_tree import Branch, MeasuredCell, StringEpoch, grow, spread
from hgldp.model.domain import StringDomain
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.simulation.strings import spell
from hgldp.stores.strings import OpenFrontier

COMMON = {
    "weather": 16,
    "weather today": 7,
    "train times": 12,
    "train tickets": 6,
    "tea": 9,
    "news": 11,
    "new shoes": 4,
    "maté": 8,
}
RARE, RARE_WEIGHT = 2000, 27
SYLLABLES = ("ba", "co", "di", "fu", "ge", "hi", "ka", "lo", "mi", "no", "pe", "ra", "si", "to", "va", "we")
REPORTS = 150_000
SYMBOLS = 128
EPSILON = 4.0
LONGEST = 24
SEED = 1
SHOWN = (0, 2, 5, -1)
LEAF = SEQUENCE[1]
SURE = SEQUENCE[0]
UNSURE = "#C9C9C9"
INK = "#333333"
WIDEST = 9.0
DEEPEST = 14.5
APART = 0.05
SIZE = (11.0, 8.2)


class TracedFrontier(OpenFrontier):
    """An open frontier that remembers what it measured in each epoch."""

    def __init__(self, scheme: OpenPFR, k: int, domain: StringDomain) -> None:
        super().__init__(scheme.mechanism, symbols=scheme.symbols, k=k, domain=domain)
        self.moments: list[StringEpoch] = []

    def _absorb(self) -> None:
        super()._absorb()
        cells = [(cell, found, True) for cell, found in self.hot.items()]
        cells += [(cell, found, False) for cell, found in self.tips.items()]
        held = tuple(MeasuredCell(cell, found.share, found.deviation, hot) for cell, found, hot in cells)
        self.moments.append(StringEpoch(self.reports, held))


def trace_strings(
    scheme: OpenPFR, strings: list[str], stream: NDArray[np.int32], *, k: int, domain: StringDomain, seed: int
) -> tuple[list[StringEpoch], list[str]]:
    """Every epoch of a run, and the answer at the end."""
    store = TracedFrontier(scheme, k, domain)
    spell(scheme, store, [domain.code(text) for text in strings], stream, seed)
    return store.moments, [text for text, _ in store.estimates(k)]


def searches(seed: int) -> tuple[list[str], NDArray[np.int32]]:
    """What people type: a few things often, and many that hardly anybody types."""
    generator = np.random.default_rng(seed)
    rare = {"".join(generator.choice(SYLLABLES, 4)): RARE_WEIGHT / RARE for _ in range(RARE)}
    strings, weights = [*COMMON, *rare], np.array([*COMMON.values(), *rare.values()])
    drawn = generator.choice(len(strings), REPORTS, p=weights / weights.sum())
    return strings, drawn.astype(np.int32)


def draw_strings() -> Figure:
    """The tree of prefixes at four epochs of a run with a fixed seed."""
    strings, stream = searches(SEED)
    domain, k = StringDomain(LONGEST), len(COMMON)
    epochs, _ = trace_strings(OpenPFR(SYMBOLS, EPSILON), strings, stream, k=k, domain=domain, seed=SEED)
    figure = Figure(figsize=SIZE)
    axes: Sequence[Axes] = figure.subplots(2, 2).ravel().tolist()
    for panel, number in zip(axes, SHOWN, strict=True):
        _draw_tree(panel, epochs[number], range(1, len(epochs) + 1)[number])
    handles = [
        Line2D([], [], color=SURE, linewidth=4, label="prefix above the noise; the wider, the more reports"),
        Line2D([], [], color=UNSURE, linewidth=1, label="cell that is still undecided"),
        Line2D([], [], color=LEAF, marker="o", linestyle="", label="whole string, tracked"),
    ]
    figure.legend(handles=handles, loc="lower center", ncols=3, frameon=False, fontsize=SMALL)
    figure.subplots_adjust(left=0.02, right=0.985, top=0.955, bottom=0.09, wspace=0.04, hspace=0.22)
    return figure


def _draw_tree(panel: Axes, epoch: StringEpoch, number: int) -> None:
    branches = grow(epoch)
    unsure = [branch for branch in branches if not branch.sure]
    across = [place for branch in unsure for place in (branch.start, branch.end, np.nan)]
    up = [place for branch in unsure for place in (branch.root, branch.place, np.nan)]
    panel.plot(across, up, color=UNSURE, linewidth=0.6, zorder=1)
    for branch in branches:
        if branch.sure:
            colour, width = LEAF if branch.leaf else SURE, WIDEST * branch.share**0.5
            panel.plot([branch.start, branch.end], [branch.root, branch.place], color=colour, linewidth=width, zorder=3)
        if branch.sure and branch.leaf:
            panel.plot([branch.end], [branch.place], "o", color=LEAF, markersize=5, zorder=4)
    named = [branch for branch in branches if branch.text and branch.sure]
    for branch, height in zip(named, spread([branch.place for branch in named], APART), strict=True):
        _name(panel, branch, height)
    panel.set_xlim(-0.3, DEEPEST + 7)
    panel.set_ylim(-0.03, 1.03)
    panel.set_yticks([])
    panel.set_xticks(range(0, 15, 2))
    panel.tick_params(labelsize=SMALL - 1)
    panel.spines[["top", "right", "left"]].set_visible(False)
    panel.set_title(f"epoch {number}: {epoch.reports:,} reports so far", fontsize=10)
    panel.set_xlabel("letters spelt (number)", fontsize=SMALL)


def _name(panel: Axes, branch: Branch, height: float) -> None:
    """Write the name at the right, with a thin line from where the branch ends."""
    panel.plot([branch.end, DEEPEST], [branch.place, height], color=UNSURE, linewidth=0.5, linestyle=":", zorder=0)
    colour = LEAF if branch.leaf else INK
    panel.text(
        DEEPEST + 0.1, height, f"{branch.text}  {branch.share:.0%}", fontsize=SMALL - 1, va="center", color=colour
    )
