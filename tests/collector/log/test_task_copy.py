"""A tracker's answer as people see it."""

from hgldp.client import Randomizer
from hgldp.collector.log.task_copy import TaskCopy
from hgldp.model.randomness import SeededWords
from hgldp.model.task import Task
from hgldp.tracker import Tracker


def counted() -> Tracker:
    """Its top has three lines."""
    task = Task("pfr", epsilon=4.0, domain=range(50), k=3)
    tracker, client = Tracker(task, seed=1), Randomizer(task, 4.0, SeededWords(1))
    for event in range(8_000):
        tracker.insert(client.report(event % 9 % 5, tracker.bulletin))
    return tracker


def test_whoever_was_below_the_end_of_the_earlier_list_is_not_new() -> None:
    tracker = counted()
    first, second, third = TaskCopy(tracker, ()).top(None, None).top
    longer = TaskCopy(tracker, (first, second, third)).top(5, None).top
    assert [each.rank_change for each in longer] == [0] * 5
    third_is_new = TaskCopy(tracker, (first, second)).top(5, None).top
    assert [each.rank_change for each in third_is_new] == [0, 0, None, 0, 0]


def test_a_window_is_compared_with_no_earlier_top() -> None:
    tracker = counted()
    copy = TaskCopy(tracker, TaskCopy(tracker, ()).top(None, None).top)
    assert {each.rank_change for each in copy.top(None, None).top} == {0}
    window = copy.top(None, 4_000)
    assert window.top
    assert {each.rank_change for each in window.top} == {None}
