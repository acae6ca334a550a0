"""Number, sizes, order and times of uploads do not depend on the items: whoever counts or times them learns nothing.

A simulated crowd of devices lives the same days again and again, each time with items of another kind: inside the
domain, outside, too long, of no legal type, the same one again and again, or (where the task counts *nothing*) none at
all. With the same lots, what a network observer sees must be the same to the last byte count and second; that is
stronger than a test of distributions, and it cannot give a false alarm. The symbols themselves are compared with the
scheme's exact rows in test_whole_sequences. The order of symbols is counted. For each kind of item and for
the order, a planted leak is found.
"""

import time
from asyncio import CancelledError
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest

from hgldp.client import Reporter, background
from hgldp.client.environment import Environment
from hgldp.client.inbox import Encoded
from hgldp.client.pace import Pace
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.worker import Worker
from hgldp.model import reserved
from hgldp.model.budget import Budget
from hgldp.model.domain import StringDomain, Vocabulary
from hgldp.model.randomness import SeededWords
from hgldp.model.reserved import Reserved
from hgldp.model.task import Task
from hgldp.system.clock import DAY_SECONDS
from hgldp.wire.upload import Upload
from tests.client.conftest import QUICK
from tests.client.every_way import MEMORY, Days, Listener, NoLock, QuickDisk
from tests.client.hostile_server import HostileServer
from tests.patience import PATIENCE

DRINKS = Vocabulary(("tea", "milk", "mate", "juice"))
TASKS = {
    "event": Task("bgr", Budget(1.0), DRINKS, k=1, cells=2, other=True),
    "period": Task("bgr", Budget(1.0, "period"), DRINKS, k=1, cells=2, other=True, nothing=True),
    "window": Task("bgr", Budget(1.0, "window", 3), DRINKS, k=1, cells=2, other=True),
    "user": Task("bgr", Budget(1.0, "user", 9), DRINKS, k=1, cells=2, other=True),
    "one answer": Task(
        "bgr", Budget(1.0), DRINKS, k=1, cells=2, other=True, one_answer=True, epoch_seconds=2 * DAY_SECONDS
    ),
    "strings": Task("pfr", Budget(1.0, "period"), StringDomain(8), k=1, cells=64, nothing=True),
    "strings, each event": Task("pfr", Budget(1.0), StringDomain(8), k=1, cells=64),
}
KINDS: dict[str, Callable[[int], object]] = {
    "inside": lambda number: DRINKS.words[number % 4],
    "outside": lambda number: f"gin {number}"[:8],
    "too long": lambda number: "x" * (300 + number),
    "no legal type": lambda number: (None, 7, 2.5, b"tea", ["tea"], object())[number % 6],
    "no legal text": lambda _: "\ud800",
    "the same again and again": lambda _: "tea",
}
DAYS = (3, 0, 5, 1)
DEVICES = 3


def traffic(task: Task, kind: str | None, worker_class: type[Worker] = Worker) -> list[object]:
    """What somebody on the network sees of a few devices for some days: time, bytes and count of each upload."""
    seen: list[object] = []
    for device in range(DEVICES):
        clock, ids = Days(), iter(range(1 << 20))
        listener, folder = Listener(task, clock), Path(mkdtemp(prefix="traffic-", dir=MEMORY))
        environment = Environment(
            clock,
            QuickDisk(),
            Lots(device),
            entropy=lambda size, ids=ids: next(ids).to_bytes(size, "big"),
            chance=lambda: 0.4,
        )
        terms = (Ceilings(10.0, 100, most_batch=3), Pace(gather=600.0, renew=20_000), environment, listener, NoLock())
        worker = worker_class(folder, task.id.hex(), "key", *terms)  # type: ignore[arg-type]
        worker.round()
        number = 0
        for day, events in enumerate(DAYS):
            if task.one_answer and day == 2:
                listener.tracker.seal()
            work_until(worker, clock, (day + 0.2) * DAY_SECONDS + 1000 * device)
            for _ in range(0 if kind is None else events):
                worker.take(KINDS[kind](number))
                number += 1
            work_until(worker, clock, (day + 1.0) * DAY_SECONDS)
        rmtree(folder)
        seen.append([(round(moment, 1), size, len(symbols)) for moment, size, _, symbols in listener.seen])
    return seen


def work_until(worker: Worker, clock: Days, end: float) -> None:
    """Rounds whenever one is due, as the background thread makes them."""
    while (wait := worker.due - worker.ledger.time.now()) < end - clock.passed:
        clock.passed += max(wait, 0.0) + 1e-3
        worker.round()
    clock.passed = end


class Lots(SeededWords):
    """Lots that the client draws for itself come from one sequence, the draws of symbols from another.

    A sampler takes as many words as it needs; a lot must not move because of that.
    """

    def __init__(self, device: int) -> None:
        super().__init__(device)
        self._symbols = SeededWords(device + 1000)

    def below(self, bound: int) -> int:
        return super().below(bound) if bound <= 30 * DAY_SECONDS else self._symbols.below(bound)


@pytest.mark.parametrize("name", TASKS)
def test_a_network_observer_sees_the_same_whatever_the_items(name: str) -> None:
    task = TASKS[name]
    expected = traffic(task, "inside")
    assert any(expected), "nothing was sent, so nothing is shown"
    for kind in KINDS:
        if kind != "inside":
            assert traffic(task, kind) == expected, kind
    if task.nothing:
        assert traffic(task, None) == expected


def test_the_times_of_uploads_are_ticks_drawn_before_the_first_event() -> None:
    """Ten minutes apart, from 0.4 of ten minutes on: no matter when the events were."""
    for uploads in traffic(TASKS["event"], "inside"):
        assert isinstance(uploads, list)
        assert uploads
        for moment, _, _ in uploads:
            place = (Days().now() + moment - 240) % 600
            assert min(place, 600 - place) < 1, "not a tick"


class SilentAboutTheRest(Worker):
    """Drops what the task does not list, as 0.1.0 did."""

    def take(self, item: object):
        return super().take(item) if not self.agreement.is_other(item) else None


class SilentAboutRepeats(Worker):
    """Does not send what it has sent before."""

    def take(self, item: object):
        if getattr(self, "_last", None) == item:
            return None
        self._last = item
        return super().take(item)


class SendsAtOnce(Worker):
    """Does not wait for a tick if the item is one of the first."""

    def take(self, item: object):
        outcome = super().take(item)
        if item == "tea":
            self.hurry()
            self.round()
        return outcome


class SendsMoreAboutSome(Worker):
    """Reports what is not listed many times, so that counts and sizes differ."""

    def _draw(self, events, bulletin, agreed, now) -> None:
        more = [event for event in events if self.agreement.is_other(event)] * 20
        super()._draw([*events, *more], bulletin, agreed, now)


class InPieces(Worker):
    """Reports a long text piece by piece."""

    def take(self, item: object):
        pieces = [item[at : at + 100] for at in range(0, len(item), 100)] if isinstance(item, str) else [item]
        outcomes = [super(InPieces, self).take(piece) for piece in pieces]
        return outcomes[0]


class SilentAboutTypes(Worker):
    """Drops what is no text."""

    def take(self, item: object):
        return super().take(item) if isinstance(item, str) else None


class LateWithBadText(Worker):
    """Tries a text that has no bytes once more at the next tick."""

    def take(self, item: object):
        outcome = super().take(item)
        if isinstance(item, str) and not item.isprintable():
            self._wait_until += 600
        return outcome


class SilentWithoutEvents(Worker):
    """Sends nothing for a period without events."""

    def take(self, item: object):
        self._had = True
        return super().take(item)

    def _queue(self, symbols, bulletin, agreed, now) -> None:
        if self.__dict__.pop("_had", False):
            super()._queue(symbols, bulletin, agreed, now)


@pytest.mark.parametrize(
    ("kind", "leak", "name"),
    [
        ("inside", SendsAtOnce, "event"),
        ("outside", SilentAboutTheRest, "event"),
        ("outside", SendsMoreAboutSome, "event"),
        ("too long", InPieces, "event"),
        ("no legal type", SilentAboutTypes, "event"),
        ("no legal text", LateWithBadText, "event"),
        ("the same again and again", SilentAboutRepeats, "event"),
        (None, SilentWithoutEvents, "period"),
    ],
)
def test_each_kind_of_item_has_a_planted_leak_and_it_is_seen(kind: str | None, leak: type[Worker], name: str) -> None:
    """The honest client passes the same comparison."""
    other = "outside" if kind == "inside" else "inside"
    assert traffic(TASKS[name], kind, leak) != traffic(TASKS[name], other, leak)
    assert traffic(TASKS[name], kind) == traffic(TASKS[name], other)


class KeepsTheOrder(Worker):
    """Sends symbols in the order of their events."""

    def _queue(self, symbols, bulletin, agreed, now) -> None:
        limit = agreed.scheme.symbol_limit(bulletin)
        upload = Upload.of(self._entropy(16), bytes.fromhex(bulletin.version), symbols, limit)
        self.queue.put(upload.encode(), int(now))


def first_is_tea(events: tuple[str, str], worker_class: type[Worker]) -> int:
    """Of how many of 400 uploads the first symbol is that of tea, at an ε that hardly randomises at all."""
    task, found = Task("bgr", Budget(10.0), DRINKS, k=1, cells=2, other=True), 0
    for device in range(UPLOADS):
        clock, folder = Days(), Path(mkdtemp(prefix="order-", dir=MEMORY))
        listener = Listener(task, clock)
        environment = Environment(clock, QuickDisk(), SeededWords(device), entropy=bytes, chance=lambda: 0.5)
        terms = (Ceilings(10.0, 100), Pace(gather=0, renew=900), environment, listener, NoLock())
        worker = worker_class(folder, task.id.hex(), "key", *terms)  # type: ignore[arg-type]
        worker.round()
        for item in events:
            worker.take(item)
        worker.round()
        rmtree(folder)
        ((_, _, _, symbols),) = listener.seen
        found += symbols[0] == task.encode("tea")
    return found


UPLOADS, HALF, FAR = 400, 200, 50


@pytest.mark.parametrize("events", [("tea", "milk"), ("milk", "tea")])
def test_the_order_of_symbols_does_not_tell_the_order_of_events(events: tuple[str, str]) -> None:
    """A fair order is 50 away from 200 of 400 with a chance of 4e-7."""
    assert abs(first_is_tea(events, Worker) - HALF) <= FAR
    assert abs(first_is_tea(events, KeepsTheOrder) - HALF) > FAR


def waited(make: Callable[..., Reporter], server: HostileServer, item: object, folder: Path) -> float:
    """How long an event waits in the real reporter, whose thread nobody hurries."""
    reporter = make(folder=folder, pace=replace(QUICK, gather=0.1, renew=10 * PATIENCE))
    while reporter.status().state != "ready":
        time.sleep(0.01)
    before, started = len(server.uploads), time.monotonic()
    assert reporter.report(item)
    while len(server.uploads) == before and time.monotonic() - started < PATIENCE:
        time.sleep(0.01)
    return time.monotonic() - started


def test_the_reporters_thread_wakes_for_every_item_alike(
    make: Callable[..., Reporter], server: HostileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tick is a tenth of a second; without a call the thread would sleep for longer than the test waits."""
    monkeypatch.setattr(background, "LONGEST_SLEEP", 2 * PATIENCE)
    server.max_age = int(10 * PATIENCE)
    for number, item in enumerate(("tea", "gin", 7)):
        assert waited(make, server, item, tmp_path / str(number)) < PATIENCE, item


def test_events_wait_for_their_tick_even_if_the_thread_wakes_before(tmp_path: Path) -> None:
    """A round for another reason, such as a renewal, leaves them alone, unless somebody presses."""
    clock, listener = Days(), Listener(TASKS["event"], Days())
    environment = Environment(clock, QuickDisk(), SeededWords(1), entropy=bytes, chance=lambda: 0.5)
    terms = (Ceilings(10.0, 100), Pace(gather=600.0, renew=900), environment, listener, NoLock())
    worker = Worker(tmp_path, TASKS["event"].id.hex(), "key", *terms)  # type: ignore[arg-type]
    worker.round()
    clock.passed += 100
    worker.take("tea")
    worker.round()
    assert not listener.seen
    worker.hurry()
    worker.round()
    assert len(listener.seen) == 1


class Evil:
    """Fails wherever it is looked at."""

    def __init__(self, failure: BaseException) -> None:
        object.__setattr__(self, "failure", failure)

    def __getattribute__(self, name: str):
        raise object.__getattribute__(self, "failure")

    def __index__(self) -> int:
        raise object.__getattribute__(self, "failure")


class Disguised:
    __class__ = str  # type: ignore[assignment]


@pytest.mark.parametrize("name", ["event", "period", "strings"])
def test_an_item_that_fails_wherever_it_is_looked_at_is_an_other(name: str, tmp_path: Path) -> None:
    failures = (RuntimeError(), SystemExit(), GeneratorExit(), CancelledError())
    for number, evil in enumerate((*map(Evil, failures), Disguised(), Reserved.NOTHING)):
        clock, folder = Days(), tmp_path / str(number)
        folder.mkdir()
        listener = Listener(TASKS[name], clock)
        environment = Environment(clock, QuickDisk(), SeededWords(1), entropy=bytes, chance=lambda: 0.5)
        terms = (Ceilings(10.0, 100), Pace(gather=0, renew=900), environment, listener, NoLock())
        worker = Worker(folder, TASKS[name].id.hex(), "key", *terms)  # type: ignore[arg-type]
        assert worker.take(evil), "before the task is known"
        assert worker.take("tea")
        worker.round()
        worker.round()
        assert worker.take(evil), "and after"
        assert worker.status(None, "").dropped == {}


@pytest.mark.parametrize("domain", [DRINKS, StringDomain(8)])
def test_of_a_long_item_only_the_length_is_looked_at(domain: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever times the uploads would otherwise see how long it was: to lower a million letters takes half a second."""
    read, in_one_case = [], reserved._in_one_case
    monkeypatch.setattr(reserved, "_in_one_case", lambda text, rule: read.append(len(text)) or in_one_case(text, rule))
    other = not isinstance(domain, StringDomain)
    task = Task("pfr", Budget(1.0), domain, k=1, cells=64, other=other, normalise="space and case")
    read.clear()
    assert task.encode(" TEA ") == task.encode("tea")
    assert task.encode("é" * 1_000_000) == task.encode(" " + "x" * 9)
    assert read == [3, 3]
    reserved.normalised("x" * 9, "case")
    assert read[-1] == 9, "so a long text that was read would be seen"


def test_an_item_is_encoded_once_and_not_kept(tmp_path: Path) -> None:
    clock, task = Days(), TASKS["event"]
    environment = Environment(clock, QuickDisk(), SeededWords(1), entropy=bytes, chance=lambda: 0.5)
    terms = (Ceilings(10.0, 100), Pace(gather=60, renew=900), environment, Listener(task, clock), NoLock())
    worker = Worker(tmp_path, task.id.hex(), "key", *terms)  # type: ignore[arg-type]
    worker.take("before the task is known")
    worker.round()
    worker.take("tea")
    assert [type(event.item) for event in worker.inbox._events] == [str, Encoded]
