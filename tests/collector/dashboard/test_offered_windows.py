"""What a page offers is what the collector answers, while reports come faster than clients renew their bulletin."""

from pathlib import Path

from hgldp.collector.dashboard.regions import window_choices
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from tests.collector.fakes import FakeClock, create, now, open_by_hand, upload

TASK = Task("pfr", Budget(3.0), RangeDomain(50), k=2, cells=16, memory=4096, epoch=500)


def test_every_window_that_is_offered_is_answered_from_other_epochs(tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path, FakeClock())
    (task,) = create(collector, TASK)
    offers = set()
    for number in range(1, 41):
        if number % 5 == 1:
            bulletin = now(collector, task).bulletin
        view = now(collector, task)
        collector.offer(view, upload(view, 400, bulletin, seed=number))
        collector.step()
        view = now(collector, task)
        assert sum(view.epoch_sizes) == view.reports == 400 * number
        offered = window_choices(view)
        answers = [collector.top(task.id, None, window) for window in offered]
        assert len({answer.covered for answer in answers}) == len(offered)
        for window, answer in zip(offered, answers, strict=True):
            assert window / 2 <= answer.covered < view.reports
            assert answer.top
        offers.update(offered)
    collector.close()
    assert {2_000, 5_000, 10_000} <= offers
