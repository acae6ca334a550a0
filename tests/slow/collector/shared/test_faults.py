"""A database of another version, or lost, read-only, full or restarting: a clear reason, nothing lost, no help needed.

Nobody sends anything while it is bad, so that a collector has to notice by itself that all is well again.
"""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.postgres import inbox, migrations
from hgldp.collector.log.postgres.database import Connection, Database
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.shared.clock import DatabaseClock
from hgldp.collector.views import Receipt, TaskView
from hgldp.collector.writer.pending import PendingUpload
from hgldp.errors import DamagedLog, HgldpError
from hgldp.system.clock import SystemClock
from tests.collector.fakes import HOT, FakeClock, create, log_of, now, upload
from tests.collector.homes import DatabaseHome
from tests.collector.shared.network import Network
from tests.patience import PATIENCE, until
from tests.postgres import Server, running


def run(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for each in statements:
            connection.execute(each.encode())


@contextmanager
def by_hand(url: str, clock: FakeClock) -> Iterator[Collector]:
    collector = Collector.join(url, clock=clock, threaded=False)
    try:
        yield collector
    finally:
        collector.close()


def send(collector: Collector, view: TaskView, body: bytes | None = None) -> PendingUpload:
    here = now(collector, view)
    offered = collector.offer(here, body or upload(here, 2))
    collector.step()
    return offered


def is_refused(offered: PendingUpload) -> bool:
    """With 503, and a time after which to send the same bytes again."""
    outcome = offered.outcome
    return isinstance(outcome, Refused) and outcome.problem is Problem.STORAGE_FULL and bool(outcome.retry_after)


def recover(collector: Collector, clock: FakeClock) -> bool:
    """Nobody sends anything; the collector looks about once a second."""
    for _ in range(5):
        clock.advance(1.1)
        collector.step()
    return collector.ready


def rows(url: str, table: str) -> int:
    with psycopg.connect(url) as connection:
        found = connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()  # noqa: S608
    assert found is not None
    return int(found[0])


@pytest.mark.parametrize("raised", ["format", "era"])
def test_a_collector_of_an_earlier_version_takes_nothing_any_more(
    postgres_url: str, raised: str, caplog: pytest.LogCaptureFixture
) -> None:
    clock = FakeClock()
    with by_hand(postgres_url, clock) as collector:
        collector.step()
        (view,) = create(collector, HOT)
        body = upload(view, 2)
        run(postgres_url, f"UPDATE service SET value = (value::int + 1)::text WHERE name = '{raised}'")  # noqa: S608
        assert is_refused(send(collector, view, body))
        assert not collector.ready
        assert not recover(collector, clock), "it stays so until somebody updates it"
        assert "the database belongs to another version now" in caplog.text
        assert (rows(postgres_url, "inbox"), rows(postgres_url, "upload_ids")) == (0, 0)
        run(postgres_url, f"UPDATE service SET value = (value::int - 1)::text WHERE name = '{raised}'")  # noqa: S608
        assert recover(collector, clock)
        assert send(collector, view, body).outcome == Receipt(2)


def test_a_later_format_is_refused_and_never_goes_back(postgres_url: str) -> None:
    DatabaseHome(postgres_url).storage().close()
    run(postgres_url, "UPDATE service SET value = '99' WHERE name = 'format'")
    database = Database(postgres_url)
    for step in (lambda: migrations.migrate(database), lambda: Collector.join(postgres_url, threaded=False)):
        with pytest.raises(DamagedLog, match=r"format 99 of a later version.*install the later one"):
            step()
    assert migrations.found_format(database) == 99
    database.close()


def test_several_that_start_at_once_on_an_empty_database_make_its_tables_once(postgres_url: str) -> None:
    found: list[object] = []

    def start() -> None:
        try:
            storage = DatabaseHome(postgres_url).storage()
            found.append(storage.secret)
            storage.close()
        except HgldpError as wrong:
            found.append(wrong)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE)
    assert len(found) == 4
    assert len(set(found)) == 1, found
    assert isinstance(found[0], bytes)


def test_a_step_that_two_take_at_once_is_taken_once(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    DatabaseHome(postgres_url).storage().close()
    more = (*migrations.STEPS, "CREATE TABLE later (number BIGINT)", "ALTER TABLE later ADD COLUMN name TEXT")
    monkeypatch.setattr(migrations, "STEPS", more)
    taken: list[int] = []
    databases = [Database(postgres_url) for _ in range(3)]
    threads = [
        threading.Thread(target=lambda each=each: taken.append(migrations.migrate(each, 3))) for each in databases
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE)
    assert sum(taken) == 2
    assert migrations.found_format(databases[0]) == 3
    with pytest.raises(DamagedLog, match="format 3 of a later version"):
        migrations.check_format(3)
    for each in databases:
        each.close()


def test_a_step_that_fails_leaves_nothing(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    DatabaseHome(postgres_url).storage().close()
    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, "CREATE TABLE later (number BIGINT); SELECT 1 / 0"))
    database = Database(postgres_url)
    with pytest.raises(HgldpError, match="division by zero"):
        migrations.migrate(database, 2)
    assert migrations.found_format(database) == 1
    with pytest.raises(psycopg.errors.UndefinedTable):
        rows(postgres_url, "later")
    database.close()


class DayOff(SystemClock):
    def now(self) -> float:
        return super().now() + 86_400


def test_a_machine_whose_date_is_wrong_publishes_the_date_of_the_database(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database(postgres_url)
    clock = DatabaseClock(database, DayOff())
    assert abs(clock.now() - time.time()) < 5, "the database runs on this machine"
    assert "the date of this machine is 86" in caplog.text
    database.close()


def test_connections_that_are_cut_in_the_middle_of_the_work_lose_nothing(postgres_url: str) -> None:
    clock, sent = FakeClock(), 0
    with by_hand(postgres_url, clock) as collector:
        collector.step()
        (view,) = create(collector, HOT)
        for place in range(12):
            if place % 3 == 2:
                run(
                    postgres_url,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid != pg_backend_pid()",
                )
            body = upload(now(collector, view), 2)
            for _ in range(5):
                offered = send(collector, view, body)
                if isinstance(offered.outcome, Receipt):
                    break
                assert is_refused(offered)
            assert isinstance(offered.outcome, Receipt)
            sent += 2
        assert recover(collector, clock)
        assert now(collector, view).reports == sent
        assert len(log_of(collector, view)) == 12
    assert DatabaseHome(postgres_url).replayed().agrees


def read_only(url: str, value: str) -> None:
    """For all connections that are made from now on; those that exist are ended."""
    name = url.rsplit("/", 1)[1]
    run(
        url.replace(name, "postgres"),
        f"ALTER DATABASE {name} SET default_transaction_read_only = {value}",
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'",  # noqa: S608
    )


def test_a_database_that_is_read_only_for_a_while(postgres_url: str, caplog: pytest.LogCaptureFixture) -> None:
    clock = FakeClock()
    with by_hand(postgres_url, clock) as collector:
        collector.step()
        (view,) = create(collector, HOT)
        body = upload(view, 2)
        read_only(postgres_url, "on")
        assert is_refused(send(collector, view, body))
        assert not recover(collector, clock)
        assert "read-only transaction" in caplog.text
        read_only(postgres_url, "off")
        assert recover(collector, clock)
        assert send(collector, view, body).outcome == Receipt(2)
        assert now(collector, view).reports == 2


def test_a_database_whose_disk_is_full_for_a_while(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Half-way through a batch: its ids are in, its reports are not."""
    clock = FakeClock()

    honest = inbox._remember

    def remember(writer: Connection, arrivals: inbox.Arrivals, ids: list[bytes]) -> set[bytes]:
        honest(writer, arrivals, ids)
        raise psycopg.errors.DiskFull("could not extend file: No space left on device")

    with by_hand(postgres_url, clock) as collector:
        collector.step()
        (view,) = create(collector, HOT)
        body = upload(view, 2)
        with monkeypatch.context() as patch:
            patch.setattr(inbox, "_remember", remember)
            assert is_refused(send(collector, view, body))
            assert not collector.ready
            assert "No space left on device" in caplog.text
        assert (rows(postgres_url, "inbox"), rows(postgres_url, "upload_ids")) == (0, 0)
        assert recover(collector, clock)
        assert send(collector, view, body).outcome == Receipt(2), "its id was forgotten with it"


@pytest.fixture
def own_server() -> Iterator[Server]:
    with running() as server:
        yield server


def test_a_database_that_restarts(own_server: Server) -> None:
    """With threads: an upload is refused meanwhile, and then the collector is ready again though nobody asks it."""
    url = own_server.new_database()
    collector = Collector.join(url)
    try:
        (view,) = create(collector, HOT)
        body = upload(view, 2)
        own_server.stop()
        offered = collector.offer(view, body)
        until = time.monotonic() + PATIENCE
        while offered.outcome is None and time.monotonic() < until:
            time.sleep(0.05)
        assert is_refused(offered)
        assert not collector.ready
        own_server.start()
        while not collector.ready and time.monotonic() < until:
            time.sleep(0.05)
        assert collector.ready
        again = collector.offer(now(collector, view), body)
        while now(collector, view).reports < 2 and time.monotonic() < until:
            time.sleep(0.05)
        assert again.outcome == Receipt(2)
        assert len(log_of(collector, view)) == 1
    finally:
        collector.close()


def test_a_network_that_drops_everything_for_a_while(postgres_url: str) -> None:
    """The server lives; what goes between is lost."""
    port = urlsplit(postgres_url).port
    assert port is not None
    clock = FakeClock()
    with Network(port) as network, by_hand(postgres_url.replace(str(port), str(network.port)), clock) as collector:
        collector.step()
        (view,) = create(collector, HOT)
        body = upload(view, 2)
        network.drop()
        assert is_refused(send(collector, view, body))
        assert not collector.ready
        network.mend()
        assert recover(collector, clock)
        assert send(collector, view, body).outcome in (Receipt(2), Receipt(2, duplicate=True))
        assert len(log_of(collector, view)) == 1


def test_a_database_that_stands_still_while_its_connections_live(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a pooler that hangs: uploads wait, and the balancer learns that it should ask another collector."""
    monkeypatch.setattr("hgldp.collector.shared.intake.STUCK_SECONDS", 0.2)
    port = urlsplit(postgres_url).port
    assert port is not None
    with (
        Network(port) as network,
        by_hand(postgres_url.replace(str(port), str(network.port)), FakeClock()) as collector,
    ):
        collector.step()
        (view,) = create(collector, HOT)
        assert collector.ready
        network.hold()
        with ThreadPoolExecutor(1) as pool:
            sent = pool.submit(send, collector, view, upload(view, 2))
            until(lambda: not collector.ready)
            assert not sent.done()
            network.mend()
            assert sent.result(20).outcome == Receipt(2)
        assert collector.ready
        assert len(log_of(collector, view)) == 1
