"""A tracker that goes on from what an earlier version published counts the same reports under the same bulletins."""

from dataclasses import replace

import numpy as np
import pytest

from hgldp import Task, Tracker
from hgldp.errors import InvalidField, UnknownBulletin
from hgldp.model.bulletins import AnyBulletin, Bulletin, FrontierBulletin

SEARCH = Task("pfr", epsilon=3.0, domain=range(50), k=2, cells=16, memory=4096, epoch=20)
HOT = Task("dsr", epsilon=2.0, domain=range(30), k=2, cells=4, epoch=20)


def published_elsewhere(bulletin: AnyBulletin) -> FrontierBulletin:
    assert isinstance(bulletin, FrontierBulletin)
    return replace(bulletin, key=12345, leaves=(7, 3), cells=12)


def test_the_first_bulletin_and_a_later_one_are_adopted_and_the_state_remembers_them() -> None:
    tracker = Tracker(SEARCH, seed=1)
    first = published_elsewhere(tracker.bulletin)
    tracker.adopt(first)
    assert tracker.bulletins == (first,)
    tracker.insert_many(first.version, [3] * 10)
    own = Tracker.restore(SEARCH, Tracker(SEARCH, seed=1).serialize())
    own.insert_many(own.bulletin.version, [3] * 10)
    second = published_elsewhere(own.seal())
    assert tracker.seal(second) == tracker.bulletin == second
    assert tracker.bulletins == (first, second)
    again = Tracker.restore(SEARCH, tracker.serialize(), [first])
    assert again.bulletins == (first, second)
    assert again.reports == 10
    again.insert_many(second.version, [3] * 30)
    assert again.bulletin.epoch == 2


@pytest.mark.parametrize("change", [{"epoch": 1}, {"domain_size": 49}, {"cells": 17}, {"task": bytes(32)}])
def test_a_bulletin_that_does_not_fit_is_not_adopted(change: dict[str, object]) -> None:
    tracker = Tracker(SEARCH, seed=1)
    with pytest.raises(InvalidField, match="bulletin must"):
        tracker.adopt(replace(published_elsewhere(tracker.bulletin), **change))  # type: ignore[arg-type]


def test_a_hot_list_adopts_only_what_follows_from_its_reports() -> None:
    tracker, twin = Tracker(HOT, seed=1), Tracker(HOT, seed=1)
    for each in (tracker, twin):
        each.insert_many(each.bulletin.version, [4] * 5)
    following = twin.seal()
    assert isinstance(following, Bulletin)
    with pytest.raises(InvalidField, match="must follow from the reports"):
        Tracker(HOT, seed=1).adopt(replace(following, hot=following.hot[::-1]))
    assert tracker.seal(following) == following


def test_an_epoch_stays_open_however_many_reports_are_put_into_it() -> None:
    for task in (SEARCH, HOT):
        tracker = Tracker(task, seed=1)
        version = tracker.bulletin.version
        tracker.insert_into_epoch(version, np.full(90, 4))
        assert (tracker.bulletin.epoch, tracker.reports, tracker.epoch_room) == (0, 90, 0)
        tracker.seal()
        tracker.insert_into_epoch(version, np.full(5, 4))
        assert (tracker.bulletin.epoch, tracker.reports) == (1, 95)
        with pytest.raises(UnknownBulletin):
            tracker.insert_into_epoch("00" * 32, np.full(5, 4))
