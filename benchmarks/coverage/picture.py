"""How often the intervals hold, drawn: a panel for each stream and start, beside the band from 92 to 98 %."""

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from benchmarks.coverage.answers import KINDS, WHOLE
from benchmarks.coverage.row import LEAST, MOST, Row
from hgldp.experiments.plotting.look import BUDGET, MARKERS, SCHEMES, SEQUENCE, Look, stream_title
from hgldp.experiments.plotting.panels import SMALL, categories, grid, legend_below
from hgldp.schemes.pfr import PFR

COLUMNS = 2
LOWEST, HIGHEST = 0.695, 1.005
BAND = "#DCEFE2"


def pictures(rows: list[Row]) -> dict[str, Figure]:
    """A figure for pfr, with every kind of interval, and one for the hot lists, with those of the whole stream."""
    drawn = {
        "coverage-pfr": [(row, look) for row, look in _by_kind(rows) if row.scheme == PFR.name],
        "coverage-hot-lists": [
            (row, SCHEMES[row.scheme]) for row in rows if row.scheme != PFR.name and row.kind == WHOLE
        ],
    }
    return {name: _draw(lines) for name, lines in drawn.items() if lines}


def _by_kind(rows: list[Row]) -> list[tuple[Row, Look]]:
    return [(row, Look(row.kind, SEQUENCE[KINDS.index(row.kind)], MARKERS[KINDS.index(row.kind)])) for row in rows]


def _draw(lines: list[tuple[Row, Look]]) -> Figure:
    budgets = sorted({row.epsilon for row, _ in lines})
    places = list(dict.fromkeys((row.stream, row.start) for row, _ in lines))
    looks = list(dict.fromkeys(look for _, look in lines))
    figure, panels = grid(len(places), COLUMNS)
    for panel, (stream, start) in zip(panels, places, strict=True):
        panel.axhspan(LEAST, MOST, color=BAND, zorder=0)
        for look in looks:
            own = [row for row, its in lines if (row.stream, row.start) == (stream, start) and its == look]
            told = [(budgets.index(row.epsilon), row.covered) for row in own if row.covered is not None]
            panel.plot([place for place, _ in told], [max(share, LOWEST) for _, share in told], **look.style)
        categories(panel, [f"{budget:g}" for budget in budgets])
        panel.set_title(f"{stream_title(stream)}: {start}", fontsize=SMALL)
        panel.set_xlabel(BUDGET, fontsize=SMALL)
        panel.set_ylabel("intervals that hold", fontsize=SMALL)
        panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.set_ylim(LOWEST, HIGHEST)
    legend_below(figure, panels)
    return figure
