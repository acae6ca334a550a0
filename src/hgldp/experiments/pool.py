"""All measurements on all cores: none is made twice, and each result is kept as soon as it is there.

Written by hand because a pool of the standard library stops as a whole when one worker dies; here only the
measurements of that worker fail, and the others go on.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path

from hgldp.experiments.cache import Cache
from hgldp.experiments.measurement import WARMUP, Measurement
from hgldp.experiments.measuring.measure import measure
from hgldp.experiments.measuring.streams import Drawn, Library
from hgldp.experiments.results import Results, Row
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.task import FRONTIER
from hgldp.simulation.generators import is_generator, parse_generator

Group = list[Measurement]
Advance = Callable[[float, float], None]
DIED = "the process that measured it died"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
FIXED = 0.002
PER_REPORT = 4e-8
PER_EPOCH = 2e-6
PFR, PER_CANDIDATE = 0.14, 5e-6
FITS_CACHE, OUT_OF_CACHE = 1_000_000, 1.8
EVERY_VALUE = {"olh": 0.7e-9, "oue": 4e-9, "sue": 4e-9, "rappor": 4e-9, "subset": 0.6e-9}
MOST_OPERATIONS = 2e9
COUNTS_ALONE = 1e-6
UNKNOWN_SIZE = 20_000


def cost(measurement: Measurement, library: Library) -> float:
    """About how many seconds on one core: only the shares matter, for the order of work and the time left."""
    items = library.about_items(measurement.stream)
    size = parse_generator(measurement.stream).d if is_generator(measurement.stream) else UNKNOWN_SIZE
    scheme = measurement.scheme
    if scheme in EVERY_VALUE and scheme in MECHANISMS:
        operations = items * size
        return FIXED + (operations * EVERY_VALUE[scheme] if operations <= MOST_OPERATIONS else size * COUNTS_ALONE)
    if scheme == WARMUP:
        return FIXED
    epoch = measurement.get("epoch")
    epochs = items / epoch * PER_EPOCH if isinstance(epoch, int) else 0.0
    search = PFR + size * PER_CANDIDATE if scheme == FRONTIER else 0.0
    return FIXED + items * PER_REPORT * (OUT_OF_CACHE if size > FITS_CACHE else 1.0) + epochs + search


@dataclass(frozen=True)
class Workload:
    """What is wanted, what of it is known, and the rest in groups by stream and seed, the costliest group first."""

    wanted: tuple[Measurement, ...]
    known: dict[Measurement, Row]
    groups: tuple[Group, ...]
    seconds: float

    @classmethod
    def of(cls, measurements: Sequence[Measurement], cache: Cache, library: Library) -> "Workload":
        """Each measurement once, however many figures ask for it."""
        wanted = tuple(dict.fromkeys(measurements))
        known = cache.find(wanted)
        gathered: dict[tuple[str, int], Group] = {}
        for one in wanted:
            if one not in known:
                gathered.setdefault((one.stream, one.seed), []).append(one)
        costs = {place: sum(cost(one, library) for one in group) for place, group in gathered.items()}
        order = sorted(gathered, key=lambda place: -costs[place])
        return cls(wanted, known, tuple(gathered[place] for place in order), sum(costs.values()))

    @property
    def left(self) -> int:
        """How many measurements there are to make."""
        return sum(len(group) for group in self.groups)


def work(load: Workload, cache: Cache, library: Library, advance: Advance) -> Results:
    """Make what is left. `advance` is called with (seconds of work done, seconds in all), both estimated by `cost`."""
    found, done = dict(load.known), 0.0
    for row in _results(load.groups, library.folder):
        cache.add(row)
        found[row.measurement] = row
        done += cost(row.measurement, library)
        advance(done, load.seconds)
    return Results.of(found[one] for one in load.wanted)


def _results(groups: Sequence[Group], folder: Path | None) -> Iterator[Row]:
    """Every row of every group as it comes; what a dead worker still had to do comes as failures."""
    waiting = list(reversed(groups))
    with _workers(min(cores(), len(groups)), folder) as workers:
        busy: dict[Connection, Group] = {}
        for number, worker in enumerate(workers):
            _send_group(worker, waiting, busy, backwards=number % 2 == 1)
        while busy:
            ready = wait(list(busy))
            for worker in [one for one in busy if one in ready]:
                try:
                    row: Row | None = worker.recv()
                except (EOFError, ConnectionResetError):
                    yield from (Row(one, failure=DIED) for one in busy.pop(worker))
                    continue
                if row is not None:
                    busy[worker].remove(row.measurement)
                    yield row
                else:
                    del busy[worker]
                    _send_group(worker, waiting, busy)
        yield from (Row(one, failure=DIED) for group in waiting for one in group)


def _send_group(
    worker: Connection, waiting: list[Group], busy: dict[Connection, Group], *, backwards: bool = False
) -> None:
    """The next group, if there is one. Backwards, so that two workers do not begin by compiling the same kernels."""
    if waiting:
        group = waiting.pop()
        busy[worker] = list(group)
        worker.send(group[::-1] if backwards else group)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _workers(number: int, folder: Path | None) -> Iterator[list[Connection]]:
    """Connections to new processes, which end with this block at the latest."""
    context = get_context("spawn")
    connections: list[Connection] = []
    processes: list[SpawnProcess] = []
    try:
        with _one_thread_each():
            for _ in range(number):
                ours, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs, folder), daemon=True)
                process.start()
                theirs.close()
                connections.append(ours)
                processes.append(process)
        yield connections
    finally:
        for connection in connections:
            connection.close()
        for process in processes:
            process.terminate()
            process.join()


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Set in the environment that new processes inherit."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _serve(requests: Connection, folder: Path | None) -> None:
    """What a worker does until the other side closes the connection or dies. It leaves interrupts to the other side."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    library = Library(folder)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            group: Group = requests.recv()
            drawn: Drawn | None = None
            for one in group:
                try:
                    drawn = drawn or library.draw(one.stream, one.seed)
                    row = Row(one, measure(one, drawn))
                except Exception as failure:  # noqa: BLE001 - a failure is a result too, and is shown as such
                    row = Row(one, failure=f"{type(failure).__name__}: {failure}")
                requests.send(row)
            requests.send(None)
