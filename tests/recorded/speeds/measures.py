"""What is measured. Each measure takes all sides in turns, so that a busy machine disturbs them alike."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.postgres import programs, running
from tests.recorded.speeds.collector import Collector
from tests.recorded.speeds.side import Side

FIRST = ("simulate", "normal:n=100000,d=1000,sigma=5", "--epsilon", "2", "--k", "10", "--seed", "1", "--no-progress")
CONNECTIONS = {4_096: 16, 1: 256}
SYNCED = {"fsync": "on", "synchronous_commit": "on", "shared_buffers": "256MB", "max_wal_size": "4GB"}
WARM_UP_EPOCHS = 4
SCRIPT = "python tests/recorded/speeds"


@dataclass
class Number:
    """One value for each repetition and side. With `fewer`, less is better."""

    name: str
    unit: str
    command: str
    values: dict[str, list[float]] = field(default_factory=dict)
    fewer: bool = False

    def add(self, side: Side, value: float) -> None:
        self.values.setdefault(side.name, []).append(value)


@dataclass(frozen=True)
class Effort:
    """How long to measure, and how often."""

    times: int = 5
    first_times: int = 1
    seconds: float = 4.0
    counted: int = 300_000
    epoch: int = 20_000
    epochs: int = 12


QUICK = Effort(times=2, first_times=1, seconds=0.5, counted=20_000, epoch=2_000, epochs=3)
Measure = Callable[[Sequence[Side], Effort], list[Number]]


def first_simulation(sides: Sequence[Side], effort: Effort) -> list[Number]:
    """As after an installation: no machine code is kept."""
    line = f"hgldp {' '.join(FIRST)}"
    wall = Number("first hgldp simulate: clock", "seconds", line, fewer=True)
    processor = Number("first hgldp simulate: processor", "seconds", line, fewer=True)
    for number in range(effort.first_times):
        for side in sides:
            spent = side.timed(*FIRST, cache="warm" if number == 0 else f"empty-{number}")
            wall.add(side, spent.wall)
            processor.add(side, spent.processor)
    return [wall, processor]


def ready(sides: Sequence[Side], effort: Effort) -> list[Number]:
    """Of a collector that has a task of pfr and one of dsr: without and with kept machine code."""
    line = "hgldp serve --data FOLDER, until GET /ready is answered with 200"
    empty = Number("hgldp serve, ready with no machine code kept", "seconds", line, fewer=True)
    warm = Number("hgldp serve, ready with machine code kept", "seconds", line, fewer=True)
    for number in range(effort.first_times):
        for side in sides:
            folder = _folder_with_tasks(side, number)
            empty.add(side, _seconds_to_ready(side, folder, f"collector-{number}"))
    for _ in range(effort.times):
        for side in sides:
            warm.add(side, _seconds_to_ready(side, side.folder / "ready-0", "collector-0"))
    return [empty, warm]


def _folder_with_tasks(side: Side, number: int) -> Path:
    """Made with machine code that the first simulation left, if it ran."""
    folder = side.folder / f"ready-{number}"
    collector = Collector(side, "--data", str(folder))
    try:
        collector.create_tasks()
    finally:
        collector.stop()
    return folder


def _seconds_to_ready(side: Side, folder: Path, cache: str) -> float:
    collector = Collector(side, "--data", str(folder), cache=cache)
    collector.stop()
    return collector.ready_seconds


def uploads(sides: Sequence[Side], effort: Effort) -> list[Number]:
    """Durable ones, to collectors with a folder, and how fast they answer for the top then."""
    with ExitStack() as stack:
        places = {side: ("--data", str(side.folder / "uploads")) for side in sides}
        collectors = {side: stack.enter_context(_serving(side, *place)) for side, place in places.items()}
        return [*_uploads(collectors, effort, "folder"), *_tops(collectors, effort)]


def shared_uploads(sides: Sequence[Side], effort: Effort) -> list[Number]:
    """The same with one collector on PostgreSQL, where it is installed."""
    if programs() is None:
        return []
    with running(**SYNCED) as postgres, ExitStack() as stack:
        places = {side: ("--store", postgres.new_database()) for side in sides}
        collectors = {side: stack.enter_context(_serving(side, *place)) for side, place in places.items()}
        return _uploads(collectors, effort, "PostgreSQL")


@contextmanager
def _serving(side: Side, *place: str) -> Iterator[Collector]:
    collector = Collector(side, *place)
    try:
        collector.create_tasks()
        yield collector
    finally:
        collector.stop()


def _uploads(collectors: Mapping[Side, Collector], effort: Effort, where: str) -> list[Number]:
    found = []
    for scheme in ("pfr", "dsr"):
        for reports, connections in CONNECTIONS.items():
            found += _rates(collectors, effort, where, scheme, reports, connections)
    return found


def _rates(
    collectors: Mapping[Side, Collector], effort: Effort, where: str, scheme: str, reports: int, connections: int
) -> list[Number]:
    """Uploads a second, 99th percentile and processor time."""
    told = {"reports": reports, "connections": connections, "seconds": effort.seconds}
    line = f"hgldp serve ({where}); {SCRIPT}/load.py '{json.dumps(told)}'"
    size = "single" if reports == 1 else f"{reports:,} reports each"
    name = f"uploads, {where}, {scheme}, {size}"
    rate = Number(f"{name}: acknowledged", "reports/s", line)
    slow = Number(f"{name}: 99th percentile", "ms", line, fewer=True)
    cost = Number(f"{name}: collector's processor", "µs/upload", line, fewer=True)
    for side, collector in collectors.items():
        _warm_up(side, collector, scheme, told)
    for _ in range(max(2, effort.times // 2)):
        for side, collector in collectors.items():
            done, spent = _load(side, collector, scheme, told)
            rate.add(side, done["done"] * reports / done["seconds"])
            slow.add(side, 1e3 * done["p99"])
            cost.add(side, 1e6 * spent / done["done"])
    return [rate, slow, cost]


def _warm_up(side: Side, collector: Collector, scheme: str, told: dict[str, Any]) -> None:
    """A few epochs, in which all that is compiled gets compiled."""
    for _ in range(WARM_UP_EPOCHS):
        _load(side, collector, scheme, told | {"seconds": 0.3})
        collector.ask(f"/v1/tasks/{collector.tasks[scheme]['id']}/seal", {})


def _load(side: Side, collector: Collector, scheme: str, told: dict[str, Any]) -> tuple[dict[str, float], float]:
    """What the load client saw, and the collector's processor seconds until everything was counted."""
    task = collector.tasks[scheme]
    before, began = collector.ask(f"/v1/tasks/{task['id']}")["reports"], collector.processor_seconds
    where = {"port": collector.port, "task": task["id"], "key": task["write_key"]}
    done: dict[str, float] = json.loads(side.script("load", json.dumps(told | where)))
    if not done["done"] or done["refused"]:
        raise SystemExit(f"{side.name}: {done['done']} uploads acknowledged, {done['refused']} refused")
    collector.settle(task["id"], before + int(done["done"]) * told["reports"])
    return done, collector.processor_seconds - began


def _tops(collectors: Mapping[Side, Collector], effort: Effort) -> list[Number]:
    """One client that asks again and again; with k the answer is computed each time."""
    found = []
    for scheme in ("pfr", "dsr"):
        for query, what in (("", "kept"), ("?k=20", "computed")):
            line = f"GET /v1/tasks/ID/top{query}, one after another"
            number = Number(f"GET /top, {scheme}, {what}", "ms", line, fewer=True)
            for _ in range(effort.times):
                for side, collector in collectors.items():
                    path = f"/v1/tasks/{collector.tasks[scheme]['id']}/top{query}"
                    number.add(side, _milliseconds(collector, path, effort))
            found.append(number)
    return found


def _milliseconds(collector: Collector, path: str, effort: Effort) -> float:
    collector.ask(path)
    spent, asked = 0.0, 0
    while spent < effort.seconds / 8 or not asked:
        collector.ask(path)
        spent, asked = spent + collector.answer_seconds, asked + 1
    return 1e3 * spent / asked


def library(sides: Sequence[Side], effort: Effort) -> list[Number]:
    """The client's and the server's half in one thread of Python."""
    found = []
    for scheme in ("pfr", "dsr"):
        drawn = Number(f"client, {scheme}: drawn in Python", "reports/s", f"{SCRIPT}/library.py client {scheme}")
        line = f"{SCRIPT}/library.py tracker {scheme} {effort.counted}"
        arrays = Number(f"tracker, {scheme}: counted in arrays", "reports/s", line)
        singles = Number(f"tracker, {scheme}: counted one by one", "reports/s", line)
        for _ in range(effort.times):
            for side in sides:
                drawn.add(side, 1 / json.loads(side.script("library", "client", scheme)))
                spent = json.loads(side.script("library", "tracker", scheme, effort.counted))
                arrays.add(side, 1 / spent["arrays"])
                singles.add(side, 1 / spent["singles"])
        found += [drawn, arrays, singles]
    return found


def seal(sides: Sequence[Side], effort: Effort) -> list[Number]:
    """The median end of an epoch of pfr, over some epochs."""
    line = f"{SCRIPT}/library.py seal {effort.epoch} {effort.epochs}"
    name = f"seal, pfr, 1,024 cells, epochs of {effort.epoch:,} reports"
    number = Number(name, "ms", line, fewer=True)
    for _ in range(effort.times):
        for side in sides:
            times = sorted(json.loads(side.script("library", "seal", effort.epoch, effort.epochs)))
            number.add(side, 1e3 * times[len(times) // 2])
    return [number]


MEASURES: dict[str, Measure] = {
    "simulate": first_simulation,
    "ready": ready,
    "uploads": uploads,
    "shared": shared_uploads,
    "library": library,
    "seal": seal,
}
