"""A short life of a collector in a temporary folder, which compiles each of its kernels.

`python -m hgldp.collector.rehearsal FOLDER` expects a pipe as standard input, and ends when that is closed.
"""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from hgldp.client import Randomizer
from hgldp.collector.collector import Collector
from hgldp.collector.log.replay import replay
from hgldp.collector.views import TaskTerms
from hgldp.kernels.compile import code_folder
from hgldp.model.domain import StringDomain
from hgldp.model.randomness import SeededWords
from hgldp.model.task import Task
from hgldp.planning.launch import launch
from hgldp.planning.shapes import listed_shapes, open_shapes
from hgldp.schemes.registry import HOT_LISTS
from hgldp.system.code_folder import COMPLETE
from hgldp.tracker import Tracker
from hgldp.wire.upload import Upload

REPORTS = 200
STANDARD_INPUT, STANDARD_OUTPUT = 0, 1


def main() -> int:
    """Fill the folder for machine code, and write a byte after each step."""
    threading.Thread(target=_end_with_the_other, daemon=True).start()
    folder = code_folder()
    if folder is None:
        return 1
    fill(Path(folder), Path(sys.argv[1]), lambda: os.write(STANDARD_OUTPUT, b"."))
    return 0


def _end_with_the_other() -> None:
    """Nothing is ever written to the pipe: it ends when the other process does, even by SIGKILL."""
    os.read(STANDARD_INPUT, 1)
    os._exit(1)


def fill(folder: Path, data: Path, advance: Callable[[], object] = lambda: None) -> None:
    """Compile, and mark the folder as complete. `data` is an empty folder; `advance` is called after each step."""
    live(data, advance)
    replay(data)
    advance()
    (folder / COMPLETE).touch()


def live(data: Path, advance: Callable[[], object] = lambda: None) -> None:
    """Create a task of every kind, count reports, end epochs, and ask; then recover all of it."""
    for task in tasks():
        rehearse(task)
        shapes = open_shapes(REPORTS) if isinstance(task.domain, StringDomain) else listed_shapes(task.domain_size)
        next(launch(task, shapes[0], [20 * REPORTS], seed=1))  # what a plan of /plan needs beside that
        advance()
    collector = Collector.open(data)
    try:
        for task in tasks():
            collector.create_task(task, TaskTerms(task.scheme))
            for seed in range(2):
                _send(collector, task, seed)
                collector.top(task.id)
                collector.seal(task.id)
            _send(collector, task, 2)
            collector.top(task.id, 1)
            if task.scheme == "pfr" and not isinstance(task.domain, StringDomain):
                collector.top(task.id, 1, REPORTS)
            advance()
    finally:
        collector.close()
    Collector.open(data).close()
    advance()


def rehearse(task: Task) -> None:
    """The longest to compile, where nobody waits for a collector: ends of epochs and answers."""
    tracker, client = Tracker(task, seed=1), Randomizer(task, task.budget.epsilon, SeededWords(1))
    item = "a" if isinstance(task.domain, StringDomain) else 1
    for _ in range(2):
        bulletin = tracker.bulletin
        tracker.insert_many(bulletin.version, [client.report(item, bulletin).symbol for _ in range(REPORTS)])
        tracker.seal()
    tracker.top()


def tasks() -> list[Task]:
    """One for every kind of server."""
    listed = [Task(scheme, epsilon=2.0, domain=range(64), k=2, epoch=1_000) for scheme in ("pfr", *HOT_LISTS)]
    return [*listed, Task("pfr", epsilon=2.0, domain=8, k=2)]


def _send(collector: Collector, task: Task, seed: int) -> None:
    view = collector.view(task.id)
    if view is None:
        return
    client, bulletin = Randomizer(task, task.budget.epsilon, SeededWords(seed)), view.bulletin
    item = "a" if isinstance(task.domain, StringDomain) else 1
    symbols = [client.report(item, bulletin).symbol for _ in range(REPORTS)]
    version = bytes.fromhex(bulletin.version)
    limit = int.from_bytes(view.formats[version].last, "big") + 1
    collector.offer(view, Upload.of(bytes([seed]) * 16, version, symbols, limit).encode())


if __name__ == "__main__":
    sys.exit(main())
