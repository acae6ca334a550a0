"""What `hgldp plan` shows to people."""

from collections.abc import Callable, Mapping

from rich.console import Group
from rich.table import Table
from rich.text import Text

from hgldp.cli.terminal import legend, open_table, page
from hgldp.cli.units import in_count
from hgldp.planning.forecast import Forecast, LaunchQuestion, Row
from hgldp.planning.least import LEAST_EPSILON, MOST_EPSILON, Least
from hgldp.planning.traffic import SPANS

BAR, FULL = 10, "█"
LEGEND = (
    ("precision", "share of the true top {k} that is found on average"),
    ("95 % interval", "of the mean {metric}, as far as the simulated launches tell it"),
    ("one launch", "the least and the most {metric} of a single simulated launch"),
)
OPEN_LEGEND = ("F1", "twice what is found over what is shown and what is true: wrong strings lower it")


def expected_page(forecast: Forecast) -> Group:
    """A row for each stream after a day, a week and a month."""
    question = forecast.question
    rows = [row for days in SPANS.values() for row in forecast.after(days)]
    launches = min(row.precision.launches for row in rows)
    terms = [(term, meaning.format(k=question.task.k, metric=question.metric_title)) for term, meaning in LEGEND]
    if question.is_open:
        terms.insert(1, OPEN_LEGEND)
    each = "1 launch each" if launches == 1 else f"{launches} launches each"
    notes = [f"Simulated with the real scheme, {each}."]
    if forecast.missing:
        notes.append(f"No time for: {', '.join(forecast.missing)} (--seconds).")
    if any(row.simulated < row.reports for row in rows):
        most = max(row.simulated for row in rows)
        notes.append(
            f"A plan for {question.task.scheme} ends at {in_count(most)} reports; later rows show that moment."
        )
    return page(heading(question), _table(question, rows), Text(" ".join(notes)), legend(terms))


def heading(question: LaunchQuestion) -> str:
    """What is planned, in a line."""
    task, domain = question.task, question.task.domain
    what = "strings that nobody lists" if domain.size is None else f"{in_count(domain.size)} items"
    if task.hints is not None:
        what = f"strings beside a list of {in_count(task.hints.size)}"
    start = f", from {in_count(question.warmup)} raw items" if question.warmup else ""
    traffic = f"{in_count(question.traffic.count)} {question.traffic.unit}"
    return f"The top {task.k} of {what} by {task.scheme}{start}, ε = {float(task.budget.epsilon):g}, {traffic}"


def _table(question: LaunchQuestion, rows: list[Row]) -> Table:
    table, several = open_table(), len({row.shape for row in rows}) > 1
    shares = ["precision", "F1"] if question.is_open else ["precision"]
    for name in ("after", "reports", *(["stream"] if several else []), *shares, "95 % interval", "one launch", ""):
        table.add_column(name, justify="left" if name in ("after", "stream", "") else "right", no_wrap=True)
    names = {days: f"a {name}" for name, days in SPANS.items()}
    for place, row in enumerate(rows):
        shown = [row.precision, row.f1] if question.is_open else [row.precision]
        asked, first = row.at(question.metric), place == 0 or rows[place - 1].days != row.days
        ends = place + 1 == len(rows) or rows[place + 1].days != row.days
        table.add_row(
            names[row.days] if first else "",
            in_count(row.reports) if first else "",
            *([row.shape] if several else []),
            *(f"{each.mean:.2f}" for each in shown),
            in_range(asked.interval),
            in_range((asked.lowest, asked.highest)) if asked.launches > 1 else "–",
            FULL * round(BAR * asked.mean),
            end_section=several and ends,
        )
    return table


def in_range(ends: tuple[float, float]) -> str:
    """From one share to another.

    >>> in_range((0.923, 1.0))
    '0.92 … 1.00'
    """
    return f"{ends[0]:.2f} … {ends[1]:.2f}"


def least_page(question: LaunchQuestion, least: Mapping[str, tuple[Least, Least]], wanted: float, within: str) -> Group:
    """The fewest reports and the smallest ε on each stream, with the ends of what may be."""
    days, traffic, table = SPANS[within], question.traffic, open_table()
    for name in ("stream", "fewest reports", f"fewest {traffic.unit}", "smallest ε"):
        table.add_column(name, justify="left" if name == "stream" else "right", no_wrap=True)
    for title, (reports, smallest) in least.items():
        table.add_row(
            title,
            _between(reports, lambda number: in_count(_two_figures(number))),
            _between(reports, lambda number: in_count(_two_figures(traffic.needed(number, days)))),
            _between(smallest, lambda number: f"{number:.2g}"),
        )
    limits = f"ε from {LEAST_EPSILON:g} to {MOST_EPSILON:g}"
    epsilon = f"{float(question.task.budget.epsilon):g}"
    terms = [
        ("fewest", f"with ε = {epsilon}; in brackets the range that the simulated launches allow"),
        ("smallest ε", f"with {in_count(traffic.count)} {traffic.unit}; tried are {limits}"),
    ]
    both = [each for pair in least.values() for each in pair]
    if any(each.found is None for each in both):
        terms.append(("none", "nothing that was tried is enough"))
    if any(each.found is not None and each.high is None for each in both):
        terms.append(("?", "no number that was tried is surely enough"))
    return page(f"The least for a mean {question.metric_title} of {wanted:g} within a {within}", table, legend(terms))


def _two_figures(number: float) -> float:
    return float(f"{number:.2g}")


def _between(least: Least, told: Callable[[float], str]) -> str:
    if least.found is None:
        return f"none (above {told(least.low)})"
    high = "?" if least.high is None else told(least.high)
    return f"{told(least.found)} ({told(least.low)} … {high})"
