"""A bulletin does not tell the ranking, and a tracker that hides it goes on doing so after a restart."""

import random

import pytest

from hgldp import Randomizer, SeededWords, Task, Tracker
from hgldp.model.bulletins import FrontierBulletin, OpenBulletin

NUMBERS = Task("pfr", epsilon=4.0, domain=range(100), k=3, epoch=500)
STRINGS = Task("pfr", epsilon=4.0, domain=8, k=2, cells=64, epoch=1_000)
EVENTS = {NUMBERS: (70, 40, 90, 10), STRINGS: ("tea", "mate", "coffee", "ale")}


def fed(task: Task, *, hides_order: bool, reports: int = 6_000) -> Tracker:
    tracker = Tracker(task, 1, hides_order=hides_order)
    client, draw = Randomizer(task, 4.0, SeededWords(2)), random.Random(3)
    for event in draw.choices(EVENTS[task], weights=(8, 4, 2, 1), k=reports):
        tracker.insert(client.report(event, tracker.bulletin))
    return tracker


def published(tracker: Tracker) -> list[object]:
    bulletin = tracker.bulletin
    assert bulletin.epoch > 2
    if isinstance(bulletin, FrontierBulletin):
        return list(bulletin.leaves)
    assert isinstance(bulletin, OpenBulletin)
    return list(bulletin.cells)


@pytest.mark.parametrize("task", [NUMBERS, STRINGS], ids=["numbers", "strings"])
def test_what_is_published_is_in_the_order_of_the_domain(task: Task) -> None:
    tracker = fed(task, hides_order=True)
    found = published(tracker)
    assert found == sorted(found)
    assert [item for item, _ in tracker.top(1)] == [EVENTS[task][0]]


@pytest.mark.parametrize("task", [NUMBERS, STRINGS], ids=["numbers", "strings"])
def test_the_order_of_0_1_0_tells_the_ranking(task: Task) -> None:
    """What the other tests would miss if they could not fail; and what replays a folder of 0.1.0."""
    found = published(fed(task, hides_order=False))
    assert found != sorted(found)
    if task is NUMBERS:
        assert found[:3] == [70, 40, 90]


@pytest.mark.parametrize("hides_order", [True, False])
@pytest.mark.parametrize("task", [NUMBERS, STRINGS], ids=["numbers", "strings"])
def test_a_restart_keeps_the_order(task: Task, hides_order: bool) -> None:
    tracker = fed(task, hides_order=hides_order)
    tracker.seal()
    again = Tracker.restore(task, tracker.serialize(), tracker.bulletins[:-1])
    assert again.bulletin == tracker.bulletin
    client = Randomizer(task, 4.0, SeededWords(5))
    for event in EVENTS[task] * 400:
        report = client.report(event, tracker.bulletin)
        tracker.insert(report)
        again.insert(report)
    tracker.seal()
    assert again.seal() == tracker.bulletin
    assert again.serialize() == tracker.serialize()


def test_a_warm_up_does_not_tell_it_either() -> None:
    first = Tracker(NUMBERS, 1, [50] * 9 + [30] * 5 + [80], hides_order=True).bulletin
    assert isinstance(first, FrontierBulletin)
    assert {30, 50, 80} <= set(first.leaves)
    assert list(first.leaves) == sorted(first.leaves)
