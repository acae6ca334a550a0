"""Any item's frequency: in the order asked, from the state that the top is read from, and without changing it."""

import random
from dataclasses import make_dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp import Randomizer, SeededWords, Task, Tracker
from hgldp.errors import InvalidField, OutsideDomain
from hgldp.model.bulletins import Cell
from hgldp.model.estimate import Asked
from hgldp.tracker.family import Family
from hgldp.tracker.hot_list import HotListFamily

SCHEMES = ("bgr", "dsr", "bdr", "cnr", "pfr")
LETTERS = [f"letter {letter}" for letter in "abcdefghijklmnopqrst"]
STREAM = random.Random(1).choices(LETTERS, weights=[2.0**-rank for rank in range(20)], k=3_000)
WORDS = random.Random(2).choices(["tea", "coffee", "mate", "té"], weights=[8, 4, 2, 1], k=40_000)


def task_of(scheme: str, **more: object) -> Task:
    small = {"cells": 4, "epoch": 400} if scheme != "pfr" else {"epoch": 400}
    return Task(scheme, epsilon=3.0, domain=LETTERS, k=2, **{**small, **more})  # type: ignore[arg-type]


def tracked(task: Task, stream: list[str]) -> Tracker:
    tracker, client = Tracker(task, seed=1), Randomizer(task, max_epsilon=9.0, words=SeededWords(3))
    for event in stream:
        tracker.insert(client.report(event, tracker.bulletin))
    return tracker


@pytest.fixture(scope="module", params=SCHEMES)
def tracker(request: pytest.FixtureRequest) -> Tracker:
    return tracked(task_of(request.param), STREAM)


@pytest.fixture(scope="module")
def strings() -> Tracker:
    return tracked(Task("pfr", epsilon=6.0, domain=16, k=2, epoch=2_000), WORDS)


@given(asked=st.lists(st.sampled_from(LETTERS), max_size=30))
@settings(max_examples=25, deadline=None)
def test_the_answer_has_the_order_of_the_question(tracker: Tracker, asked: list[str]) -> None:
    found = tracker.ask(asked)
    assert isinstance(found, Asked)
    assert [item for item, _ in found] == asked
    assert all(line == tracker.estimate(item) for item, line in found)
    assert all(LETTERS[line.item] == item for item, line in found)
    assert all(line.interval[0] <= line.count <= line.interval[1] for _, line in found)


def test_asking_changes_nothing_and_counts_the_open_epoch(tracker: Tracker) -> None:
    bulletin, room, opened = tracker.bulletin, tracker.epoch_room, tracker.open_epoch()
    assert room
    now = tracker.ask(LETTERS)
    assert (tracker.bulletin, tracker.epoch_room, tracker.open_epoch()) == (bulletin, room, opened)
    later = tracker.copied()
    client = Randomizer(tracker.task, max_epsilon=9.0, words=SeededWords(7))
    for _ in range(50):
        later.insert(client.report(LETTERS[0], later.bulletin))
    assert later.bulletin == bulletin
    assert later.estimate(LETTERS[0]).count > now[0][1].count + 20
    assert tracker.ask(LETTERS) == now


def test_a_restored_tracker_answers_the_same(tracker: Tracker) -> None:
    live = tracker.copied()
    live.seal()
    restored = Tracker.restore(live.task, live.serialize(), live.bulletins[:-1])
    assert repr(restored.ask(LETTERS)) == repr(live.ask(LETTERS))


def test_a_line_of_a_hot_list_is_the_line_of_the_top(tracker: Tracker) -> None:
    if tracker.task.scheme != "pfr":
        top = tracker.top(4)
        assert tracker.ask([item for item, _ in top]) == top


def test_pfr_is_near_the_truth_for_every_item() -> None:
    """Within 5.5 standard errors for each of 20 items: one seed in a million would fail."""
    tracker = tracked(task_of("pfr"), STREAM)
    for item, line in tracker.ask(LETTERS):
        assert abs(line.count - STREAM.count(item)) < 5.5 * line.standard_error + 5
    assert not tracker.estimate(LETTERS[0]).may_be_noise
    assert tracker.estimate(LETTERS[19]).may_be_noise


def test_a_window_counts_the_last_reports_only() -> None:
    tracker = tracked(task_of("pfr"), [LETTERS[0]] * 2_000 + [LETTERS[1]] * 2_000)
    first, second = tracker.ask(LETTERS[:2], window=1_500)
    assert first[1].count < 300
    assert second[1].count > 1_200
    assert tracker.estimate(LETTERS[0], window=1).count == 0
    for wrong in (0, -1, 1.5):
        with pytest.raises(InvalidField, match="window must"):
            tracker.ask(LETTERS, window=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("scheme", SCHEMES[:4])
def test_a_hot_list_and_strings_have_no_windows(scheme: str, strings: Tracker) -> None:
    with pytest.raises(InvalidField, match="window works with pfr only"):
        Tracker(task_of(scheme), seed=1).ask(LETTERS, window=100)
    with pytest.raises(InvalidField, match="window works with a listed domain only"):
        strings.ask(["tea"], window=100)


def test_an_item_outside_is_refused_by_its_place_and_never_repeated(tracker: Tracker, strings: Tracker) -> None:
    for wrong in ("a secret", 7, None, object()):
        with pytest.raises(OutsideDomain, match=r"item 2 of those asked for is outside .* withheld") as refused:
            tracker.ask([LETTERS[0], wrong, LETTERS[1]])
        assert "secret" not in str(refused.value)
    for wrong in ("a secret that is too long", "\ud800", "end\0", 7):
        with pytest.raises(OutsideDomain) as refused:
            strings.ask(["tea", wrong])
        assert "secret" not in str(refused.value)


def test_items_come_as_any_iterable_but_a_text(tracker: Tracker) -> None:
    wanted = tracker.ask(LETTERS[:3])
    assert tracker.ask(np.array(LETTERS[:3])) == tracker.ask(iter(LETTERS[:3])) == wanted
    assert tracker.ask([]) == []
    assert repr(tracker.ask([])) == "Asked (for nothing)"
    with pytest.raises(InvalidField, match="items must be a list"):
        tracker.ask(LETTERS[0])


def test_before_any_report_nothing_is_known(tracker: Tracker) -> None:
    asked = Tracker(tracker.task, seed=1).ask(LETTERS)
    for _, line in asked:
        assert (line.count, line.interval, line.since, line.may_be_noise) == (0.0, (0.0, 0.0), 0, True)
    assert repr(asked).startswith("No reports yet.\n")
    assert "<p>No reports yet.</p>" in asked[:1]._repr_html_()
    assert "No reports yet" not in repr(tracker.ask(LETTERS))


def test_where_no_epoch_fits_an_item_may_have_come_as_often_as_the_window_is_long() -> None:
    task = task_of("pfr")
    warm, client = Tracker(task, seed=1, warmup=LETTERS[:1] * 30), Randomizer(task, max_epsilon=9.0)
    for event in STREAM[:500]:
        warm.insert(client.report(event, warm.bulletin))
    least = warm.least_window
    assert warm.covered(least) > 0 == warm.covered(least - 1)
    for window in (5, least - 1):
        asked = warm.ask(LETTERS[:2], window=window)
        assert [(line.count, line.interval) for _, line in asked] == [(0.0, (0.0, window))] * 2
        assert all(line.may_be_noise and not line.warmup for _, line in asked)
        note = f"No whole epoch fits into a window of {window} reports; the smallest that holds one has {least}."
        assert repr(asked).startswith(note)
    assert not warm.ask(LETTERS[:2], window=least).note
    assert [line.interval for _, line in Tracker(task, seed=1).ask(LETTERS[:1], window=5)] == [(0.0, 0.0)]


def test_raw_items_are_told_apart_in_print(tracker: Tracker) -> None:
    warm = Tracker(tracker.task, seed=1, warmup=LETTERS[:1] * 30 + LETTERS[1:2] * 10)
    asked = warm.ask(LETTERS[:1])
    assert repr(asked).splitlines()[0] == "No reports yet: this is the warm-up alone."
    assert repr(asked).splitlines()[1].split()[:3] == ["item", "estimate", "raw"]
    assert repr(asked).splitlines()[2].split()[:4] == ["letter", "a", "30", "30"]
    assert repr(warm.top()).splitlines()[0] == "No reports yet: this is the warm-up alone."
    assert repr(warm.top()).splitlines()[1].replace("likely", "").split()[:4] == ["rank", "item", "estimate", "raw"]
    assert "raw" not in repr(tracker.top())


def test_a_string_that_was_found_has_the_line_of_the_top(strings: Tracker) -> None:
    for item, line in strings.top():
        asked = strings.estimate(item)
        assert (asked.count, asked.standard_error, asked.since) == (line.count, line.standard_error, line.since)
        assert not asked.may_be_noise


@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4))
@settings(max_examples=50, deadline=None)
def test_any_other_string_may_have_come_as_often_as_its_narrowest_cell_hides(strings: Tracker, text: str) -> None:
    line = strings.estimate(text)
    low, high = line.interval
    assert low <= WORDS.count(text) <= high or line.bounds is None
    store = strings.family.store
    if Cell(text.encode(), 0, 0) not in store.hot | store.tips:  # those that have a cell of their own were measured
        assert (low, line.may_be_noise) == (0.0, True)
        assert 0 <= high <= strings.reports
        assert line.tracked_interval[0] == pytest.approx(0.0, abs=1e-9)
        assert high >= strings.reports - line.since, "what was not measured may be anything"


def test_a_family_of_your_own_need_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """One from before there were such questions has no `ask` of its own."""
    made = make_dataclass("Old", [], bases=(HotListFamily,))
    monkeypatch.setattr(HotListFamily, "ask", Family.ask)
    assert made.ask is Family.ask
    with pytest.raises(InvalidField, match="items must be left out for dsr, whose family answers only what is on top"):
        Tracker(task_of("dsr"), seed=1).ask(LETTERS)
