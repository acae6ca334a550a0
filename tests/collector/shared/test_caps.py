"""Two collectors put uploads of a task with a daily cap in at the same time, and neither waits in a circle."""

import threading

import pytest

from hgldp.collector.log.postgres import inbox
from hgldp.collector.log.postgres.database import Connection, Database
from hgldp.collector.log.postgres.inbox import Arrivals, Inbox
from hgldp.collector.log.storage import Transaction
from hgldp.errors import StorageFailed
from tests.collector.homes import DatabaseHome
from tests.collector.log.sample_rows import TASK
from tests.patience import PATIENCE

SECONDS = 2.0
CAP = 10


def arrivals(epoch: int, *ids: bytes) -> Arrivals:
    counts, symbols = [3] * len(ids), [b"abc"] * len(ids)
    return Arrivals(TASK.number, epoch, bytes([epoch]) * 32, [each * 16 for each in ids], counts, symbols, CAP)


def test_one_whose_uploads_answer_two_bulletins_and_one_with_the_same_upload(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second has remembered the upload when the first, who keeps the cap already, comes to it."""
    storage = DatabaseHome(postgres_url).storage()
    storage.write(Transaction([TASK]))
    keep_cap, remember = inbox._keep_cap, inbox._remember
    keeps, remembered = threading.Event(), threading.Event()

    def kept(writer: Connection, some: Arrivals) -> None:
        keep_cap(writer, some)
        keeps.set()
        if some is first[0]:
            remembered.wait(SECONDS)

    def noted(writer: Connection, some: Arrivals, ids: list[bytes]) -> set[bytes]:
        if some is second[0]:
            keeps.wait(PATIENCE)
        found = remember(writer, some, ids)
        if some is second[0]:
            remembered.set()
        return found

    monkeypatch.setattr(inbox, "_keep_cap", kept)
    monkeypatch.setattr(inbox, "_remember", noted)
    first, second = [arrivals(5, b"a"), arrivals(6, b"x")], [arrivals(6, b"x")]
    failures: list[StorageFailed] = []

    def put(some: list[Arrivals]) -> None:
        database = Database(postgres_url)
        try:
            Inbox(database).put(some)
        except StorageFailed as failure:
            failures.append(failure)
        finally:
            database.close()

    threads = [threading.Thread(target=put, args=(some,)) for some in (first, second)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE)
    assert not failures
    assert sum(len(each.taken) for each in (*first, *second)) == 2
    assert sum(len(each.known) for each in (*first, *second)) == 1
    assert storage.reports_on(TASK.number, 0) == 6
    storage.close()


def test_what_fits_into_the_day_is_taken_in_the_order_of_the_bulletins(postgres_url: str) -> None:
    storage = DatabaseHome(postgres_url).storage()
    storage.write(Transaction([TASK]))
    box = Inbox(storage.database)
    later, earlier = arrivals(6, b"c", b"d"), arrivals(5, b"a", b"b", b"a")
    box.put([later, earlier])
    assert (earlier.taken, earlier.known, earlier.over) == ([0, 1], [2], [])
    assert (later.taken, later.known, later.over) == ([0], [], [1])
    again = arrivals(6, b"c", b"d", b"d")
    box.put([again])
    assert (again.taken, again.known, again.over) == ([], [0], [1, 2])
    assert storage.reports_on(TASK.number, 0) == 9
    assert [run.reports for run in box.waiting([TASK.number], 9)] == [3, 6]
    storage.close()
