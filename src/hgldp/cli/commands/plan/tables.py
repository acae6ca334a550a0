"""What `hgldp plan` shows to people."""

from collections.abc import Callable, Mapping

from rich.console import Group
from rich.table import Table
from rich.text import Text

from hgldp.cli.terminal import legend, open_table, page
from hgldp.cli.units import in_count
from hgldp.planning.forecast import Expected, Forecast, Question, Row
from hgldp.planning.least import LEAST_EPSILON, MOST_EPSILON, Least
from hgldp.planning.traffic import SPANS

BAR, FULL = 20, "█"
LEGEND = (
    ("precision", "share of the true top {k} that is found on average; ± is the 95 % interval of this mean"),
    ("one launch", "the least and the most that a single simulated launch found"),
)
OPEN_LEGEND = ("F1", "twice what is found over what is shown and what is true: wrong strings lower it")


def expected_page(forecast: Forecast) -> Group:
    """A row for each stream after a day, a week and a month."""
    question = forecast.question
    rows = [row for days in SPANS.values() for row in forecast.after(days)]
    launches = min(row.precision.runs for row in rows)
    terms = [(term, meaning.format(k=question.task.k)) for term, meaning in LEGEND]
    if question.is_open:
        terms.insert(1, OPEN_LEGEND)
    each = "1 launch each" if launches == 1 else f"{launches} launches each"
    notes = [f"Simulated with the real scheme, {each}."]
    missing = [shape.title for shape in question.shapes if shape.title not in forecast.runs]
    if missing:
        notes.append(f"No time for: {', '.join(missing)} (--seconds).")
    if any(row.simulated < row.reports for row in rows):
        most = max(row.simulated for row in rows)
        notes.append(
            f"A plan for {question.task.scheme} ends at {in_count(most)} reports; later rows show that moment."
        )
    return page(heading(question), _table(question, rows), Text(" ".join(notes)), legend(terms))


def heading(question: Question) -> str:
    """What is planned, in a line."""
    task, domain = question.task, question.task.domain
    what = "strings that nobody lists" if domain.size is None else f"{in_count(domain.size)} items"
    start = f", from {in_count(question.warmup)} raw items" if question.warmup else ""
    traffic = f"{in_count(question.traffic.count)} {question.traffic.unit}"
    return f"The top {task.k} of {what} by {task.scheme}{start}, ε = {float(task.budget.epsilon):g}, {traffic}"


def _table(question: Question, rows: list[Row]) -> Table:
    table, several = open_table(), len({row.shape for row in rows}) > 1
    shares = ["precision", "F1"] if question.is_open else ["precision"]
    for name in ("after", "reports", *(["stream"] if several else []), *shares, "one launch", ""):
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
            *(in_share(each) for each in shown),
            f"{asked.lowest:.2f} … {asked.highest:.2f}",
            FULL * round(BAR * asked.mean),
            end_section=several and ends,
        )
    return table


def in_share(share: Expected) -> str:
    """A mean with its error.

    >>> in_share(Expected(0.7, 0.05, 0.6, 0.8, 8))
    '0.70 ± 0.05'
    """
    return f"{share.mean:.2f} ± {share.error:.2f}"


def least_page(question: Question, least: Mapping[str, tuple[Least, Least]], wanted: float, within: str) -> Group:
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
    name = "F1" if question.is_open else "precision"
    limits = f"ε from {LEAST_EPSILON:g} to {MOST_EPSILON:g}"
    epsilon = f"{float(question.task.budget.epsilon):g}"
    terms = [
        ("fewest", f"with ε = {epsilon}; in brackets what it may be, by the error of the mean"),
        ("smallest ε", f"with {in_count(traffic.count)} {traffic.unit}; tried are {limits}"),
    ]
    terms.append(("none", "nothing that was tried is enough"))
    return page(f"The least for a mean {name} of {wanted:g} within a {within}", table, legend(terms))


def _two_figures(number: float) -> float:
    return float(f"{number:.2g}")


def _between(least: Least, told: Callable[[float], str]) -> str:
    if least.found is None:
        return f"none (above {told(least.low)})"
    high = "?" if least.high is None else told(least.high)
    return f"{told(least.found)} ({told(least.low)} … {high})"
