"""An error that nobody foresaw, at every step: the reporter goes on, or says that it is broken, and shows no item."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import current_thread
from unittest.mock import patch

import pytest

from hgldp.client import Outcome, Reporter
from hgldp.client.background import MOST_FAILURES
from hgldp.client.worker import Worker
from tests.client.conftest import QUICK
from tests.client.hostile_server import HostileServer
from tests.patience import until

Make = Callable[..., Reporter]
Step = tuple[Callable[[Worker], object], str]

STEPS: dict[str, Step] = {
    "the connection": (lambda worker: worker.transport, "open"),
    "a question": (lambda worker: worker.transport, "get"),
    "an upload": (lambda worker: worker.transport, "post"),
    "the end of a connection": (lambda worker: worker.transport, "rest"),
    "the lock": (lambda worker: worker._lock, "verify"),
    "the clock": (lambda worker: worker.ledger.time, "now"),
    "the ledger": (lambda worker: worker.ledger, "reserve"),
    "a page of the ledger": (lambda worker: worker.ledger, "_turn"),
    "the inbox": (lambda worker: worker.inbox, "take"),
    "the randomiser": (lambda worker: worker.agreement.agreed.randomizer, "report_code"),
    "the scheme": (lambda worker: worker.agreement.agreed.scheme, "symbol_limit"),
    "the entropy": (lambda worker: worker, "_entropy"),
    "a file": (lambda worker: worker.queue._disk, "write"),
    "the queue's end": (lambda worker: worker.queue, "put"),
    "the queue's beginning": (lambda worker: worker.queue, "read"),
    "the list": (lambda worker: worker.sent, "note"),
    "the renewal": (lambda worker: worker.agreement, "renew"),
    "the bulletin's renewal": (lambda worker: worker.agreement.agreed.bulletins, "renew"),
    "the bulletin's age": (lambda worker: worker.agreement.agreed.bulletins, "fresh"),
    "the delivery": (lambda worker: worker.delivery, "round"),
    "a hurry": (lambda worker: worker.delivery, "hurry"),
    "the round": (lambda worker: worker, "round"),
}
PACE = replace(QUICK, renew=0.02)


def ready(make: Make) -> Reporter:
    reporter = make(pace=PACE, reports_per_day=1_000_000)
    until(lambda: reporter.status().state == "ready")
    return reporter


@contextmanager
def planted(
    reporter: Reporter, step: str, error: Callable[[], BaseException], times: int | None = None
) -> Iterator[None]:
    """Make a step fail so many times, or for ever; only in the reporter's own thread."""
    find, name = STEPS[step]
    owner = find(reporter._worker)
    right, left = getattr(owner, name), [times]

    def fails(*given: object, **named: object) -> object:
        if left[0] == 0 or current_thread().name != "hgldp reporter":
            return right(*given, **named)
        left[0] = None if left[0] is None else left[0] - 1
        raise error()

    object.__setattr__(owner, name, fails)  # even into a frozen dataclass
    try:
        yield
    finally:
        object.__setattr__(owner, name, right)


@pytest.mark.parametrize("step", STEPS)
def test_a_reporter_outlives_an_error_that_comes_twice(make: Make, server: HostileServer, step: str) -> None:
    reporter = ready(make)
    with planted(reporter, step, lambda: KeyError("a private tea"), times=2):
        for _ in range(3):
            reporter.report("tea")
            reporter.flush(0.1)
        until(lambda: reporter.status().reason == "")
        assert reporter.report("tea")
        until(lambda: not reporter.status().waiting and not reporter.status().queued)
        assert server.uploads


@pytest.mark.parametrize("step", STEPS)
def test_a_reporter_that_cannot_go_on_says_so_and_takes_nothing(make: Make, step: str) -> None:
    reporter = ready(make)
    with planted(reporter, step, lambda: KeyError("a private tea")):

        def is_broken() -> bool:
            reporter.report("tea")
            reporter.flush(0.01)
            return reporter.status().state == "broken"

        until(is_broken)
        assert reporter.report("tea") is Outcome.BROKEN
        status = reporter.status()
        assert "KeyError in test_unforeseen.py, line" in status.reason
        assert "tea" not in repr(status)
        assert status.waiting == 0
    until(lambda: reporter.status().state == "ready")  # and it takes events again once a round succeeds
    assert reporter.report("tea")


def test_whatever_ends_the_thread_nothing_is_taken_any_more(make: Make) -> None:
    reporter = ready(make)
    with planted(reporter, "the round", SystemExit, times=1):
        reporter.report("tea")
        until(lambda: not reporter._background._thread.is_alive())
    assert reporter.status().state == "broken"
    assert "SystemExit" in reporter.status().reason
    assert reporter.report("tea") is Outcome.BROKEN
    assert reporter.status().waiting == 0
    reporter.opt_out()
    assert reporter.status().state == "opted out"


def test_what_is_broken_for_good_is_not_mended_by_another_error(make: Make, tmp_path: Path) -> None:
    reporter = ready(make)
    (tmp_path / "reporter").rename(tmp_path / "away")
    until(lambda: reporter.status().state == "broken")
    with planted(reporter, "a hurry", KeyError):
        for _ in range(2 * MOST_FAILURES):
            reporter.flush(0.01)
    (tmp_path / "away").rename(tmp_path / "reporter")
    for _ in range(3):
        reporter.flush(0.05)
    assert reporter.report("tea") is Outcome.BROKEN
    assert "it was closed, moved or replaced" in reporter.status().reason


def test_the_pauses_grow_so_that_a_broken_reporter_costs_nothing(make: Make) -> None:
    reporter = make(pace=replace(QUICK, renew=0.02, first_retry=0.05, longest_retry=60.0))
    until(lambda: reporter.status().state == "ready")
    rounds = 0

    def fails() -> None:
        nonlocal rounds
        rounds += 1
        raise KeyError

    with patch.object(reporter._worker, "round", fails):
        reporter.report("tea")
        until(lambda: reporter.status().state == "broken")
        assert rounds == MOST_FAILURES
        for _ in range(1000):
            reporter.report("tea")
        assert rounds == MOST_FAILURES
