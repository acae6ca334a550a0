"""A task in a few words."""

from hgldp.collector.dashboard.figures import moment, whole
from hgldp.collector.dashboard.markup import Html, fill
from hgldp.collector.noise import STARTED_COLD, starts_cold
from hgldp.collector.views import TaskView
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.task import Task
from hgldp.schemes.registry import class_of

SPENT_ON = {"event": "each event", "window": "any {events} events in a row", "user": "a person’s {events} events"}


def described(view: TaskView) -> str:
    """What is asked of whom, in one line."""
    task = view.task
    return f"Top {task.k} of {domain_in_words(task)} · {task.scheme} · {budget_in_words(task)}"


def budget_in_words(task: Task) -> str:
    """ε and what it covers."""
    return f"ε = {float(task.budget.epsilon):g} for " + SPENT_ON[task.budget.level].format(events=task.budget.events)


def domain_in_words(task: Task) -> str:
    """The possible items."""
    if isinstance(task.domain, StringDomain):
        return "strings that nobody listed"
    if isinstance(task.domain, RangeDomain):
        last = task.domain.start + task.domain.size - 1
        return f"the numbers {task.domain.start} … {last}"
    return f"{whole(task.domain.size)} listed words"


def order_in_words(task: Task) -> str:
    """By what items are ranked, since it is not the estimate that people see, and how far to trust that."""
    if class_of(task).has_windows:
        return (
            "Ranked by all evidence, on the cautious side. The estimate leaves out the reports by which an item was "
            "found: they would flatter it."
        )
    cold = f" {STARTED_COLD}." if starts_cold(task.scheme) else ""
    return f"Ranked by the lower end of a confidence bound, so that luck alone does not win.{cold}"


def last_change(seconds: float | None) -> Html:
    """When the last report came, as far as anybody watched."""
    return fill("last_change", time=moment(seconds)) if seconds is not None else Html("")
