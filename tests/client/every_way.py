"""The real client, made to live through every draw that it could make: what a server sees, with exact probabilities.

The lots, the reservoir and the shuffle are the client's own and are walked through one by one. Only a symbol is drawn
from the scheme's exact row instead of from its sampler, which has billions of runs (the samplers are proved elsewhere).
"""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hgldp.checks.every_draw import EveryDraw
from hgldp.client import agreement
from hgldp.client.environment import Disk, Environment
from hgldp.client.pace import Pace
from hgldp.client.randomizer import Randomizer
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.worker import Worker
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.domain import Code
from hgldp.model.reports import Report
from hgldp.model.task import Task
from hgldp.system.clock import DAY_SECONDS
from hgldp.system.http import Answer
from hgldp.tracker import Tracker
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload
from tests.client.memory_folder import MemoryPath

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - thousands of small files
NOON = 20_000.5 * DAY_SECONDS
Seen = tuple[Any, ...]
Outcomes = dict[Seen, Fraction]
Steps = Sequence[Sequence[object]]
"""What a person does, day by day: the events of each day."""


class EveryWay(EveryDraw):
    """Walks through uneven draws too."""

    def __init__(self) -> None:
        super().__init__()
        self.factor = Fraction(1)

    def rewind(self) -> bool:
        self.factor = Fraction(1)
        return super().rewind()

    def below(self, bound: int) -> int:
        """A start of periods has 86,400 values and decides nothing here: all days begin at noon."""
        return bound // 2 if bound >= DAY_SECONDS else super().below(bound)

    def choose(self, law: dict[int, Fraction]) -> int:
        symbols = sorted(law)
        symbol = symbols[super().below(len(symbols))]
        self.factor *= law[symbol] * len(symbols)
        return symbol

    @property
    def chance(self) -> Fraction:
        return self.probability * self.factor


class QuickDisk(Disk):
    """Nobody pulls the plug here."""

    def create(self, path: Path, data: bytes, *, append: bool = False) -> None:
        path.write_bytes((path.read_bytes() if append and path.exists() else b"") + data)

    def sync_folder(self, folder: Path) -> None:
        """Nothing to force down."""


class NoLock:
    def verify(self) -> None:
        """Nobody else is here."""

    def release(self) -> None:
        """Nothing is held."""


class Days:
    """A clock that steps from noon to noon."""

    def __init__(self) -> None:
        self.passed = 0.0

    def now(self) -> float:
        return NOON + self.passed

    def monotonic(self) -> float:
        return self.passed


class Listener:
    """A server that writes down what it sees: the moment, the size and the symbols of each upload."""

    def __init__(self, task: Task, clock: Days) -> None:
        self.task, self.clock = task, clock
        self.seen: list[Any] = []

    @cached_property
    def tracker(self) -> Tracker:
        return Tracker(self.task, seed=1)

    @property
    def bulletin(self) -> AnyBulletin:
        return self.tracker.bulletin

    def get(self, path: str, most_bytes: int = 0) -> Answer:
        bulletin = self.bulletin
        if path.endswith("/document"):
            return Answer(200, self.task.canonical)
        if path.endswith("/bulletin"):
            told = {"task": self.task.id.hex(), "bulletin": bulletin.version, "epoch": bulletin.epoch, "max_age": 86400}
            return Answer(200, json.dumps(told).encode())
        return Answer(200, bulletin.canonical)

    def post(self, path: str, body: bytes) -> Answer:
        upload = Upload.decode(body)
        symbols = tuple(upload.payload[: upload.count])
        self.seen.append((self.clock.passed, len(body), self.bulletin.epoch, symbols))
        return Answer(200, f'{{"accepted":{upload.count}}}'.encode())

    def open(self) -> None:
        """There is always a connection."""

    def rest(self) -> None:
        """Nothing to close."""


@cache
def bulletin_after(task: Task, epochs: int) -> AnyBulletin:
    """What is published after so many epochs in which nothing was counted: the same in every life."""
    tracker = Tracker(task, seed=1)
    for _ in range(epochs):
        tracker.seal()
    return tracker.bulletin


class CountsNothing(Listener):
    """Publishes a bulletin after the other, whatever it hears."""

    epochs = 0

    @property
    def bulletin(self) -> AnyBulletin:
        return bulletin_after(self.task, self.epochs)


_read_once = cache(read_task)
"""A life starts with the task's document, and it is the same one in thousands of lives."""


def law_of(randomizer: Randomizer, code: Code, bulletin: Any) -> dict[int, Fraction]:
    """The exact law of one report, from the scheme's row."""
    (row,) = randomizer._scheme.rows([code], bulletin)
    return {symbol: chance for symbol, chance in row.items() if chance}


def _drawing(words: EveryWay) -> Callable[..., Report]:
    """A randomiser that draws from rows, and afresh each time: what is sent once, the client itself must see to."""

    def draw(self: Randomizer, code: Code, bulletin: Any) -> Report:
        return Report(bulletin.version, words.choose(law_of(self, code, bulletin)))

    return draw


def lived(
    task: Task, steps: Steps, worker_class: type[Worker] = Worker, *, new_key_every: int = 0, waits: bool = False
) -> Outcomes:
    """Everything that a server might see of a person who lives these days, each with its exact probability.

    If the last event of a day `waits`, nobody looks at it before the day is over.
    """
    outcomes: Outcomes = {}
    words = EveryWay()
    while words.rewind():
        seen = _one_life(task, steps, words, worker_class, new_key_every, waits)
        outcomes[seen] = outcomes.get(seen, Fraction(0)) + words.chance
    assert sum(outcomes.values()) == 1
    return outcomes


def _one_life(
    task: Task, steps: Steps, words: EveryWay, worker_class: type[Worker], new_key_every: int, waits: bool
) -> Seen:
    clock, ids = Days(), count()
    listener = CountsNothing(task, clock)
    environment = Environment(
        clock, QuickDisk(), words, entropy=lambda size: next(ids).to_bytes(size, "big"), chance=lambda: 0.5
    )
    terms = ("key", Ceilings(10.0, 100), Pace(gather=0, renew=900), environment, listener, NoLock())
    with patch.object(Randomizer, "_draw", _drawing(words)), patch.object(agreement, "read_task", _read_once):
        worker = worker_class(MemoryPath(), task.id.hex(), *terms)  # type: ignore[arg-type]
        for day, events in enumerate(steps):
            if new_key_every and day and day % new_key_every == 0:
                listener.epochs += 1
                clock.passed += 1000
            worker.round()
            at_once = len(events) - waits
            for event in events[:at_once]:
                worker.take(event)
            worker.round()
            for event in events[at_once:]:
                worker.take(event)
            clock.passed = (day + 1.0) * DAY_SECONDS
        worker.round()
        worker.round()
    return tuple(listener.seen)


def worst_ratio(some: Outcomes, others: Outcomes) -> Fraction | None:
    """The largest ratio of the probabilities of anything that a server might see, both ways; None if it is infinite."""
    if some.keys() != others.keys():
        return None
    return max(max(some[seen] / others[seen], others[seen] / some[seen]) for seen in some)
