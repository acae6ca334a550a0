"""A tracker's answer as people see it."""

from hgldp.client import Randomizer
from hgldp.collector.log.task_copy import TaskCopy
from hgldp.model.randomness import SeededWords
from hgldp.model.task import Task
from hgldp.tracker import Tracker


def test_a_window_is_compared_with_no_earlier_top() -> None:
    task = Task("pfr", epsilon=4.0, domain=range(50), k=3)
    tracker, client = Tracker(task, seed=1), Randomizer(task, 4.0, SeededWords(1))
    for event in range(8_000):
        tracker.insert(client.report(event % 9 % 5, tracker.bulletin))
    copy = TaskCopy(tracker, TaskCopy(tracker, ()).top(None, None).top)
    assert {each.rank_change for each in copy.top(None, None).top} == {0}
    window = copy.top(None, 4_000)
    assert window.top
    assert {each.rank_change for each in window.top} == {None}
