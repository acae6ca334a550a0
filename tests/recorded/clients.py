"""What clients take, spend and send in a seeded life: a device of one person, and a server with three.

Every draw is the middle of what could be drawn, and ε is so high that this is the truth: no order of draws matters.
"""

import random
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from hgldp.client.environment import Environment
from hgldp.client.pace import Pace
from hgldp.client.people.worker import PeopleWorker
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.status import Outcome
from hgldp.client.worker import Worker
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.randomness import Words
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.system.clock import DAY_SECONDS
from hgldp.system.folder_lock import FolderLock
from hgldp.wire.upload import Upload
from tests.client.device import Wire
from tests.client.every_way import MEMORY, QuickDisk
from tests.recorded.record import Case, Found

STEPS, ITEMS = 150, 7  # items 5 and 6 are not listed
PACE = Pace(gather=0, renew=1)
HOUR = 3_600
ONE, THREE = ("ann",), ("ann", "bob", "cem")
PASSING = (60, HOUR, 7 * HOUR, DAY_SECONDS, 8 * DAY_SECONDS)
LAPSES = ("none", "none", "none", "answer lost", "request lost", "busy", "gone", "made up")
KINDS = {"event": 8, "round": 4, "time": 2, "lapse": 1, "seal": 1, "restart": 1}


class _Middle(Words):
    def word(self) -> int:
        return 1 << 63

    def below(self, bound: int) -> int:
        return bound // 2


class _Clock:
    def __init__(self) -> None:
        self.date, self.passed = 20_000.5 * DAY_SECONDS, 0.0

    def now(self) -> float:
        return self.date

    def monotonic(self) -> float:
        return self.passed

    def advance(self, seconds: float) -> None:
        self.date += seconds
        self.passed += seconds


class _Client(Protocol):
    """A client of one task, stepped by hand. Each way to make one is all that has to change with its inside."""

    def take(self, person: str, item: object) -> Outcome: ...
    def round(self) -> None: ...
    def told(self) -> str: ...
    def close(self) -> None: ...


class _Device:
    """A `Reporter` without its thread."""

    def __init__(self, folder: Path, *terms: Any) -> None:
        self._lock = FolderLock(folder)
        self._worker = Worker(folder, *terms, self._lock)

    def take(self, person: str, item: object) -> Outcome:
        return self._worker.take(item)

    def round(self) -> None:
        self._worker.round()

    def told(self) -> str:
        page = self._worker.ledger.page
        return f"{self._worker.status(None, '')}\n{page.reports} reports"

    def close(self) -> None:
        self._worker.settle()
        self._lock.release()


class _People:
    """A `People` without its thread."""

    def __init__(self, folder: Path, *terms: Any) -> None:
        self._worker = PeopleWorker(folder, *terms)

    def take(self, person: str, item: object) -> Outcome:
        return self._worker.take(self._worker.key_of(person), item)

    def round(self) -> None:
        self._worker.round()

    def told(self) -> str:
        pages = {person: self._worker.look_up(self._worker.key_of(person)).page for person in THREE}
        spent = [f"{person} {page.reports} reports" for person, page in pages.items()]
        return "\n".join([str(self._worker.status(None, "")), *spent])

    def close(self) -> None:
        self._worker.settle()


def _task(budget: Budget, **terms: Any) -> Task:
    return Task("dsr", budget, RangeDomain(5), k=2, cells=3, other=True, **terms)


TASKS: dict[str, tuple[Task, Ceilings]] = {
    "event": (_task(Budget(9.0)), Ceilings(9.0, 4)),
    "daily-limit-of-the-task": (_task(Budget(9.0), daily_reports=2), Ceilings(9.0, 4)),
    "most-in-all": (_task(Budget(9.0)), Ceilings(9.0, 100, max_total_epsilon=27.0)),
    "too-expensive": (_task(Budget(9.0)), Ceilings(8.0)),
    "window-population": (_task(Budget(9.0, "window", events=3)), Ceilings(9.0)),
    "window-budget": (_task(Budget(9.0, "window", events=3, division="budget")), Ceilings(9.0, 6)),
    "user-population": (_task(Budget(9.0, "user", events=4)), Ceilings(9.0)),
    "user-budget": (_task(Budget(9.0, "user", events=5, division="budget")), Ceilings(9.0)),
    "period": (_task(Budget(9.0, "period")), Ceilings(9.0)),
    "period-of-a-week": (_task(Budget(9.0, "period", period="week")), Ceilings(9.0)),
    "period-with-nothing": (_task(Budget(9.0, "period"), nothing=True), Ceilings(9.0)),
    "one-answer": (_task(Budget(9.0), one_answer=True, epoch_seconds=HOUR), Ceilings(9.0)),
    "period-one-answer": (_task(Budget(9.0, "period"), one_answer=True, epoch_seconds=HOUR), Ceilings(9.0)),
    "keys": (
        Task("pfr", Budget(9.0), RangeDomain(5), k=2, other=True, keys="week", one_answer=True),
        Ceilings(9.0),
    ),
}


class _Life:
    """A client, the collector that it talks to, and what was seen of it, step by step."""

    def __init__(self, make: Callable[..., _Client], folder: Path, task: Task, ceilings: Ceilings) -> None:
        ids = count()
        self._clock, self._wire = _Clock(), Wire(task)
        self._draw, self._known, self._bulletins = random.Random(1), set[bytes](), [self._wire.tracker.bulletin]
        environment = Environment(
            self._clock, QuickDisk(), _Middle(), lambda size: next(ids).to_bytes(size, "big"), lambda: 0.5
        )
        self._start = lambda: make(folder, task.id.hex(), "key", ceilings, PACE, environment, self._wire)
        self._client = self._start()

    def run(self, people: tuple[str, ...]) -> Found:
        """A round first, so that the task is known; the last one finds everything in order."""
        self._client.round()
        lines = [self._step(kind, people) for kind in self._draw.choices([*KINDS], [*KINDS.values()], k=STEPS)]
        self._wire.lapse = "none"
        lines += [f"{self._pass(DAY_SECONDS)}: {self._round()}" for _ in range(3)]
        told = self._client.told()
        self._client.close()
        return {"steps": "\n".join(lines), "told": told}

    def _step(self, kind: str, people: tuple[str, ...]) -> str:
        if kind == "event":
            person, item = self._draw.choice(people), self._draw.randrange(ITEMS)
            return f"{person} {item}: {self._client.take(person, item).name}"
        if kind == "round":
            return f"{self._pass(60)}: {self._round()}"
        if kind == "time":
            return self._pass(self._draw.choice(PASSING))
        if kind == "lapse":
            self._wire.lapse = self._draw.choice(LAPSES)
            return f"the wire: {self._wire.lapse}"
        if kind == "restart":
            self._client.close()
            self._client = self._start()
            return "a restart"
        self._bulletins.append(self._wire.tracker.seal())
        return "an epoch ends"

    def _pass(self, seconds: int) -> str:
        self._clock.advance(seconds)
        return f"{seconds} seconds"

    def _round(self) -> str:
        """What came over the wire for the first time: bulletin and symbols of each upload, in order of size."""
        self._client.round()
        fresh = self._wire.seen.keys() - self._known
        self._known |= fresh
        return ", ".join(sorted(self._upload(min(self._wire.seen[one])) for one in fresh)) or "nothing new"

    def _upload(self, body: bytes) -> str:
        upload = Upload.decode(body)
        epoch = next(each.epoch for each in self._bulletins if each.version == upload.bulletin.hex())
        symbols = sorted(upload.symbols(scheme_of(self._wire.task).symbol_limit(self._bulletins[epoch])))
        return f"{symbols} to bulletin {epoch}"


def _lived(make: Callable[..., _Client], people: tuple[str, ...], task: Task, ceilings: Ceilings) -> Found:
    with TemporaryDirectory(dir=MEMORY) as folder:
        return _Life(make, Path(folder), task, ceilings).run(people)


CASES: dict[str, Case] = {
    f"{kind}-{name}": partial(_lived, make, people, task, ceilings)
    for kind, make, people in (("device", _Device, ONE), ("people", _People, THREE))
    for name, (task, ceilings) in TASKS.items()
}
