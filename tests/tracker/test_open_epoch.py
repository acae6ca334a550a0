"""A tracker goes on from its last seal and its open epoch, bit for bit, wherever in the epoch it was put down."""

import random

import numpy as np
import pytest

from hgldp.errors import HgldpError, MalformedState
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.tracker import Tracker
from tests.collector.fakes import HOT, SEARCH, STRINGS

BDR = Task("bdr", epsilon=1.0, domain=range(60), k=3, cells=6, epoch=40)
TASKS = (HOT, BDR, SEARCH, STRINGS)


class Life:
    """Random reports, some of them late, and what each seal left behind."""

    def __init__(self, task: Task, seed: int) -> None:
        self.draw, self.kept = random.Random(seed), []
        self.tracker = Tracker(task, seed)
        self.state = self.tracker.serialize()
        self.bulletins = self.tracker.bulletins
        self.tracker.when_sealed = self.sealed

    def sealed(self, _: object, state: bytes) -> None:
        self.state, self.bulletins = state, self.tracker.bulletins
        assert self.tracker.ended_epoch is not None
        self.kept.append((self.tracker.ended_epoch, state, self.tracker.bulletin.version))

    def arrive(self) -> tuple[str, list[int]]:
        late = self.draw.random() < 0.3
        bulletin = self.draw.choice(self.tracker.bulletins) if late else self.tracker.bulletin
        limit = scheme_of(self.tracker.task).symbol_limit(bulletin)  # type: ignore[arg-type]
        return bulletin.version, [self.draw.randrange(limit) for _ in range(self.draw.randrange(1, 5))]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.scheme}-{task.domain.size}")
def test_put_down_and_taken_up_after_every_batch_it_is_the_same_tracker(task: Task) -> None:
    life = Life(task, 1)
    for _ in range(120):
        opened = life.tracker.open_epoch()
        assert opened is not None
        twin = Tracker.restore(task, life.state, life.bulletins[:-1])
        twin.reopen(opened)
        version, symbols = life.arrive()
        twin.when_sealed = lambda *_: None
        for each in (life.tracker, twin):
            each.insert_many(version, symbols)
        assert twin.open_epoch() == life.tracker.open_epoch()
        assert (twin.top(), twin.reports, twin.bulletin) == (
            life.tracker.top(),
            life.tracker.reports,
            life.tracker.bulletin,
        )
    assert len(life.kept) > 2


@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.scheme}-{task.domain.size}")
def test_what_each_epoch_left_derives_every_state_and_bulletin_again(task: Task) -> None:
    life = Life(task, 2)
    for _ in range(150):
        life.tracker.insert_many(*life.arrive())
    again: list[bytes] = []
    twin = Tracker(task, 2, when_sealed=lambda _, state: again.append(state))
    for opened, state, version in life.kept:
        twin.reopen(opened)
        assert twin.seal().version == version
        assert again[-1] == state
    assert len(again) == len(life.kept) > 2


@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.scheme}-{task.domain.size}")
def test_hostile_bytes_are_refused_and_change_nothing(task: Task) -> None:
    life = Life(task, 3)
    life.tracker.insert_many(life.tracker.bulletin.version, [0, 1])
    opened = life.tracker.open_epoch()
    assert opened is not None
    twin = Tracker.restore(task, life.state, life.bulletins[:-1])
    draw = random.Random(4)
    for _ in range(300):
        at, bit = draw.randrange(len(opened)), 1 << draw.randrange(8)
        flipped = opened[:at] + bytes([opened[at] ^ bit]) + opened[at + 1 :]
        with pytest.raises(MalformedState):
            twin.reopen(flipped)
    for each in (b"", opened[:-1], opened + b"x"):
        with pytest.raises(HgldpError):
            twin.reopen(each)
    assert twin.reports == 0
    twin.reopen(opened)
    assert twin.open_epoch() == opened


def test_a_histogram_of_another_size_is_refused() -> None:
    twin = Tracker(SEARCH, 1)
    with pytest.raises(HgldpError):
        twin.family.store.merge_late(twin.bulletin, np.zeros(3, np.int64))  # type: ignore[attr-defined]
