"""One batch after the other: what is new, what was sent again, what comes too late, what a failing store does."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.entry import RUN, SEAL
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.views import Receipt, TaskTerms
from hgldp.collector.writer.pending import PendingUpload
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from hgldp.schemes.base import RETAINED
from hgldp.tracker import Tracker
from tests.collector.fakes import (
    HOT,
    SEARCH,
    TASKS,
    FakeClock,
    FaultyStorage,
    create,
    log_of,
    now,
    open_by_hand,
    upload,
)
from tests.collector.homes import Home


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def collector(tmp_path: Path, clock: FakeClock) -> Collector:
    return open_by_hand(tmp_path, clock)


@pytest.fixture
def either(home: Home, clock: FakeClock) -> Iterator[Collector]:
    """In a folder, and on a shared store."""
    found = home.collector(clock)
    yield found
    found.close()


def problem(pending: PendingUpload) -> Problem:
    assert isinstance(pending.outcome, Refused)
    return pending.outcome.problem


def test_uploads_of_one_batch_become_one_entry_for_each_task_and_bulletin(either: Collector) -> None:
    hot, search = create(either, HOT, SEARCH)
    uploads = [either.offer(view, upload(view, 2)) for view in (hot, search, hot)]
    assert all(pending.outcome is None for pending in uploads)
    either.step()
    assert [pending.outcome for pending in uploads] == [Receipt(2)] * 3
    entries = list(either.storage.entries())
    assert [(entry.kind, entry.reports, len(entry.upload_ids), entry.batch) for entry in entries] == [
        (RUN, 4, 2, 1), (RUN, 2, 1, 1),
    ]  # fmt: skip
    assert now(either, hot).reports == 4
    assert now(either, hot).accepted == 2


def test_a_resend_is_answered_alike_and_counts_once_in_the_same_batch_and_in_later_ones(collector: Collector) -> None:
    (view,) = create(collector, HOT)
    body = upload(view, 3)
    first, echo = collector.offer(view, body), collector.offer(view, body)
    collector.step()
    later = collector.offer(view, body)
    collector.step()
    assert [first.outcome, echo.outcome, later.outcome] == [
        Receipt(3),
        Receipt(3, duplicate=True),
        Receipt(3, duplicate=True),
    ]
    assert now(collector, view).reports == 3
    assert now(collector, view).duplicate == 2
    assert len(log_of(collector, view)) == 1


def test_the_writer_counts_what_a_tracker_counts(collector: Collector) -> None:
    for task in TASKS:
        (view,) = create(collector, task)
        row = next(row for row in collector.storage.tasks() if row.id == task.id)
        tracker = Tracker(task, row.seed, hides_order=True)
        for seed in range(90):
            view = now(collector, view)
            assert view.bulletin.version == tracker.bulletin.version
            assert view.in_epoch == view.epoch_length - tracker.epoch_room
            pending = collector.offer(view, upload(view, 1, seed=seed))
            tracker.insert_many(view.bulletin.version, [int.from_bytes(pending.symbols, "big")])
            collector.step()
        assert now(collector, view).reports == tracker.reports == 90
        assert now(collector, view).epoch > RETAINED
        expected = [(item, line.count, line.standard_error) for item, line in tracker.top()]
        assert [(line.item, line.estimate, line.standard_error) for line in collector.top(view.id).top] == expected


def test_late_reports_count_and_later_ones_are_told_to_go(either: Collector) -> None:
    (view,) = create(either, HOT)
    bodies = [upload(view, 1) for _ in range(RETAINED + 1)]
    for epoch, body in enumerate(bodies[:RETAINED]):
        pending = either.offer(now(either, view), body)
        either.step()
        assert isinstance(pending.outcome, Receipt)
        filled = now(either, view)
        either.offer(filled, upload(filled, 7))
        either.step()
        assert now(either, view).epoch == epoch + 1
    with pytest.raises(Refused) as late:
        either.offer(now(either, view), bodies[-1])
    assert late.value.problem is Problem.BULLETIN_TOO_OLD
    stale = either.offer(view, bodies[-1])
    either.step()
    assert problem(stale) is Problem.BULLETIN_TOO_OLD
    assert now(either, view).reports == 8 * RETAINED


def test_old_bulletins_are_counted_before_the_seal_that_would_end_them(either: Collector) -> None:
    (view,) = create(either, HOT)
    oldest = view.bulletin
    for _ in range(RETAINED - 1):
        either.offer(now(either, view), upload(now(either, view), 7))
        either.step()
    view = now(either, view)
    assert view.bulletins[0] == oldest
    sealing, late = either.offer(view, upload(view, 7)), either.offer(view, upload(view, 1, oldest))
    either.step()
    assert (sealing.outcome, late.outcome) == (Receipt(7), Receipt(1))
    assert now(either, view).reports == 7 * RETAINED + 1


def test_a_failed_commit_refuses_the_batch_and_leaves_no_trace(collector: Collector) -> None:
    (view,) = create(collector, HOT)
    body = upload(view, 7)
    assert isinstance(collector.storage, FaultyStorage)
    collector.storage.fault = "full"
    both = [collector.offer(view, body), collector.offer(view, body)]
    collector.step()
    assert [problem(pending) for pending in both] == [Problem.STORAGE_FULL] * 2
    assert isinstance(both[0].outcome, Refused)
    assert both[0].outcome.retry_after
    assert not collector.ready
    assert now(collector, view).reports == 0
    again = collector.offer(view, body)
    collector.step()
    assert again.outcome == Receipt(7)
    assert now(collector, view).epoch == 1
    assert collector.ready


def test_a_full_queue_refuses_at_once(tmp_path: Path, clock: FakeClock) -> None:
    collector = open_by_hand(tmp_path, clock, Limits(queue_uploads=2, queue_bytes=100))
    (view,) = create(collector, HOT)
    collector.offer(view, upload(view, 1))
    with pytest.raises(Refused) as large:
        collector.offer(view, upload(view, 100))
    collector.offer(view, upload(view, 1))
    with pytest.raises(Refused) as third:
        collector.offer(view, upload(view, 1))
    assert {large.value.problem, third.value.problem} == {Problem.QUEUE_FULL}
    assert third.value.retry_after
    collector.step()
    collector.offer(view, upload(view, 1))


def test_batches_are_bounded(tmp_path: Path, clock: FakeClock) -> None:
    collector = open_by_hand(tmp_path, clock, Limits(group_uploads=3))
    (view,) = create(collector, HOT)
    uploads = [collector.offer(view, upload(view)) for _ in range(5)]
    collector.step()
    assert [pending.outcome is not None for pending in uploads] == [True] * 3 + [False] * 2
    collector.close()
    assert all(isinstance(pending.outcome, Receipt) for pending in uploads)


def test_a_top_says_which_reports_it_counts(either: Collector, clock: FakeClock) -> None:
    """Three at once; two more are counted before the top is due again; then they are in it; then an epoch ends."""
    (view,) = create(either, HOT)
    seen = []
    for reports, seconds in ((3, 1.0), (2, 0.0), (0, 1.0), (2, 0.0)):
        clock.advance(seconds)
        if reports:
            either.offer(view, upload(view, reports))
        either.step()
        found = now(either, view)
        seen.append((found.reports, found.top_reports, found.top_epoch))
    assert seen == [(3, 3, 0), (5, 3, 0), (5, 5, 0), (7, 7, 1)]


def test_epochs_end_by_the_clock_if_anything_was_reported(either: Collector, clock: FakeClock) -> None:
    (view,) = create(either, SEARCH)
    clock.advance(61)
    either.step()
    assert now(either, view).epoch == 0
    either.offer(view, upload(view, 5))
    either.step()
    clock.advance(59)
    clock.wall += 10**6
    either.step()
    assert now(either, view).epoch == 0
    clock.advance(2)
    either.step()
    assert now(either, view).epoch == 1
    assert [entry.kind for entry in either.storage.entries()] == [RUN, SEAL]
    assert either.history(view.id)[0].reports == 5


def test_the_clock_goes_on_over_a_restart(home: Home, clock: FakeClock) -> None:
    collector = home.collector(clock)
    (view,) = create(collector, SEARCH)
    collector.offer(view, upload(view, 5))
    collector.step()
    clock.advance(40)
    collector.close()
    clock.steady = 5.0
    again = home.collector(clock)
    clock.advance(19)
    again.step()
    assert now(again, view).epoch == 0
    clock.advance(2)
    again.step()
    assert now(again, view).epoch == 1
    again.close()


def test_closing_publishes_the_rest_and_takes_no_more_but_still_knows_what_it_took(collector: Collector) -> None:
    (view,) = create(collector, HOT)
    known, fresh = upload(view, 2), upload(view, 1)
    collector.offer(view, known)
    collector.step()
    collector.close_task(view.id)
    closed = now(collector, view)
    assert closed.closed is not None
    assert collector.history(view.id)[-1].reports == 2
    again, new = collector.offer(closed, known), collector.offer(closed, fresh)
    collector.step()
    assert again.outcome == Receipt(2, duplicate=True)
    assert problem(new) is Problem.TASK_CLOSED
    for command in (collector.close_task, collector.seal):
        with pytest.raises(Refused) as refused:
            command(view.id)
        assert refused.value.problem is Problem.TASK_CLOSED


def test_tasks_are_refused_when_they_exist_or_cannot_start(either: Collector) -> None:
    create(either, HOT)
    tiny = Task("pfr", Budget(1.0), RangeDomain(100), k=2, memory=10)
    for task, expected in ((HOT, Problem.TASK_EXISTS), (tiny, Problem.MALFORMED_TASK)):
        with pytest.raises(Refused) as refused:
            either.create_task(task, TaskTerms("again"))
        assert refused.value.problem is expected
    with pytest.raises(Refused) as unknown:
        either.seal(bytes(32))
    assert unknown.value.problem is Problem.UNKNOWN_TASK


def test_caps_hold_over_a_restart_and_resends_cost_nothing(
    tmp_path: Path, collector: Collector, clock: FakeClock
) -> None:
    (view,) = create(collector, HOT, reports_per_day=5)
    body = upload(view, 4)
    for _ in range(3):
        known, more = collector.offer(view, body), collector.offer(view, upload(view, 2))
        collector.step()
        assert isinstance(known.outcome, Receipt)
        assert problem(more) is Problem.DAILY_CAP_REACHED
    collector.close()
    again = open_by_hand(tmp_path, clock)
    uploads = [again.offer(now(again, view), upload(view, reports)) for reports in (2, 1, 1)]
    again.step()
    assert [isinstance(pending.outcome, Receipt) for pending in uploads] == [False, True, False]
    clock.advance(86_400)
    tomorrow = again.offer(now(again, view), upload(view, 5))
    again.step()
    assert tomorrow.outcome == Receipt(5)


def test_a_rate_refuses_before_anything_is_queued(either: Collector) -> None:
    (view,) = create(either, HOT, reports_per_second=1)
    either.offer(view, upload(view, 10))
    with pytest.raises(Refused) as fast:
        either.offer(view, upload(view, 1))
    assert fast.value.problem is Problem.TOO_MANY_REPORTS
    assert either.backlog.uploads == 1


def test_an_error_in_our_own_code_answers_everybody_and_starts_again_from_the_log(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    (view,) = create(collector, HOT)
    body = upload(view, 3)
    with monkeypatch.context() as patch:
        patch.setattr(Tracker, "insert_many", lambda *_: 1 / 0)
        pending = collector.offer(view, body)
        collector.step()
    assert problem(pending) is Problem.INTERNAL
    assert not collector.ready
    again = collector.offer(view, body)
    collector.step()
    assert again.outcome == Receipt(3, duplicate=True)
    assert now(collector, view).reports == 3
    assert collector.ready
