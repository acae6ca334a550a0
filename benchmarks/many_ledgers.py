"""A server with one ledger for each of many people, beside one device with as many events: how fast, and how large.

Both go through the same steps against the same collector, a process of its own on this machine, in one run: events are
handed over; they are reserved, randomised and queued on the disk; the queue is delivered. No thread and no tick is in
between. The second row of people is their second event: by then every ledger exists.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hgldp.cli.commands.demo.server import RunningServer, running_server
from hgldp.cli.terminal import legend, open_table, page, progress_bar, show
from hgldp.cli.units import in_bytes
from hgldp.client import Environment, Pace, Transport
from hgldp.client.people.worker import PeopleWorker
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.worker import Worker
from hgldp.system.folder_lock import FolderLock
from hgldp.system.http import Address

PEOPLE, SOME = 100_000, 1_000
DRINKS = ["tea", "coffee", "mate", "water", "cocoa", "milk"]
TERMS = {"name": "Drinks", "scheme": "dsr", "epsilon": 1.0, "level": "event", "k": 2, "domain": {"words": DRINKS}}
Advance = Callable[[int], None]


@dataclass(frozen=True)
class Row:
    """Reports a second at each step, and what the folder takes afterwards."""

    what: str
    handed: float
    made: float
    delivered: float
    folder: int


@dataclass(frozen=True)
class Place:
    """A collector's task, and how both kinds of client reach it."""

    url: str
    task: str
    key: str
    pace: Pace

    def terms(self) -> tuple[Ceilings, Pace, Environment, Transport]:
        address = Address.of(self.url)
        transport = Transport(address, self.pace.timeout, self.pace.deadline, None, self.key)
        return Ceilings(1.0, 10_000_000), self.pace, Environment(), transport


def one_device(place: Place, folder: Path, events: int, advance: Advance) -> Row:
    """The worker behind a `Reporter`."""
    lock = FolderLock(folder)
    worker = Worker(folder, place.task, place.key, *place.terms(), lock)
    worker.round()
    take = worker.take
    handed = _timed(lambda: [take(DRINKS[one % len(DRINKS)]) for one in range(events)])
    row = _finish("one Reporter", worker, handed, folder, events, advance)
    worker.settle()
    lock.release()
    return row


def many_people(place: Place, folder: Path, events: int, advance: Advance) -> Iterator[Row]:
    """The worker behind a `People`, twice: one event of each person, and another."""
    worker = PeopleWorker(folder, place.task, place.key, *place.terms())
    worker.round()
    take, key_of = worker.take, worker.key_of
    for what in ("People: first event of each", "People: second event of each"):
        handed = _timed(lambda: [take(key_of(f"person {one}"), DRINKS[one % len(DRINKS)]) for one in range(events)])
        yield _finish(what, worker, handed, folder, events, advance)
    worker.settle()


def _finish(
    what: str, worker: Worker | PeopleWorker, handed: float, folder: Path, events: int, advance: Advance
) -> Row:
    if len(worker.inbox) != events:
        raise RuntimeError(f"{what}: only {len(worker.inbox):,} of {events:,} events were taken")
    advance(1)
    before = worker.delivery.delivered
    worker.hurry()
    made = 0.0
    while len(worker.inbox):  # a bulletin grows old on the way
        worker.agreement.renew(worker.transport, 0, worker.time.now())
        made += _timed(lambda: worker.randomise(worker.time.now()))
    advance(1)
    sent = _timed(lambda: worker.deliver(worker.time.now()))
    advance(1)
    if worker.delivery.delivered - before != events:
        raise RuntimeError(f"{what}: not all were delivered: {worker.status(None, '')}")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return Row(what, events / handed, events / made, events / sent, size)


def _timed(step: Callable[[], object]) -> float:
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


@contextmanager
def a_place(events: int) -> Iterator[Place]:
    pace = Pace(gather=1e6, most_waiting=events, most_uploads=events)
    with running_server(0) as server:
        yield _created(server, pace)


def _created(server: RunningServer, pace: Pace) -> Place:
    made = server.service.post("/v1/tasks", TERMS)
    return Place(server.url, made["id"], made["write_key"], pace)


def measure(events: int, folder: Path, advance: Advance) -> list[Row]:
    """All rows, in one run."""
    with a_place(events) as place:
        rows = []
        for name in ("device", "people"):
            (folder / name).mkdir()
        rows.append(one_device(place, folder / "device", events, advance))
        rows += many_people(place, folder / "people", events, advance)
        return rows


LEGEND = (
    ("handed over", "report(), in one thread: reports a second"),
    ("made", "reserved in the ledgers, randomised and queued, each durable: reports a second"),
    ("delivered", "acknowledged by the collector, 64 reports to an upload: reports a second"),
    ("folder", "bytes of all files afterwards"),
)


def main() -> None:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--folder", type=Path, help="where the ledgers are made: name a disk like your server's")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    steps = 9
    with progress_bar("ledgers", wanted=not arguments.json) as advance:
        done = iter(range(1, steps + 1))
        with TemporaryDirectory(dir=arguments.folder) as folder:
            rows = measure(arguments.people, Path(folder), lambda _: advance(next(done), steps))
    if arguments.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
        return
    table = open_table()
    for heading in ("", "handed over", "made", "delivered", "folder", "a person"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for row in rows:
        each = "" if row is rows[0] else f"{row.folder / arguments.people:,.0f} B"
        table.add_row(
            row.what, f"{row.handed:,.0f}", f"{row.made:,.0f}", f"{row.delivered:,.0f}", in_bytes(row.folder), each
        )
    show(page(f"{arguments.people:,} events, {os.cpu_count()} cores", table, legend(LEGEND)))


if __name__ == "__main__":
    main()
