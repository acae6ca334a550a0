"""A version of another era takes a shared store over while the old one runs: what was acknowledged counts once."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import psycopg
import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.postgres import lease, version
from hgldp.collector.log.takeover.era import ERA
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.problems import Refused
from hgldp.collector.shared import worker
from hgldp.collector.shared.writer import SharedWriter
from hgldp.collector.views import Receipt, TaskView
from tests.collector.fakes import HOT, SEARCH, FakeClock, create, log_of, now, upload
from tests.collector.homes import DatabaseHome
from tests.collector.log.eras import EVERY, other_rules


def of_another_era(url: str) -> None:
    """As if the collectors that are there were of an earlier version."""
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE service SET value = %s WHERE name = 'era'", (str(ERA - 1),))
        connection.execute("UPDATE sealer SET era = %s", (ERA - 1,))


def send(collector: Collector, views: list[TaskView], reports: int, *, sealed: bool = True) -> list[bytes]:
    """An upload for each task. What is not sealed stays in the inbox."""
    bodies = [upload(now(collector, view), reports) for view in views]
    offered = [collector.offer(now(collector, view), body) for view, body in zip(views, bodies, strict=True)]
    if sealed:
        collector.step()
    else:
        collector._writer._intake.step()  # type: ignore[union-attr]
    assert [each.outcome for each in offered] == [Receipt(reports)] * len(views)
    return bodies


def counted_again(collector: Collector, view: TaskView, body: bytes) -> bool:
    """Whether an upload that was acknowledged before counts once more; if its bulletin is too old, it does not."""
    before = now(collector, view).reports
    with suppress(Refused):
        collector.offer(now(collector, view), body)
        collector.step()
    return now(collector, view).reports > before


def rolled(url: str, clock: FakeClock, **terms: object) -> tuple[Collector, list[TaskView], list[bytes]]:
    """The old sealer, alive, has counted more than stands behind a state, and the inbox is not empty."""
    with other_rules():
        old = DatabaseHome(url).collector(clock)
        views = create(old, *EVERY, **terms)
        bodies: list[bytes] = []
        for reports in (5, 5, 5, 5, 5, 5, 5, 5, 3):
            bodies += send(old, views[:4], reports)
        bodies += send(old, views[:4], 2, sealed=False)
    states = old._writer._writer._states  # type: ignore[union-attr]
    assert sum(states[view.number].uncovered > 0 for view in views) >= 2
    of_another_era(url)
    return old, views, bodies


def agreed(url: str, taken_over: int, reports: int) -> None:
    report = DatabaseHome(url).replayed()
    assert report.agrees, str(report.difference)
    assert (report.unwritten, report.taken_over, report.reports) == (0, taken_over, reports)


def test_what_the_old_version_acknowledged_counts_once_and_what_it_published_stays(postgres_url: str) -> None:
    clock = FakeClock()
    old, views, bodies = rolled(postgres_url, clock)
    before = [old.storage.bulletins(view.number) for view in views]
    new = Collector.join(postgres_url, clock=clock, threaded=False)
    assert [now(new, view).reports for view in views] == [43, 43, 43, 43, 0]
    assert [new.storage.bulletins(view.number) for view in views] == before
    agreed(postgres_url, 4 * 43, 0)
    new.step()
    assert [now(new, view).reports for view in views] == [45, 45, 45, 45, 0]
    agreed(postgres_url, 4 * 43, 4 * 2)
    again = [counted_again(new, views[place % 4], body) for place, body in enumerate(bodies)]
    assert not any(again)
    assert [now(new, view).reports for view in views] == [45, 45, 45, 45, 0]
    for _ in range(4):
        send(new, views, 9)
    for view in views:
        logged = [upload_id for upload_id, _ in log_of(new, view)]
        assert len(logged) == len(set(logged))
    assert now(new, views[1]).epoch > before[1][-1].epoch
    old.close(), new.close()
    agreed(postgres_url, 4 * 43, 4 * 2 + 5 * 36)


@contextmanager
def as_the_old_version() -> Iterator[None]:
    """What is done in the block is done by a collector that knows the earlier era only."""
    with other_rules(), pytest.MonkeyPatch.context() as patch:
        for module in (version, lease):
            patch.setattr(module, "ERA", ERA - 1)
        yield


def test_no_task_is_created_behind_a_takeover(postgres_url: str) -> None:
    """It would begin with a bulletin that does not follow by the new rules, and no collector could ever read it."""
    clock, refused = FakeClock(), []
    old, views, _ = rolled(postgres_url, clock)
    late = replace(SEARCH, k=3)

    def entropy(size: int) -> bytes:
        if not refused:
            with as_the_old_version():
                for attempt in (lambda: create(old, late), lambda: old.delete_task(views[3].id)):
                    with pytest.raises(Refused, match="another version"):
                        attempt()
                    refused.append(attempt)
        return os.urandom(size)

    new = Collector.join(postgres_url, clock=clock, threaded=False, entropy=entropy)
    assert len(refused) == 2
    assert [view.id for view in new.tasks()] == [view.id for view in views]
    create(new, late)
    old.close(), new.close()
    agreed(postgres_url, 4 * 43, 4 * 2)


def test_the_old_version_goes_on_if_a_takeover_is_cut_off(postgres_url: str) -> None:
    clock = FakeClock()
    old, views, _ = rolled(postgres_url, clock)

    def killed(_: int) -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Collector.join(postgres_url, clock=clock, threaded=False, entropy=killed)
    with as_the_old_version():
        for _ in range(3):
            clock.advance(2)
            old.step()
        create(old, replace(SEARCH, k=3))
        assert now(old, views[0]).reports == 45
    new = Collector.join(postgres_url, clock=clock, threaded=False)
    assert len(new.tasks()) == len(views) + 1
    old.close(), new.close()
    agreed(postgres_url, 4 * 45, 0)


def test_a_database_of_an_earlier_version_is_refused_in_words_that_hold_for_it(postgres_url: str) -> None:
    """It is not this collector that has to be updated."""
    storage = DatabaseHome(postgres_url).storage()
    of_another_era(postgres_url)
    with pytest.raises(version.OtherVersion, match="until both have the same version"):
        storage.task_changes()
    storage.close()


class EveryBulletin(SharedWriter):
    """Planted: a bulletin is shown as soon as it is derived."""

    def _view(self, state: TaskState) -> TaskView:
        return state.view()


@pytest.mark.parametrize("planted", [False, True])
def test_what_answers_a_bulletin_that_was_never_written_is_not_acknowledged(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, *, planted: bool
) -> None:
    """The old sealer ended when its log was written, and before the bulletin that follows from it was."""
    if planted:
        monkeypatch.setattr(worker, "SharedWriter", EveryBulletin)
    clock = FakeClock()
    with other_rules():
        old, follower = (DatabaseHome(postgres_url).collector(clock) for _ in range(2))
        views = create(old, SEARCH, HOT)
        monkeypatch.setattr(old._writer._writer, "flush", lambda: None)  # type: ignore[union-attr]
        follower.step()
        acknowledged = len(views) * 40
        send(old, views, 40)
        for _ in range(4):
            follower.step()
        offered = [follower.offer(now(follower, view), upload(now(follower, view), 3)) for view in views]
        follower._writer._intake.step()  # type: ignore[union-attr]
        late = Collector.join(postgres_url, clock=clock, threaded=False)
        shown = [now(late, view).epoch for view in views]
        late.close()
    for each in offered:
        if each.outcome == Receipt(3):
            acknowledged += 3
    of_another_era(postgres_url)
    new = Collector.join(postgres_url, clock=clock, threaded=False)
    new.step()
    counted = sum(now(new, view).reports for view in views)
    old.close(), follower.close(), new.close()
    assert shown == ([1, 1] if planted else [0, 0])
    assert (counted < acknowledged) == planted
