"""A collector's life over several epochs, with late reports, and what each of its epochs counted."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hgldp.collector.log.storage import BulletinRow, KeptEpoch, ResultRow, TaskRow
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.task import Task
from tests.collector.fakes import FakeClock, create, now, open_by_hand, upload

LISTED = Task("pfr", Budget(3.0), RangeDomain(50), k=3, cells=16, memory=4096, epoch=40)
STRINGS = Task("pfr", Budget(4.0), StringDomain(8), k=2, cells=64, epoch=50)
FAMILIES = {"listed": LISTED, "strings": STRINGS}


@dataclass(frozen=True)
class Life:
    """What is in a folder after some life of a task."""

    folder: Path
    row: TaskRow
    bulletins: Sequence[BulletinRow]
    results: Sequence[ResultRow]
    kept: Sequence[KeptEpoch]
    states: Sequence[bytes]


def live(folder: Path, task: Task, uploads: int = 70, seed: int = 1) -> Life:
    """Uploads of several reports, one in four for an earlier bulletin; runs end epochs in their middle; one is open."""
    draw, collector = random.Random(seed), open_by_hand(folder, FakeClock())
    (view,) = create(collector, task)
    states = []
    for number in range(uploads):
        here = now(collector, view)
        chosen = draw.choice(here.bulletins) if number % 4 == 0 else here.bulletin
        for body in (
            upload(here, draw.randrange(1, 20), chosen, seed=3 * number),
            upload(here, 9, seed=3 * number + 1),
        ):
            collector.offer(here, body)
        collector.step()
        snapshot = collector.storage.snapshot(view.number)
        if snapshot is not None and (not states or snapshot.state != states[-1]):
            states.append(snapshot.state)
    if not now(collector, view).in_epoch:
        collector.offer(now(collector, view), upload(now(collector, view), 3, seed=3 * uploads))
        collector.step()
    storage = collector.storage
    (row,) = storage.tasks()
    found = Life(folder, row, storage.bulletins(1), storage.results(1), storage.kept(1), states)
    collector.close()
    return found


def pairs(life: Life) -> Iterator[tuple[KeptEpoch, ResultRow, BulletinRow]]:
    """What each epoch counted, what it published, and the bulletin after it."""
    return zip(life.kept, life.results, life.bulletins[1:], strict=True)
