"""A device that tests drive: its disk dies at any step, its wire loses anything, its clock is wrong.

`Device` is a state machine of hypothesis. Those that inherit from it say what a person does, and what must hold.
"""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TypeVar
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from hgldp.client.environment import Environment
from hgldp.client.pace import Pace
from hgldp.client.randomizer import Randomizer
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.spending.page import Page
from hgldp.client.worker import Worker
from hgldp.model.task import Task
from hgldp.system.clock import DAY_SECONDS
from hgldp.system.folder_lock import FolderLock
from hgldp.system.http import Answer, Unreachable
from hgldp.tracker import Tracker
from hgldp.wire.upload import Upload
from tests.client.crash_disk import Crash, CrashDisk
from tests.client.every_way import MEMORY

LAPSES = ("none", "none", "request lost", "answer lost", "busy", "gone", "made up")
MANY = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
UNTIL_FOUND = settings(MANY, phases=[Phase.generate], report_multiple_bugs=False)


class Wire:
    """A collector at the other end of a wire on which anything may be lost."""

    def __init__(self, task: Task) -> None:
        self.task, self.tracker = task, Tracker(task, seed=1)
        self.lapse = "none"
        self.seen: dict[bytes, set[bytes]] = {}
        self.counted: set[bytes] = set()

    def get(self, path: str, most_bytes: int = 0) -> Answer:
        if self.lapse == "request lost":
            raise Unreachable("lost")
        bulletin = self.tracker.bulletin
        if path.endswith("/document"):
            return Answer(200, self.task.canonical)
        if path.endswith("/bulletin"):
            fields = {
                "task": self.task.id.hex(),
                "bulletin": bulletin.version,
                "epoch": bulletin.epoch,
                "max_age": 4000,
            }
            return Answer(200, json.dumps(fields).encode())
        return Answer(200, bulletin.canonical)

    def open(self) -> None:
        """There is always a connection; requests are lost on it."""

    def post(self, path: str, body: bytes) -> Answer:
        upload = Upload.decode(body)
        self.seen.setdefault(upload.id, set()).add(body)
        if self.lapse in ("request lost", "busy", "gone", "made up"):
            if self.lapse == "request lost":
                raise Unreachable("lost")
            return {"busy": Answer(503, b"", 1.0), "gone": Answer(410, b""), "made up": Answer(200, b"hi")}[self.lapse]
        self.counted.add(upload.id)
        if self.lapse == "answer lost":
            raise Unreachable("lost")
        return Answer(200, json.dumps({"accepted": upload.count}).encode())

    def rest(self) -> None:
        """Nothing to close."""


class WrongClock:
    def __init__(self) -> None:
        self.date, self.passed = 20_000.5 * DAY_SECONDS, 0.0

    def now(self) -> float:
        return self.date

    def monotonic(self) -> float:
        return self.passed


class Device(RuleBasedStateMachine):
    """Every draw of its randomiser is written down in `drawn`, and must stand in the ledger on the disk before."""

    task: Task
    pace: Pace
    ceilings: Ceilings
    worker_class: type[Worker] = Worker
    disk_class: type[CrashDisk] = CrashDisk

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp(dir=MEMORY))
        self.lock = FolderLock(self.folder)
        self.disk, self.clock, self.wire = self.disk_class(), WrongClock(), Wire(self.task)
        self.events, self.drawn = 0, Counter[object]()
        self.ids = iter(range(1 << 40))
        draw = Randomizer._draw
        self._spy = patch.object(Randomizer, "_draw", lambda one, code, bulletin: self._draw(draw, one, code, bulletin))
        self._spy.start()
        self._open()

    def teardown(self) -> None:
        self._spy.stop()
        self.lock.release()
        rmtree(self.folder)

    def _draw(self, draw: Callable[..., object], one: Randomizer, code: object, bulletin: object) -> object:
        page = Page.decode((self.folder / "ledger").read_bytes())
        self.drawn[self.paid_for(code, page)] += 1
        assert page.reports >= self.drawn.total(), "drawn before it was reserved"
        return draw(one, code, bulletin)

    def paid_for(self, code: object, page: Page) -> object:
        """What a draw spends ε for, once: here an event, whose code is its number."""
        return code

    def _open(self) -> None:
        """Start the client, or start it again."""
        ids = self.ids
        environment = Environment(
            self.clock, self.disk, entropy=lambda size: next(ids).to_bytes(size, "big"), chance=lambda: 0.5
        )
        self.lock.release()
        self.lock = FolderLock(self.folder)
        parts = (self.ceilings, self.pace, environment, self.wire, self.lock)
        self.worker = self.worker_class(self.folder, self.task.id.hex(), "key", *parts)  # type: ignore[arg-type]

    def _surviving(self, step: Callable[[], object], lost: float) -> None:
        """Do something; if the power fails, lose some of what was unsure and start again."""
        while True:
            try:
                step()
                break
            except Crash:
                self.disk.lose(round(lost * self.disk.unsure))
                step = self._open
            except OSError:
                break
        self.disk.fuse = None

    @rule(lost=st.floats(0, 1), fuse=st.none() | st.integers(0, 25), power_fails=st.booleans())
    def round(self, lost: float, fuse: int | None, power_fails: bool) -> None:
        self.disk.fuse, self.disk.power_fails = fuse, power_fails
        self._surviving(self.worker.round, lost)

    @rule(lapse=st.sampled_from(LAPSES))
    def wire_lapses(self, lapse: str) -> None:
        self.wire.lapse = lapse

    @rule(back=st.integers(1, 50 * DAY_SECONDS))
    def the_date_is_set_back(self, back: int) -> None:
        self.clock.date -= back

    @rule()
    def an_epoch_ends(self) -> None:
        self.wire.tracker.seal()

    @rule(lost=st.floats(0, 1), fuse=st.none() | st.integers(0, 10))
    def the_power_fails(self, lost: float, fuse: int | None) -> None:
        self.disk.lose(round(lost * self.disk.unsure))
        self.disk.fuse, self.disk.power_fails = fuse, True
        self._surviving(self._open, lost)

    @invariant()
    def no_event_or_period_was_drawn_twice(self) -> None:
        assert not self.drawn or max(self.drawn.values()) == 1

    @invariant()
    def one_upload_id_has_one_sequence_of_bytes(self) -> None:
        assert all(len(bodies) == 1 for bodies in self.wire.seen.values())


T = TypeVar("T", bound=Device)


def tell_and_search(story: Callable[[type[T]], object], machine: type[T]) -> None:
    """Live through a story, and then through whatever hypothesis finds: a bug shows in one of them."""
    story(machine)
    run_state_machine_as_test(machine, settings=UNTIL_FOUND)
