"""The inbox of the shared store: any collector puts uploads in, and the sealer takes them out in one order.

An upload is acknowledged when its reports and its id are committed together; the id is its idempotency key. A gate for
each task says from which epoch on bulletins may be answered. Whoever puts uploads in holds the gate's lock together
with others; the sealer holds it alone when it moves the gate, so that nothing comes in behind it that it has not seen.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from psycopg import adapters
from psycopg.adapt import Dumper
from psycopg.pq import Format

from hgldp.collector.log.entry import pack_counts
from hgldp.collector.log.postgres.database import Connection, Database, execute_each, one_value
from hgldp.collector.log.postgres.gates import SHUT, hold_alone, hold_open
from hgldp.collector.log.postgres.lease import Lease
from hgldp.system.clock import DAY_SECONDS
from hgldp.wire.upload import ID_BYTES

UUID, UUIDS = 2950, 2951
BYTES_AT_ONCE = 32 << 20
PUT = "INSERT INTO inbox (task, epoch, bulletin, reports, ids, counts, symbols) VALUES (%s, %s, %s, %s, %s, %s, %s)"


@dataclass
class Arrivals:
    """Uploads that answer one bulletin of one task. At most `cap` reports of the task are taken in a day; 0: any.

    After `put`, `taken` holds the places of those that are durable now, `known` of those that were before, and `over`
    of those beyond the cap; if the gate is shut for them, `is_late` is true and nothing is taken.
    """

    task: int
    epoch: int
    bulletin: bytes
    ids: list[bytes]
    counts: list[int]
    symbols: list[bytes]
    cap: int = 0
    is_late: bool = False
    taken: list[int] = field(default_factory=list)
    known: list[int] = field(default_factory=list)
    over: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Run:
    """A row of the inbox: uploads that were put in together and answer one bulletin."""

    number: int
    task: int
    epoch: int
    bulletin: bytes
    reports: int
    ids: bytes = field(repr=False)
    counts: bytes = field(repr=False)
    symbols: bytes = field(repr=False)


class Inbox:
    """`put` may be called by any collector, everything else by the sealer."""

    def __init__(self, database: Database, lease: Lease | None = None) -> None:
        self._database, self._lease = database, lease

    def put(self, arrivals: Sequence[Arrivals]) -> None:
        """All of them in one transaction; on return every one is settled, or StorageFailed is raised and none is."""
        for each in arrivals:
            each.is_late, each.taken, each.known, each.over = False, [], [], []
        with self._database.transaction() as writer:
            open_from = hold_open(writer, sorted({each.task for each in arrivals}))
            in_order = sorted(arrivals, key=lambda each: (each.task, each.epoch))
            for each in in_order:  # all ids first and then the caps, both in one order: nobody waits in a circle
                each.is_late = each.epoch < open_from.get(each.task, SHUT)
                if each.is_late:
                    each.known = _known(writer, each)
                else:
                    _take_new(writer, each)
            for each in in_order:
                if each.cap and not each.is_late:
                    _keep_cap(writer, each)
            execute_each(writer, PUT, [_row(each) for each in arrivals if each.taken])

    def waiting(self, tasks: Iterable[int], most: int) -> list[Run]:
        """The oldest rows of these tasks, as many as may be in memory at once."""
        return self._oldest("task = ANY(%s)", (list(tasks),), most)

    def behind(self, task: int, epoch: int, most: int) -> list[Run]:
        """The oldest rows that answer a bulletin before that of an epoch."""
        return self._oldest("task = %s AND epoch < %s", (task, epoch), most)

    def _oldest(self, where: str, values: tuple[object, ...], most: int) -> list[Run]:
        """Sizes first: a row may have megabytes."""
        numbers: list[int] = []
        size = 0
        length = "octet_length(ids) + octet_length(symbols)"
        sizes = f"SELECT number, {length} FROM inbox WHERE {where} ORDER BY number LIMIT %s"  # noqa: S608
        with self._database.connection() as reader:
            for row in reader.execute(sizes.encode(), (*values, most)).fetchall():
                number, more = row
                if numbers and size + more > BYTES_AT_ONCE:
                    break
                numbers.append(number)
                size += more
            rows = "SELECT * FROM inbox WHERE number = ANY(%s) ORDER BY number"
            found = reader.execute(rows, (numbers,), binary=True).fetchall() if numbers else []
        return [Run(*row) for row in found]

    def shut(self, task: int, epoch: int) -> None:
        """From now on nothing comes in that answers a bulletin before that of an epoch."""
        with self._database.transaction() as writer:
            hold_alone(writer, task)
            if self._lease is not None:  # after the wait: meanwhile another may have become the sealer
                self._lease.check(writer)
            writer.execute("UPDATE gates SET open_from = %s WHERE task = %s AND open_from < %s", (epoch, task, epoch))

    def probe(self) -> None:
        """Raise StorageFailed unless uploads can be put in; nothing stays of what is tried."""
        with self._database.connection() as writer, writer.transaction(force_rollback=True):
            hold_open(writer, [])
            place = (0, 0, b"", 0, b"", b"", b"")
            writer.execute(PUT, place)

    def size(self) -> int:
        """How many bytes wait."""
        sql = "SELECT COALESCE(SUM(octet_length(ids) + octet_length(counts) + octet_length(symbols)), 0) FROM inbox"
        with self._database.connection() as reader:
            return int(one_value(reader, sql))


def _take_new(writer: Connection, arrivals: Arrivals) -> None:
    """Which of the uploads are new; their ids are known from the commit on."""
    first = {upload_id: place for place, upload_id in reversed(list(enumerate(arrivals.ids)))}
    fresh = _remember(writer, arrivals, list(first))
    arrivals.taken = [place for upload_id, place in first.items() if upload_id in fresh]
    arrivals.taken.sort()
    taken = set(arrivals.taken)
    arrivals.known = [place for place in range(len(arrivals.ids)) if place not in taken]


def _known(writer: Connection, arrivals: Arrivals) -> list[int]:
    """The places of those that were taken before."""
    found = writer.execute(
        "SELECT string_agg(uuid_send(id), '') FROM upload_ids WHERE task = %s AND epoch = %s AND id = ANY(%s)",
        (arrivals.task, arrivals.epoch, Ids(arrivals.ids)),
        binary=True,
    ).fetchone()
    taken = _split_ids(found[0] if found else None)
    return [place for place, upload_id in enumerate(arrivals.ids) if upload_id in taken]


def _remember(writer: Connection, arrivals: Arrivals, ids: list[bytes]) -> set[bytes]:
    found = writer.execute(
        "WITH fresh AS (INSERT INTO upload_ids SELECT %s, %s, unnest(%s) ON CONFLICT DO NOTHING RETURNING id) "
        "SELECT string_agg(uuid_send(id), '') FROM fresh",
        (arrivals.task, arrivals.epoch, Ids(ids)),
        binary=True,
    ).fetchone()
    return _split_ids(found[0] if found else None)


def _split_ids(data: object) -> set[bytes]:
    """Ids that came end to end; None if there were none."""
    if not isinstance(data, bytes):
        return set()
    return {data[at : at + ID_BYTES] for at in range(0, len(data), ID_BYTES)}


def _keep_cap(writer: Connection, arrivals: Arrivals) -> None:
    """What no longer fits into the day is not taken, however often it came, and its ids are forgotten again."""
    writer.execute(
        "INSERT INTO days SELECT %s, floor(extract(epoch FROM clock_timestamp()) / %s), 0 ON CONFLICT DO NOTHING",
        (arrivals.task, DAY_SECONDS),
    )
    found = writer.execute(
        "SELECT day, reports FROM days WHERE task = %s ORDER BY day DESC LIMIT 1 FOR UPDATE", (arrivals.task,)
    ).fetchone()
    day, room = (int(found[0]), arrivals.cap - int(found[1])) if found else (0, 0)
    fits, planned = [], 0
    for place in arrivals.taken:
        if planned + arrivals.counts[place] > room:
            arrivals.over.append(place)
        else:
            planned += arrivals.counts[place]
            fits.append(place)
    arrivals.taken = fits
    if arrivals.over:
        over = {arrivals.ids[place] for place in arrivals.over}
        writer.execute(
            "DELETE FROM upload_ids WHERE task = %s AND epoch = %s AND id = ANY(%s)",
            (arrivals.task, arrivals.epoch, Ids(list(over))),
        )
        arrivals.over += [place for place in arrivals.known if arrivals.ids[place] in over]
        arrivals.known = [place for place in arrivals.known if arrivals.ids[place] not in over]
    writer.execute("UPDATE days SET reports = reports + %s WHERE task = %s AND day = %s", (planned, arrivals.task, day))


def _row(arrivals: Arrivals) -> tuple[object, ...]:
    some = arrivals.taken
    counts = [arrivals.counts[place] for place in some]
    ids = b"".join([arrivals.ids[place] for place in some])
    symbols = b"".join([arrivals.symbols[place] for place in some])
    name = (arrivals.task, arrivals.epoch, arrivals.bulletin, sum(counts))
    return (*name, ids, pack_counts(counts), symbols)


class Ids:
    """Upload ids as PostgreSQL wants an array of them; in order, so that two collectors never wait for each other."""

    def __init__(self, ids: Sequence[bytes]) -> None:
        self.ids = np.sort(np.frombuffer(b"".join(ids), f"S{ID_BYTES}"))


class _IdsDumper(Dumper):
    """All of them at once, without an object for each."""

    format = Format.BINARY
    oid = UUIDS

    def dump(self, obj: Ids) -> bytes:
        """Dimensions, no nulls, the type, how many, the first index; then each with its length."""
        elements = np.empty(obj.ids.size, [("size", ">i4"), ("id", f"S{ID_BYTES}")])
        elements["size"], elements["id"] = ID_BYTES, obj.ids
        return np.array([1, 0, UUID, obj.ids.size, 1], ">i4").tobytes() + elements.tobytes()


adapters.register_dumper(Ids, _IdsDumper)
