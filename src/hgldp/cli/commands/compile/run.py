"""`hgldp compile`: a short life of a collector in a temporary folder, which compiles each of its kernels."""

from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from hgldp.cli.output import write_error, write_output
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
from hgldp.system.code_folder import COMPLETE, VARIABLE
from hgldp.tracker import Tracker
from hgldp.wire.upload import Upload

NO_FOLDER = 1
REPORTS = 200


def run(_: Namespace) -> int:
    """Say where the code is now, or that no folder can keep it."""
    began, folder = perf_counter(), code_folder()
    if folder is None:
        write_error(f"No folder can keep machine code. Set {VARIABLE} to a folder that only you can write.")
        return NO_FOLDER
    with TemporaryDirectory() as data:
        live(Path(data))
        replay(Path(data))
    (Path(folder) / COMPLETE).touch()
    write_output(f"Compiled in {perf_counter() - began:.1f} s, into {folder}\n")
    return 0


def live(data: Path) -> None:
    """Create a task of every kind, count reports, end epochs, and ask; then recover all of it."""
    for task in tasks():
        rehearse(task)
        shapes = open_shapes(REPORTS) if isinstance(task.domain, StringDomain) else listed_shapes(task.domain_size)
        next(launch(task, shapes[0], [20 * REPORTS], seed=1))  # what a plan of /plan needs beside that
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
    finally:
        collector.close()
    Collector.open(data).close()


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
