"""What every store promises: whole transactions or nothing, and the same reads in a folder and in PostgreSQL."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from hgldp.collector.log import leftovers
from hgldp.collector.log.milestones import RESULTS_BEFORE
from hgldp.collector.log.postgres.inbox import Arrivals, Inbox
from hgldp.collector.log.postgres.leftovers import OF_A_TASK
from hgldp.collector.log.postgres.store import PostgresStorage
from hgldp.collector.log.sqlite import SQLiteStorage
from hgldp.collector.log.storage import LogEnd, Pruned, Transaction
from hgldp.collector.log.takeover.era import ERA
from hgldp.collector.views import TaskTerms
from hgldp.errors import StorageFailed
from hgldp.schemes.base import RETAINED
from tests.collector.homes import FolderHome, Home
from tests.collector.log.sample_rows import (
    BULLETIN,
    ENTRY,
    GIVEN,
    KEPT,
    MILESTONE,
    RESULT,
    SNAPSHOT,
    TAKEOVER,
    TASK,
)

AnyStorage = SQLiteStorage | PostgresStorage
SECOND = replace(TASK, number=2, id=b"2" * 32, write_digest=b"2" * 32)
WHOLE = Transaction(
    [TASK], [ENTRY], [BULLETIN], [RESULT], [KEPT], [MILESTONE], {1: SNAPSHOT},
    days={(1, 3): 4}, warmups={1: GIVEN}, takeovers=[TAKEOVER], era=7,
)  # fmt: skip


@pytest.fixture
def storage(home: Home) -> Iterator[AnyStorage]:
    found = home.storage()
    yield found
    found.close()


def of_task(storage: AnyStorage, task: int) -> dict[str, object]:
    """Every read of one task, each in all the ways that it can be asked for."""
    return {
        "entries": list(storage.entries(task)),
        "bulletins": (storage.bulletins(task), storage.bulletins(task, 2), list(storage.each_bulletin(task, 1))),
        "results": (storage.results(task), storage.results(task, 1, 2), storage.latest_results(task, 2)),
        "each result": list(storage.each_result(task, 1)),
        "kept": (storage.kept(task), storage.kept(task, 1), list(storage.each_kept(task, 1))),
        "milestones": (storage.latest_milestone(task), list(storage.each_milestone(task))),
        "warm-up": storage.warmup(task),
        "takeover": storage.takeover(task),
        "kept from": storage.kept_from(task),
        "snapshot": storage.snapshot(task),
        "pruned": storage.pruned(task),
        "oldest report": storage.oldest_report(task),
        "days": [storage.reports_on(task, day) for day in range(6)],
    }


def everything(storage: AnyStorage, tasks: int = 2) -> dict[object, object]:
    versions = [row.version for task in range(1, tasks + 1) for row in storage.bulletins(task)]
    return {
        "tasks": storage.tasks(),
        "log": (list(storage.entries()), list(storage.entries(None, 3))),
        "end": storage.end(),
        "era": storage.era(),
        "by version": [storage.bulletin(version) for version in (*versions, "00" * 32)],
        **{number: of_task(storage, number) for number in range(1, tasks + 1)},
    }


def tidied(storage: AnyStorage) -> None:
    while storage.tidy():
        pass


def test_what_is_written_comes_back_after_a_reopening(home: Home, storage: AnyStorage) -> None:
    assert storage.era() == ERA
    assert storage.end() == LogEnd()
    storage.write(WHOLE)
    storage.write(Transaction(days={(1, 3): 5, (1, 4): 1}))
    found = everything(storage)
    assert found[1] == {
        "entries": [ENTRY],
        "bulletins": ([BULLETIN], [BULLETIN], []),
        "results": ([RESULT], [], [RESULT]),
        "each result": [],
        "kept": ([KEPT], [KEPT], []),
        "milestones": (MILESTONE, [MILESTONE]),
        "warm-up": GIVEN,
        "takeover": TAKEOVER,
        "kept from": 0,
        "snapshot": SNAPSHOT,
        "pruned": None,
        "oldest report": ENTRY.time,
        "days": [10, 10, 10, 10, 1, 0],
    }
    assert found["tasks"] == [TASK]
    assert found["log"] == ([ENTRY], [])
    assert (found["end"], found["era"]) == (LogEnd(1, 1), 7)
    assert found["by version"] == [b"bulletin", None]
    again = home.storage()
    assert everything(again) == found
    assert again.secret == storage.secret
    assert len(again.secret) == 16
    again.close()


def test_a_changed_task_and_a_deleted_one(storage: AnyStorage) -> None:
    storage.write(Transaction([TASK, SECOND], [ENTRY], [BULLETIN]))
    renamed = replace(TASK, terms=TaskTerms("another name"), old_write_digest=b"o" * 32, old_until=9.5)
    storage.write(Transaction(changed=[renamed]))
    assert storage.tasks() == [renamed, SECOND]
    storage.write(Transaction(deleted=[1]))
    assert storage.tasks() == [SECOND]
    assert storage.bulletin(BULLETIN.version) is None
    tidied(storage)
    assert not list(storage.entries())
    assert storage.end() == LogEnd(1, 1)


def test_no_task_gets_the_number_of_another(home: Home) -> None:
    """Not even that of a deleted one, after a restart."""
    seen = []
    for place in range(3):
        storage = home.storage()
        number = storage.last_number() + 1
        unique = bytes([place]) * 32
        storage.write(Transaction([replace(TASK, number=number, id=unique, write_digest=unique)]))
        storage.write(Transaction(deleted=[number]))
        storage.close()
        seen.append(number)
    assert seen == [1, 2, 3]


def test_reports_go_in_order_and_what_comes_after_them_can_still_be_checked(storage: AnyStorage) -> None:
    entries = [
        replace(ENTRY, position=number, time=float(number), chain=bytes([number]) * 32) for number in range(1, 6)
    ]
    storage.write(Transaction([TASK], entries))
    assert storage.prune(1, 4, before=3.0) == 2
    assert storage.pruned(1) == Pruned(2, entries[1].chain)
    assert [entry.position for entry in storage.entries(1)] == [3, 4, 5]
    assert storage.prune(1, 4, before=3.0) == 0
    assert storage.prune(1, 4, before=99.0) == 2
    assert storage.prune(1, 4, before=99.0) == 0
    assert [entry.position for entry in storage.entries(1)] == [5]
    assert storage.end() == LogEnd(5, 1)


def test_a_report_that_is_young_keeps_those_after_it(storage: AnyStorage) -> None:
    """A clock that was set back must not make a gap in the chain."""
    times = (1.0, 9.0, 2.0)
    entries = [replace(ENTRY, position=number, time=time) for number, time in enumerate(times, start=1)]
    storage.write(Transaction([TASK], entries))
    assert storage.prune(1, 3, before=5.0) == 1
    assert [entry.position for entry in storage.entries(1)] == [2, 3]


def test_results_go_up_to_a_milestone_that_is_old_and_whose_reports_are_gone(storage: AnyStorage) -> None:
    """Of what is before it, as many results and bulletins stay as what comes after it needs."""
    epochs, entries = range(12), [replace(ENTRY, position=number, time=float(number)) for number in range(1, 13)]
    storage.write(
        Transaction(
            [TASK],
            entries,
            [replace(BULLETIN, version=f"{epoch:064}", epoch=epoch) for epoch in epochs],
            [replace(RESULT, result=replace(RESULT.result, epoch=epoch)) for epoch in epochs],
            [replace(KEPT, epoch=epoch) for epoch in epochs],
            [replace(MILESTONE, epoch=epoch, position=epoch + 1, time=float(epoch)) for epoch in (2, 8, 10)],
            takeovers=[TAKEOVER],
        )
    )
    assert not storage.expire(1, before=9.0), "its reports are there"
    assert storage.prune(1, 10, before=99.0) == 10
    while storage.expire(1, before=9.0):
        pass
    assert storage.kept_from(1) == 8
    assert [row.epoch for row in storage.kept(1)] == [*range(8, 12)]
    assert [row.result.epoch for row in storage.results(1)] == [*range(8 - RESULTS_BEFORE, 12)]
    assert [row.epoch for row in storage.bulletins(1)] == [*range(8 - RETAINED + 1, 12)]
    assert [row.epoch for row in storage.each_milestone(1)] == [8, 10]
    assert storage.takeover(1) is None
    assert not storage.expire(1, before=99.0), "the reports of the last milestone are there"


def test_every_table_with_a_task_is_looked_through(home: Home) -> None:
    home.storage().close()
    assert home.tables() == set(leftovers.SIZES if isinstance(home, FolderHome) else OF_A_TASK)


def test_nothing_of_a_deleted_task_is_left_in_any_table_and_others_keep_theirs(home: Home, storage: AnyStorage) -> None:
    storage.write(replace(WHOLE, era=None))
    other = replace(ENTRY, position=2, task=2)
    storage.write(Transaction([SECOND], [other], snapshots={2: replace(SNAPSHOT, task=2)}))
    storage.prune(1, 1, before=99.0)
    storage.expire(1, before=99.0)
    storage.write(Transaction(entries=[replace(ENTRY, position=3)]))
    if isinstance(storage, PostgresStorage):
        Inbox(storage.database).put([Arrivals(1, 0, b"b" * 32, [b"i" * 16], [1], [b"s"])])
        storage.request(1, 2)
    assert all(home.rows(table, 1) for table in home.tables() - {"ids", "takeovers"}), (
        "there must be something to delete"
    )
    storage.write(Transaction(deleted=[1]))
    tidied(storage)
    assert {table: home.rows(table, 1) for table in home.tables()} == dict.fromkeys(home.tables(), 0)
    assert list(storage.entries()) == [other]
    assert storage.snapshot(2) == replace(SNAPSHOT, task=2)


def test_a_transaction_that_fails_half_way_leaves_nothing(storage: AnyStorage) -> None:
    storage.write(Transaction([TASK]))
    before = everything(storage)
    wrong = replace(WHOLE, tasks=[SECOND], bulletins=[BULLETIN, BULLETIN], deleted=[1])
    with pytest.raises(StorageFailed, match=r"(?i)unique"):
        storage.write(wrong)
    assert everything(storage) == before
    storage.write(Transaction(entries=[ENTRY]))
    assert list(storage.entries(1)) == [ENTRY]


def test_a_stream_of_rows_is_one_moment(storage: AnyStorage) -> None:
    many = [replace(ENTRY, position=number) for number in range(1, 301)]
    storage.write(Transaction([TASK], many))
    reading = storage.entries(1)
    first = next(reading)
    while storage.prune(1, 300, before=99.0):
        pass
    assert [first, *reading] == many
    assert not list(storage.entries(1))
