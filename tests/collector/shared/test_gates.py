"""A bulletin is answered no more before it is too old to be counted: nothing that was acknowledged is left over."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.entry import SEAL
from hgldp.collector.log.postgres.database import ISOLATION, Database
from hgldp.collector.log.postgres.gates import GATE, hold_alone, hold_open
from hgldp.collector.log.postgres.inbox import Inbox
from hgldp.collector.log.postgres.migrations import migrate
from hgldp.collector.log.storage import Transaction
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.shared.writer import SharedWriter
from hgldp.collector.views import Receipt, TaskView
from hgldp.errors import StorageFailed
from hgldp.schemes.base import RETAINED
from tests.collector.fakes import HOT, SEARCH, FakeClock, create, now, upload
from tests.collector.homes import DatabaseHome
from tests.collector.shared.conftest import Pair
from tests.patience import PATIENCE, until


def fill_an_epoch(collector: Collector, view: TaskView) -> None:
    shown = now(collector, view)
    epoch = shown.epoch
    while now(collector, view).epoch == epoch:
        collector.offer(shown, upload(shown, 3))
        collector.step()


def late_upload(pair: Pair) -> tuple[TaskView, Receipt | Refused | None, bytes]:
    """The second takes an upload for the first bulletin, and then the sealer ends the epoch that retires it."""
    first, second = pair
    (view,) = create(first, SEARCH)
    for _ in range(RETAINED - 1):
        fill_an_epoch(first, view)
    second.step()
    oldest = now(second, view).bulletins[0]
    assert oldest.epoch == 0
    offered = second.offer(now(second, view), upload(view, 5, oldest))
    again = upload(view, 5, oldest)
    second._writer._intake.step()  # type: ignore[union-attr]
    fill_an_epoch(first, view)
    return view, offered.outcome, again


def test_what_answers_the_oldest_bulletin_counts_before_that_goes(pair: Pair) -> None:
    first, second = pair
    view, outcome, again = late_upload(pair)
    assert outcome == Receipt(5)
    counted = sum(entry.reports for entry in first.storage.entries(view.number))
    assert now(first, view).reports == counted
    version = bytes.fromhex(view.bulletin.version)
    assert [each.reports for each in first.storage.entries(view.number) if each.bulletin == version][-1] == 5
    refused = second.offer(now(second, view), again)  # the second has not looked yet
    second._writer._intake.step()  # type: ignore[union-attr]
    assert isinstance(refused.outcome, Refused)
    assert refused.outcome.problem is Problem.BULLETIN_TOO_OLD


def test_without_the_gate_it_would_be_left_over(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(SharedWriter, "_make_way", nothing)
    monkeypatch.setattr("hgldp.collector.shared.writer.ROWS_AT_ONCE", 1)
    first, second = pair
    (view,) = create(first, SEARCH)
    for _ in range(RETAINED - 1):
        fill_an_epoch(first, view)
    second.step()
    for _ in range(4):  # the rows that end the epoch come first
        first.offer(now(first, view), upload(now(first, view), 3))
    first._writer._intake.step()  # type: ignore[union-attr]
    offered = second.offer(now(second, view), upload(view, 5, now(second, view).bulletins[0]))
    second._writer._intake.step()  # type: ignore[union-attr]
    first.step()
    assert offered.outcome == Receipt(5)
    assert first._writer._writer._inbox.size() > 0  # type: ignore[union-attr]


def test_whoever_shuts_a_gate_waits_for_those_who_are_in_it(postgres_url: str, pair: Pair) -> None:
    (view,) = create(pair[0], SEARCH)
    database = Database(postgres_url)
    shut = threading.Thread(target=Inbox(database).shut, args=(view.number, 1))
    with psycopg.connect(postgres_url) as inside:
        inside.execute("SELECT pg_advisory_xact_lock_shared(%s, %s)", (GATE, view.number))
        shut.start()
        shut.join(0.3)
        assert shut.is_alive()
        inside.commit()
    shut.join(PATIENCE)
    assert not shut.is_alive()
    database.close()


def test_one_that_answers_an_old_bulletin_is_refused_all_the_same(pair: Pair) -> None:
    second = pair[1]
    view, _, again = late_upload(pair)
    while second._writer._keeper.step():  # type: ignore[union-attr]
        pass

    async def sends() -> None:
        receipt = second._writer.intakes[view.number].submit(again)
        await asyncio.to_thread(second._writer._keeper.step)  # type: ignore[union-attr]
        with pytest.raises(Refused) as refused:
            await asyncio.wait_for(receipt, PATIENCE)
        assert refused.value.problem is Problem.BULLETIN_TOO_OLD

    asyncio.run(sends())


def test_the_end_of_a_task_counts_every_row_once_also_those_of_a_bulletin_that_goes_with_it(
    pair: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = pair
    (view,) = create(first, SEARCH)
    for _ in range(RETAINED - 1):
        fill_an_epoch(first, view)
    second.step()
    shown = now(second, view)
    offered = [second.offer(shown, upload(view, 5, shown.bulletins[0]))]
    for _ in range(6):  # more than what fills the epoch
        offered.append(second.offer(shown, upload(shown, 3)))
        second._writer._intake.step()  # type: ignore[union-attr]
    before = now(first, view).reports
    first.close_task(view.id)
    assert [each.outcome for each in offered] == [Receipt(each.count) for each in offered]
    logged = [upload_id for entry in first.storage.entries(view.number) for upload_id in entry.upload_ids]
    assert len(logged) == len(set(logged))
    assert {each.id for each in offered} <= set(logged)
    assert now(first, view).reports == before + 23
    assert now(first, view).closed is not None
    assert "storage failed" not in caplog.text


def test_a_request_for_a_task_that_is_gone_keeps_nobody_busy(pair: Pair) -> None:
    storage, keeper = pair[0].storage, pair[0]._writer._keeper  # type: ignore[union-attr]
    number = storage.request(999, SEAL)  # type: ignore[attr-defined]
    assert keeper.step()
    assert not keeper.step()
    assert storage.is_answered(number)  # type: ignore[attr-defined]


def test_a_row_that_is_in_the_log_already_is_never_written_again(pair: Pair) -> None:
    create(pair[0], SEARCH)
    before = pair[0].storage.end()
    with pytest.raises(StorageFailed):
        pair[0].storage.write(Transaction(taken=[12_345]))
    assert pair[0].storage.end() == before


def test_the_end_of_an_empty_epoch_shuts_nothing(postgres_url: str) -> None:
    """It stays open, so every bulletin that is shown may still be answered."""
    collector = DatabaseHome(postgres_url).collector(FakeClock())
    (view,) = create(collector, HOT)
    for _ in range(RETAINED):
        collector.offer(now(collector, view), upload(now(collector, view), 7))
        collector.step()
    shown = now(collector, view)
    assert len(shown.bulletins) == RETAINED
    collector.seal(view.id)
    assert now(collector, view).epoch == shown.epoch
    late = collector.offer(shown, upload(shown, 2, shown.bulletins[0]))
    collector.step()
    assert late.outcome == Receipt(2)
    collector.close()


@pytest.mark.parametrize("usual", ["repeatable read", "serializable"])
@pytest.mark.parametrize("level", [ISOLATION, None])
def test_whoever_waited_for_a_gate_sees_where_it_is_now(
    postgres_url: str, usual: str, level: psycopg.IsolationLevel | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before: where transactions of a server are isolated by default, late uploads were acknowledged and left over."""
    monkeypatch.setattr("hgldp.collector.log.postgres.database.ISOLATION", level)  # None is the planted bug
    migrate(Database(postgres_url))
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        name = owner.info.dbname
        owner.execute(f"ALTER DATABASE \"{name}\" SET default_transaction_isolation = '{usual}'".encode())
        owner.execute("INSERT INTO gates VALUES (1, 0)")
    with (
        psycopg.connect(postgres_url) as shutting,
        ThreadPoolExecutor(1) as pool,
        closing(Database(postgres_url)) as it,
    ):
        hold_alone(shutting, 1)
        shutting.execute("UPDATE gates SET open_from = 5")
        seen = pool.submit(_seen_at_the_gate, it)
        until(lambda: _waits(shutting))
        shutting.commit()
        assert seen.result(20) == ({1: 5} if level else {1: 0})


def _seen_at_the_gate(database: Database) -> dict[int, int]:
    with database.transaction() as writer:
        return hold_open(writer, [1])


def _waits(reader: psycopg.Connection) -> bool:
    sql = (
        b"SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database "
        b"WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted"
    )
    found = reader.execute(sql).fetchone()
    return bool(found and found[0])
