"""`hgldp report`: the events of a file or of standard input, each randomised here once, sent as one client would."""

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from hgldp.cli.commands.report.sending import BATCH, PACE, Advance, finish, paced, send, send_earlier
from hgldp.cli.events import STANDARD_INPUT, read_events
from hgldp.cli.output import write_json
from hgldp.cli.service import Service, Turned, Unreachable
from hgldp.cli.tasks import check_open, fetch_task, find_task
from hgldp.cli.terminal import facts, page, show
from hgldp.cli.units import in_count
from hgldp.cli.values import parse_number
from hgldp.client import Reporter, Status
from hgldp.client.reporter import check_write_key
from hgldp.collector.http.documents.schema import in_utc
from hgldp.errors import InvalidField
from hgldp.model.task import Task
from hgldp.schemes.registry import class_of
from hgldp.wire import api

KEY_VARIABLE = "HGLDP_WRITE_KEY"
NO_TASK = 404


def run(chosen: Namespace) -> int:
    """Read, randomise, send; then say what became of the events."""
    if not 0 <= chosen.rate < inf:
        raise InvalidField("--rate", "must be 0 or more", chosen.rate)
    chosen.write_key = chosen.write_key or os.environ.get(KEY_VARIABLE, "")
    if not chosen.write_key:
        raise InvalidField("--key", f"must be given, or {KEY_VARIABLE} in the environment", "none")
    check_write_key(chosen.write_key)
    service = Service(chosen.url, chosen.token)
    task_id = find_task(service, chosen.task)
    check_open(service, task_id)
    task = _fetch(Service(chosen.url, chosen.write_key), task_id)
    numbers, total = task.domain.has_numbers, None
    most = parse_number("max_epsilon", chosen.max_epsilon)
    if task.budget.epsilon > most:
        raise InvalidField(
            "max_epsilon", f"must be at least the task's ε = {float(task.budget.epsilon):g}", f"{most:g}"
        )
    if chosen.events != STANDARD_INPUT:
        total = sum(1 for _ in read_events(chosen.events, chosen.column, numbers=numbers))
    reporter = Reporter(
        chosen.url,
        task_id,
        chosen.write_key,
        folder=chosen.folder or _folder(task_id),
        max_epsilon=most,
        reports_per_day=chosen.reports_per_day,
        most_batch=BATCH,
        pace=PACE,
        allow_plain_http=chosen.allow_plain_http,
    )
    with _progress(total, wanted=not chosen.no_progress) as advance:
        try:
            events = read_events(chosen.events, chosen.column, numbers=numbers)
            earlier = send_earlier(reporter, chosen.wait, advance)
            each = task.reports_each_event
            read = send(reporter, paced(events, chosen.rate), chosen.wait, advance, on_trial=each)
            finish(reporter, read, chosen.wait, advance, needed=each)
        finally:
            reporter.close(wait=0)
    _tell(chosen, reporter, read, earlier, task)
    return 0


def _fetch(service: Service, task_id: str) -> Task:
    """A private task shows itself to its own key alone, so a wrong key is found before anything is spent."""
    try:
        return fetch_task(service, task_id)
    except Turned as turned:
        if turned.status != NO_TASK:
            raise
        hint = f"give its key with --key or {KEY_VARIABLE}, or make a new one with hgldp task rotate-key"
        raise Turned(NO_TASK, f"there is no such task, or this is not its write key; {hint}") from None


def _folder(task_id: str) -> Path:
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "hgldp" / task_id[:16]


@contextmanager
def _progress(total: int | None, *, wanted: bool) -> Iterator[Advance]:
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("sending"), BarColumn(), MofNCompleteColumn())
    hidden = not (wanted and console.is_terminal)
    with Progress(*columns, console=console, transient=True, disable=hidden, refresh_per_second=4) as bar:
        shown = bar.add_task("sending", total=total)
        yield lambda done: bar.update(shown, completed=done)


def _tell(chosen: Namespace, reporter: Reporter, read: int, earlier: int, task: Task) -> None:
    status, spent = reporter.status(), reporter.spent()
    epsilon = None if spent.epsilon_24h is None else float(spent.epsilon_24h)
    total = None if spent.epsilon is None else float(spent.epsilon)
    summary = {"events": read, "delivered": status.delivered, "earlier": earlier, "dropped": status.dropped}
    summary |= {"as_other": status.as_other, "epsilon_24h": epsilon, "epsilon": total, "next_report": _moment(status)}
    if chosen.json:
        write_json(summary)
    else:
        rows = [("events read", in_count(read)), ("reports delivered", in_count(status.delivered))]
        rows += [("from an earlier run", in_count(earlier))] if earlier else []
        rows += [(f"dropped: {reason}", in_count(number)) for reason, number in status.dropped.items()]
        rows += [("events that the task does not list", in_count(status.as_other))] if status.as_other else []
        rows.append(("ε spent in the last 24 hours", f"{epsilon or 0:,.9g}"))
        rows.append(("ε spent in all", f"{total or 0:,.9g}"))
        if status.next_report is not None:
            rows.append(("next report", f"{_moment(status)}, about one of the events before it"))
        if class_of(task).spells_out:
            rows.append(("epochs so far", _epochs(Service(chosen.url, chosen.write_key), task.id.hex())))
        show(page(_title(read, status), facts(rows)))


def _title(read: int, status: Status) -> str:
    if status.delivered:
        return "Sent"
    if read:
        return "Nothing was sent" if status.next_report is None else "Drawn, and not sent yet"
    return "There was nothing to send"


def _moment(status: Status) -> str | None:
    """When the report of this period is made."""
    return None if status.next_report is None else in_utc(status.next_report)


def _epochs(service: Service, task_id: str) -> str:
    """After too few epochs only the first letters of the strings are known; people should know why."""
    try:
        epochs = in_count(service.get(api.CURRENT_BULLETIN.format(id=task_id))["epoch"])
    except (Unreachable, Turned):
        return "unknown"
    return f"{epochs}; it takes several to spell out a string, more for a long one"
