"""How soon an observer knows what one person always reports, at each level; beside it what ε allows at most."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator, PercentFormatter

from hgldp.experiments.plotting.axes import plain_numbers
from hgldp.experiments.plotting.look import DASHED, DOTTED, GREY, SEQUENCE, Look, as_svg
from hgldp.experiments.plotting.panels import SMALL, grid, legend_below
from hgldp.simulation.people.year import DAYS, EVENT, ITEMS, MONTHLY, Course

__all__ = ["as_svg", "draw_year"]
LOOKS = {
    EVENT: Look("event; period: day", SEQUENCE[1], "s"),
    "event, a key a month": Look("event, a key a month", SEQUENCE[5], "X", DOTTED),
    "event, one key for the year": Look("event, one key for the year", SEQUENCE[4], "D", DASHED, hollow=True),
    "period: week": Look("period: week", SEQUENCE[2], "^"),
    MONTHLY: Look("period: month; window, population", SEQUENCE[0], "o"),
    "window of 30, budget": Look("window of 30, budget", SEQUENCE[3], "v", DASHED, hollow=True),
    "user, 365 events, population": Look("user, population; one report ever", SEQUENCE[6], "P"),
}
TICKS, MARKED = (1, 3, 7, 14, 30, 60, 120, 365), (1, 3, 7, 14, 30, 60, 120, 240, 365)
LEAST_SHOWN = 0.0005


def draw_year(courses: Sequence[Course]) -> Figure:
    """Two panels of the same lines, one below the other for small screens: shares as they are, and by powers of ten."""
    figure, panels = grid(2, 1)
    by_level = {course.level: course for course in courses}
    days = range(1, DAYS + 1)
    for panel, title in zip(panels, ("how often the guess is right", "the same by powers of ten"), strict=True):
        for level, look in LOOKS.items():
            heights = [by_level[level].after(day) for day in days]
            panel.plot(days, heights, **look.style, markevery=[day - 1 for day in MARKED], drawstyle="steps-post")
        bound = [by_level[MONTHLY].bound_after(day) for day in days]
        style = Look("at most, period: month", SEQUENCE[0], "", DASHED).style
        panel.plot(days, bound, **style, drawstyle="steps-post")
        panel.axhline(1 / ITEMS, **Look("a blind guess", GREY, "", DOTTED).style)
        _name(panel, title)
    panels[1].set_yscale("log")
    panels[1].set_ylim(LEAST_SHOWN, 1.5)
    panels[1].yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:g} %"))
    legend_below(figure, panels)
    return figure


def _name(panel: Axes, title: str) -> None:
    panel.set_title(title, fontsize=10)
    panel.set_xlabel("days, one event each", fontsize=SMALL)
    panel.set_ylabel("people whose item is named", fontsize=SMALL)
    panel.set_xscale("log")
    panel.xaxis.set_major_locator(FixedLocator(TICKS))
    panel.xaxis.set_minor_locator(NullLocator())
    plain_numbers(panel.xaxis)
    panel.set_ylim(-0.03, 1.03)
    panel.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
