"""Hand events to a client as fast as it takes them, and say why when it stops."""

import time
from collections.abc import Callable, Iterator

from hgldp.client import Outcome, Pace, Reporter, Status, reason_of
from hgldp.errors import HgldpError

Advance = Callable[[int], None]
PACE = Pace(gather=0.05, renew=0.5, least_renew=0.5, first_retry=0.2, longest_retry=5.0, most_waiting=20_000)
BATCH, ROOM, POLL_SECONDS = 4096, 256, 0.2
TRIALS, RENEWED_SECONDS = 2, 1.5 * PACE.renew
FINAL = (Outcome.DAILY_CAP, Outcome.SPENT, Outcome.REFUSED, Outcome.OPTED_OUT, Outcome.BROKEN, Outcome.CLOSED)
HOPELESS = {reason_of(status) for status in (400, 404, 409, 413, 415)}


class Stopped(HgldpError):
    """Not every event was sent, and trying longer would not help."""


def paced(events: Iterator[str | int], rate: float) -> Iterator[str | int]:
    """At most `rate` events per second, so that each answers the bulletin of its time; 0 means no limit."""
    started = time.monotonic()
    for number, event in enumerate(events):
        if rate and number % 64 == 0:
            time.sleep(max(0.0, started + number / rate - time.monotonic()))
        yield event


def send_earlier(reporter: Reporter, wait: float, advance: Advance) -> int:
    """What earlier runs left in the queue; how many reports it was."""
    _wait_for(_is_empty, reporter, wait, advance)
    return reporter.status().delivered


def send(
    reporter: Reporter, events: Iterator[str | int], wait: float, advance: Advance, *, on_trial: bool = True
) -> int:
    """Hand over event after event, waiting while the client is busy; returns how many.

    Until the collector takes a report, events go one by one, if they are `on_trial`: only the answer to a report tells
    whether the write key is right, and each report spends some of the budget.
    """
    read, before = 0, reporter.status()
    for event in events:
        if read % ROOM == 0:
            _wait_for(_has_room, reporter, wait, advance)
        outcome = reporter.report(event)
        if outcome in FINAL:
            reporter.flush(wait)
            status = reporter.status()
            raise Stopped(f"the client stopped after {_count(status.delivered, 'report')}: {_reason(outcome, status)}")
        read += 1
        if on_trial and outcome:
            _wait_for(_is_done, reporter, wait, advance)
            on_trial = _is_on_trial(reporter.status(), before)
    return read


def _is_on_trial(status: Status, before: Status) -> bool:
    """Whether no report was taken yet. One that came too late is lost, but the next answers another bulletin."""
    lost = status.dropped.get(Outcome.TURNED_DOWN.value, 0) - before.dropped.get(Outcome.TURNED_DOWN.value, 0)
    if status.delivered > before.delivered:
        return False
    if lost >= TRIALS:
        raise Stopped(f"the collector took no report: {status.reason or Outcome.TURNED_DOWN.value}{_left(status)}")
    if lost:
        time.sleep(RENEWED_SECONDS)
    return True


def finish(reporter: Reporter, read: int, wait: float, advance: Advance, *, needed: bool = True) -> None:
    """Until everything is delivered; what was taken before the task's caps were known may have been dropped since.

    Some report is `needed` unless the task asks about one of several events, which may come later.
    """
    _wait_for(_is_done, reporter, wait, advance)
    status = reporter.status()
    for outcome in FINAL:
        if lost := status.dropped.get(outcome.value):
            reason = _reason(outcome, status)
            sent = _count(status.delivered, "report")
            raise Stopped(f"the client sent {sent} and then stopped; it dropped {_count(lost, 'event')}: {reason}")
    if needed and read and not status.delivered:
        reason = status.reason or "; ".join(status.dropped) or "no answer"
        raise Stopped(f"no report was delivered: {reason}{_left(status)}")


def _reason(outcome: Outcome, status: Status) -> str:
    """The client knows best why it refused a task or broke; every other outcome explains itself."""
    return status.reason if outcome in (Outcome.REFUSED, Outcome.BROKEN) and status.reason else outcome.value


def _has_room(status: Status) -> bool:
    """Room for all the events that come before the next look."""
    return status.waiting <= PACE.most_waiting - ROOM and status.queued <= PACE.most_uploads // 2


def _is_empty(status: Status) -> bool:
    return not status.queued


def _is_done(status: Status) -> bool:
    return not status.waiting and not status.queued


def _wait_for(wanted: Callable[[Status], bool], reporter: Reporter, wait: float, advance: Advance) -> None:
    """Wait as long as anything moves, then `wait` seconds more."""
    deadline, before = time.monotonic() + wait, -1
    while not wanted(status := reporter.status()):
        if status.state in ("refused", "broken"):
            raise Stopped(f"the client sends nothing: {status.reason}")
        _check_hope(status)
        if status.delivered > before:
            deadline, before = time.monotonic() + wait, status.delivered
        elif time.monotonic() > deadline:
            raise Stopped(f"the collector no longer takes anything ({status.reason or 'no answer'}){_left(status)}")
        advance(status.delivered)
        reporter.flush(POLL_SECONDS)
    _check_hope(status)
    advance(status.delivered)


def _check_hope(status: Status) -> None:
    if status.reason in HOPELESS:
        raise Stopped(f"the client stopped after {_count(status.delivered, 'report')}: {status.reason}{_left(status)}")


def _left(status: Status) -> str:
    """What became of reports that were drawn and not delivered."""
    lost, kept = status.dropped.get(Outcome.TURNED_DOWN.value, 0), status.queued
    return (f"; {_count(lost, 'report')} spent for nothing" if lost else "") + (
        f"; {_count(kept, 'upload')} queued for the next run" if kept else ""
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
