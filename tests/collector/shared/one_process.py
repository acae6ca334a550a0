"""The same uploads, in the order of a shared log, through one collector with a folder of its own: what it publishes."""

from collections.abc import Iterator
from pathlib import Path

from hgldp.collector.collector import Collector
from hgldp.collector.log.entry import CLOSE, RUN, Entry
from hgldp.collector.log.reading import Reading
from hgldp.collector.log.storage import Storage, Transaction
from hgldp.collector.views import Receipt
from hgldp.wire.upload import ID_BYTES, Upload
from tests.collector.fakes import FakeClock, FaultyStorage


def differences(shared: Storage, folder: Path) -> list[str]:
    """What one process would have published or kept otherwise; the time of day is left out."""
    rows = shared.tasks()
    folder.mkdir()
    alone = FaultyStorage(folder)
    for row in rows:
        given = shared.warmup(row.number)
        first = shared.bulletins(row.number)[:1]
        alone.write(Transaction([row], bulletins=first, warmups={row.number: given} if given else {}))
    alone.close()
    clock = FakeClock()
    clock.wall = rows[0].created
    collector = Collector.open(folder, clock=clock, storage=FaultyStorage, threaded=False)
    try:
        by_number = {row.number: row for row in rows}
        for entry in shared.entries():
            if entry.task in by_number:
                _repeat(collector, by_number[entry.task].id, entry)
        return [
            f"{what} of task {row.number}"
            for row in rows
            for what, mine in _published(shared, row.number).items()
            if mine != _published(collector.storage, row.number)[what]
        ]
    finally:
        collector.close()


def _repeat(collector: Collector, task_id: bytes, entry: Entry) -> None:
    if entry.kind == RUN:
        view = collector.view(task_id)
        assert view is not None
        offered = [collector.offer(view, body) for body in bodies(entry)]
        while collector.step():
            pass
        assert [each.outcome for each in offered] == [Receipt(each.count) for each in offered]
    elif entry.kind == CLOSE:
        collector.close_task(task_id)
    else:
        collector.seal(task_id)


def bodies(entry: Entry) -> Iterator[bytes]:
    """The uploads of an entry, as clients sent them."""
    at, width = 0, len(entry.symbols) // entry.reports
    for place, count in enumerate(entry.upload_counts):
        upload_id = entry.ids[place * ID_BYTES : (place + 1) * ID_BYTES]
        yield Upload(upload_id, entry.bulletin, count, entry.symbols[at : at + count * width]).encode()
        at += count * width


def _published(storage: Storage, task: int) -> dict[str, object]:
    assert isinstance(storage, Reading)
    results = [row.result for row in storage.results(task)]
    snapshot = storage.snapshot(task)
    return {
        "bulletins": [(row.epoch, row.version, row.data) for row in storage.bulletins(task)],
        "results": [(each.epoch, each.reports, each.bulletin, each.top) for each in results],
        "tallies": [(row.epoch, row.opened) for row in storage.kept(task)],
        "state": None if snapshot is None else snapshot.state,
    }
