"""Two collectors on one database: what one takes in, both count, to the same bytes as one process."""

import threading
from contextlib import closing
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.entry import Entry
from hgldp.collector.log.postgres.database import Database, checked_url
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.shared.writer import SharedWriter
from hgldp.collector.views import Receipt
from hgldp.errors import InvalidField, StorageFailed
from hgldp.model.task import Task
from hgldp.schemes.base import RETAINED
from tests.collector.fakes import HOT, SEARCH, STRINGS, FakeClock, create, log_of, now, upload
from tests.collector.shared.conftest import Pair
from tests.collector.shared.one_process import differences
from tests.free_port import free_port


@pytest.mark.parametrize("task", [HOT, SEARCH, STRINGS], ids=lambda task: f"{task.scheme} {task.domain.describe()}")
def test_what_one_takes_in_both_count_as_one_process_does(pair: Pair, task: Task, tmp_path: Path) -> None:
    first, second = pair
    (view,) = create(first, task)
    second.step()
    for number in range(30):
        for collector in pair:
            shown = now(collector, view)
            offered = collector.offer(shown, upload(shown, 1 + number % 4))
            collector.step()
            assert offered.outcome == Receipt(1 + number % 4)
        first.step()
        second.step()
    shown, followed = now(first, view), now(second, view)
    assert shown.reports == followed.reports == sum(count for _, count in log_of(first, view)) == 146
    assert shown.epoch > 3
    assert (shown.bulletins, shown.top) == (followed.bulletins, followed.top)
    assert differences(first.storage, tmp_path / "alone") == []


def test_an_upload_counts_once_whichever_collector_gets_it_again(pair: Pair) -> None:
    first, second = pair
    (view,) = create(first, SEARCH)
    second.step()
    body = upload(view, 3)
    found = []
    for collector in (first, second, first, second):
        offered = collector.offer(now(collector, view), body)
        collector.step()
        found.append(offered.outcome)
    assert found == [Receipt(3), *[Receipt(3, duplicate=True)] * 3]
    assert now(first, view).reports == 3


def test_any_collector_creates_changes_ends_and_deletes_tasks(pair: Pair) -> None:
    first, second = pair
    (one,), (other,) = create(second, SEARCH), create(first, HOT)
    first.step(), second.step()
    assert [view.id for view in first.tasks()] == [view.id for view in second.tasks()] == [one.id, other.id]
    first.change_task(one.id, name="renamed", read_digest=b"r" * 32)
    second.step()
    assert now(second, one).terms.name == "renamed"
    assert [view.id for view in second.tasks_that_keep(b"r" * 32)] == [one.id]
    with pytest.raises(Refused) as refused:
        create(second, SEARCH)
    assert refused.value.problem is Problem.TASK_EXISTS
    offered = first.offer(now(first, one), upload(one, 2))
    first.step()
    assert offered.outcome == Receipt(2)
    first.seal(one.id)
    assert now(first, one).epoch == 1
    second.step()
    assert now(second, one).epoch == 1
    first.delete_task(other.id)
    second.step()
    assert second.view(other.id) is None


def test_what_was_acknowledged_before_the_end_of_a_task_counts_and_nothing_after(pair: Pair) -> None:
    first, second = pair
    (view,) = create(first, SEARCH)
    second.step()
    last, late = upload(view, 4), upload(view)
    before = second.offer(now(second, view), last)
    second._writer._intake.step()  # type: ignore[union-attr]  # it is in the inbox, and nobody has counted it
    first.close_task(view.id)
    assert before.outcome == Receipt(4)
    assert now(first, view).reports == 4
    after = second.offer(now(second, view), late)
    second.step()
    assert isinstance(after.outcome, Refused)
    second.step()
    assert now(second, view).closed is not None


def test_a_cap_is_one_for_all(pair: Pair) -> None:
    first, second = pair
    (view,) = create(first, SEARCH, reports_per_day=10)
    second.step()
    outcomes = []
    for collector in (first, second, first, second):
        offered = collector._writer.intakes[view.number].offer(now(collector, view), upload(view, 4))
        collector.step()
        outcomes.append(offered.outcome)
    assert [isinstance(each, Receipt) for each in outcomes] == [True, True, False, False]
    assert isinstance(outcomes[2], Refused)
    assert outcomes[2].problem is Problem.DAILY_CAP_REACHED
    assert now(first, view).reports == 8


def test_the_next_sealer_goes_on_where_the_last_one_stopped(pair: Pair, clock: FakeClock, tmp_path: Path) -> None:
    first, second = pair
    (view,) = create(first, SEARCH)
    second.step()
    for _ in range(8):
        second.offer(now(second, view), upload(now(second, view), 3))
        second.step(), first.step()
    first.close()
    clock.advance(2)
    for _ in range(8):
        second.offer(now(second, view), upload(now(second, view), 3))
        second.step()
    assert now(second, view).reports == 48
    assert differences(second.storage, tmp_path / "alone") == []


def test_an_upload_that_comes_twice_in_one_batch_beyond_the_cap_is_refused_twice(pair: Pair) -> None:
    first = pair[0]
    (view,) = create(first, SEARCH, reports_per_day=4)
    body = upload(view, 3)
    intake = first._writer.intakes[view.number]
    intake.quotas = None
    first.offer(view, upload(view, 2))
    first.step()
    offered = [first.offer(view, body), first.offer(view, body)]
    first.step()
    assert [getattr(each.outcome, "problem", None) for each in offered] == [Problem.DAILY_CAP_REACHED] * 2
    assert now(first, view).reports == 2


def test_two_collectors_change_one_task_at_once(pair: Pair) -> None:
    (view,) = create(pair[0], SEARCH)
    pair[1].step()
    failures: list[Exception] = []

    def rename(collector: Collector) -> None:
        try:
            for number in range(10):
                assert collector.storage.change_task(view.number, {"old_until": float(number)})  # type: ignore[attr-defined]
        except Exception as failure:  # noqa: BLE001 - told below
            failures.append(failure)

    threads = [threading.Thread(target=rename, args=(each,)) for each in pair]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not failures


@pytest.mark.parametrize("password", ["pa%ss", "p@ss", "pa/ss", "pa#ss", "pa?ss", "12/ss"])
def test_nothing_of_a_password_is_repeated(password: str) -> None:
    with pytest.raises(InvalidField) as refused:
        checked_url(f"postgresql://user:{password}@127.0.0.1/hgldp")
    assert "ss@" not in str(refused.value).replace("password@", "")
    assert checked_url("postgresql://user:p%40ss@127.0.0.1/hgldp")


@pytest.mark.parametrize("place", ["/h?host=/var/run/postgresql", "u:p@h1:5432,h2:5432/h", "h1,h2/h", "u@[::1]:5432/h"])
def test_addresses_that_postgresql_takes_are_taken(place: str) -> None:
    assert checked_url(f"postgresql://{place}")


def test_a_refused_address_says_what_is_wrong_with_it() -> None:
    for url, wrong in (
        ("mysql://h/h", "something that does not begin with postgresql://"),
        ("postgresql://h:port/h", "an address whose host or port cannot be read"),
        ("postgresql://h:5432", "one without the name of a database"),
    ):
        with pytest.raises(InvalidField, match=wrong):
            checked_url(url)


def test_an_error_of_our_own_is_answered_and_the_next_upload_is_taken(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = pair[0]
    (view,) = create(first, SEARCH)

    def wrong(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as planted:
        planted.setattr("hgldp.collector.shared.intake._grouped", wrong)
        offered = first.offer(view, upload(view))
        first.step()
        assert isinstance(offered.outcome, Refused)
        assert offered.outcome.problem is Problem.INTERNAL
    again = first.offer(view, upload(view))
    first.step()
    assert again.outcome == Receipt(1)


def test_every_entry_is_hashed_once(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it ends an epoch is known before."""
    first = pair[0]
    (view,) = create(first, SEARCH)
    hashed, link = [], Entry.link

    def linked(entry: Entry, before: bytes) -> bytes:
        hashed.append(entry.position)
        return link(entry, before)

    monkeypatch.setattr(Entry, "link", linked)
    for _ in range(8):
        first.offer(now(first, view), upload(now(first, view), 3))
        first.step()
    assert now(first, view).epoch > 1
    assert hashed == [entry.position for entry in first.storage.entries(view.number)]


@pytest.mark.parametrize("epochs", [RETAINED - 1, RETAINED, 2 * RETAINED])
def test_a_follower_that_did_not_look_for_many_epochs_catches_up_at_once(
    pair: Pair, epochs: int, reloads: list[SharedWriter]
) -> None:
    """None of the bulletins that it showed is read any more. Before: it failed and read everything again."""
    first, second = pair
    (view,) = create(first, HOT)
    second.step()
    reloads.clear()
    while now(first, view).epoch < epochs:
        first.offer(now(first, view), upload(now(first, view), 7))
        first.step()
    stale = second.offer(now(second, view), upload(now(second, view), 2))
    second._writer._intake.step()  # type: ignore[union-attr]
    if epochs < RETAINED:
        assert stale.outcome == Receipt(2)
    else:
        assert isinstance(stale.outcome, Refused)
        assert stale.outcome.problem is Problem.STORAGE_FULL, "the bulletin is still the one that this collector shows"
    second._writer._keeper.step()  # type: ignore[union-attr]
    assert (second.ready, reloads) == (True, [])
    assert now(second, view).bulletins == now(first, view).bulletins


def test_a_database_that_is_not_there_is_told_with_what_to_do(postgres_url: str) -> None:
    for url, hint in (
        (postgres_url.rpartition("/")[0] + "/nothing", "roles.sql makes the database and its roles"),
        (f"postgresql://127.0.0.1:{free_port()}/h", "does PostgreSQL run there, and is the port right?"),
    ):
        with closing(Database(url)) as database, pytest.raises(StorageFailed) as refused, database.connection():
            pass
        assert hint in str(refused.value)
