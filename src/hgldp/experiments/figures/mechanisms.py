"""The mechanisms that count every possible item, against ε."""

from matplotlib.figure import Figure

from hgldp.experiments.figures.look import BUDGET, SCHEMES
from hgldp.experiments.figures.panels import curve, grid, legend_below, name_axes
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.results import Results
from hgldp.mechanisms.registry import MECHANISMS as ALL

METRICS = {"ndcg": "NDCG", "precision": "precision", "aae": "average absolute error"}


def draw_mechanisms(results: Results) -> Figure:
    """One panel a metric, one line a mechanism."""
    figure, axes = grid(len(METRICS), len(METRICS))
    for (metric, title), panel in zip(METRICS.items(), axes, strict=True):
        for name in ALL:
            by_budget = results.where(scheme=name).by("epsilon")
            points = [(float(epsilon), some) for epsilon, some in by_budget.items() if isinstance(epsilon, float)]
            curve(panel, points, metric, SCHEMES[name])
        name_axes(panel, title, BUDGET, metric, near_one=True)
    legend_below(figure, axes)
    return figure


MECHANISMS = Picture(
    "mechanisms",
    "The LDP mechanisms without a bound on memory",
    "Normal stream, d = 1,000, no warm-up: every report is randomised and a counter is kept for each possible item."
    " Bands: 95 % confidence interval of the mean.",
    ("mechanisms",),
    draw_mechanisms,
)
