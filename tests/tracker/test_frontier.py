"""PFR behind the same verbs as every scheme: reports in any order, late ones too, restarts, and windows."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.client import Randomizer
from hgldp.errors import InvalidField, MalformedState
from hgldp.model.budget import Budget
from hgldp.model.bulletins import ROOT, Bulletin, FrontierBulletin, OpenBulletin
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.randomness import SeededWords
from hgldp.model.task import Task
from hgldp.tracker import Tracker

LISTED = Task("pfr", Budget(3.0), RangeDomain(200), k=3, cells=32, epoch=500, memory=8192)
STRINGS = Task("pfr", Budget(4.0), StringDomain(16), k=2, cells=64, epoch=3000)
HOT = (Task("dsr", Budget(3.0), RangeDomain(200), k=3), Bulletin)


def drive(task: Task, events: list[Any], seed: int = 1) -> Tracker:
    tracker, client = Tracker(task, seed), Randomizer(task, max_epsilon=9, words=SeededWords(seed))
    for event in events:
        tracker.insert(client.report(event, tracker.bulletin))
    return tracker


def numbers(n: int, seed: int = 0) -> list[int]:
    return np.random.default_rng(seed).choice([7, 9, 11, *range(100, 140)], n, p=[0.3, 0.2, 0.1] + [0.01] * 40).tolist()


def test_the_top_of_a_listed_domain_is_found_and_since_when_it_is_tracked() -> None:
    tracker = drive(LISTED, numbers(6000))
    assert [item for item, _ in tracker.top()] == [7, 9, 11]
    assert tracker.reports == 6000
    assert tracker.bulletin.epoch > 3
    for (_, line), share in zip(tracker.top(), (0.3, 0.2, 0.1), strict=True):
        assert abs(line.count - share * 6000) < 4.9 * (line.standard_error + (6000 * share * (1 - share)) ** 0.5)
        assert 0 < line.since < 6000


def test_a_timer_may_end_an_epoch_that_is_half_full() -> None:
    tracker = Tracker(LISTED, seed=1)
    assert not tracker.is_worth_sealing(499, 1_000)
    assert tracker.is_worth_sealing(500, 1_000)


def test_strings_that_nobody_listed_come_back_letter_for_letter() -> None:
    events = np.random.default_rng(3).choice(["tea", "maté", "x" * 99], 60_000, p=[0.6, 0.3, 0.1]).tolist()
    assert [item for item, _ in drive(STRINGS, events).top()] == ["tea", "maté"]


def test_strings_are_counted_up_to_the_latest_report() -> None:
    """In mid-epoch, where half of the reports came after the last seal: false alarm 1e-6 by 4.9 standard errors."""
    tracker = drive(replace(STRINGS, epoch=20_000), ["tea"] * 60_000)
    sealed = tracker.family.store.reports
    client = Randomizer(tracker.task, max_epsilon=9, words=SeededWords(7))
    late = [client.report("tea", tracker.bulletin).symbol for _ in range(tracker.epoch_room - 1)]
    tracker.insert_many(tracker.bulletin.version, late)
    ((item, line),) = tracker.top(1)
    assert (item, tracker.family.store.reports) == ("tea", sealed)
    assert tracker.reports > sealed + 10_000
    assert abs(line.count - tracker.reports) < 4.9 * line.standard_error


def test_a_window_forgets_what_a_life_time_remembers() -> None:
    tracker = drive(LISTED, [7] * 6000 + [8] * 3000)
    assert tracker.top(1)[0][0] == 7
    assert tracker.top(1, window=2000)[0][0] == 8


def test_the_answer_in_mid_epoch_counts_the_open_epoch_and_changes_nothing() -> None:
    tracker = drive(LISTED, [7] * 1400)
    before = tracker.family.store.histogram.copy()
    (first,) = tracker.respond(1)
    assert first.item == 7
    assert abs(first.count - 1400) < 4.9 * first.standard_error
    assert tracker.respond(1) == (first,)
    assert (tracker.family.store.histogram == before).all()


@pytest.mark.parametrize("task", [LISTED, STRINGS])
def test_late_reports_count_like_those_in_time(task: Task) -> None:
    """The same reports to the same bulletin: shares are linear in them, so only rounding may differ."""
    words = SeededWords(4)
    symbols = [words.below(32) for _ in range(6000)]
    late, in_time = Tracker(task, 1), Tracker(replace(task, epoch=6000), 1)
    first = late.bulletin.version
    late.insert_many(first, symbols[: task.rules.epoch])
    late.insert_many(first, symbols[task.rules.epoch :])
    assert late.bulletin.epoch == 1
    late.insert_many(late.bulletin.version, [0] * late.epoch_room)
    in_time.insert_many(in_time.bulletin.version, symbols)
    assert late.reports > 6000
    if task is LISTED:
        mine, theirs = late.family.store.epochs[0], in_time.family.store.epochs[0]
        assert (mine.reports, theirs.reports) == (6000, 6000)
        np.testing.assert_allclose(mine.shares, theirs.shares, atol=1e-6)
        rounding = (mine.cells.step + theirs.cells.step) * mine.noise.deviation(6000)
        np.testing.assert_allclose(mine.cell_shares, theirs.cell_shares, atol=rounding)


@pytest.mark.parametrize("task", [LISTED, STRINGS])
def test_one_illegal_symbol_and_none_of_the_batch_is_counted(task: Task) -> None:
    tracker = Tracker(task, 1)
    before = tracker.serialize()
    for symbols in ([0, 10_000], [0, -1], [2**62], ["tea"]):
        with pytest.raises(InvalidField, match="symbols must"):
            tracker.insert_many(tracker.bulletin.version, symbols)  # type: ignore[arg-type]
    assert tracker.serialize() == before


@settings(max_examples=20, deadline=None)
@given(st.lists(st.lists(st.integers(0, 31), max_size=700), max_size=6), st.integers(0, 5), st.booleans())
def test_a_tracker_restored_after_a_seal_goes_on_as_if_nothing_had_been(
    batches: list[list[int]], cut: int, closed: bool
) -> None:
    task = LISTED if closed else replace(STRINGS, epoch=500)
    straight, restored = Tracker(task, 3), Tracker(task, 3)
    for place, batch in enumerate(batches):
        oldest = straight.bulletins[0].version
        straight.insert_many(oldest, batch)
        straight.seal()
        restored.insert_many(oldest, batch)
        restored.seal()
        if place == cut and not restored.family.reports - restored.family.store.reports:
            restored = Tracker.restore(task, restored.serialize(), restored.bulletins[:-1])
        assert restored.bulletin == straight.bulletin
        assert restored.bulletins == straight.bulletins


def test_a_restored_tracker_refuses_the_bulletins_of_another_task() -> None:
    tracker = Tracker(LISTED, 1)
    with pytest.raises(MalformedState, match="bulletins must be of the task"):
        Tracker.restore(LISTED, tracker.serialize(), [replace(tracker.bulletin, task=bytes(32))])  # type: ignore[type-var]


@pytest.mark.parametrize("task", [LISTED, STRINGS, HOT[0]])
def test_a_client_answers_no_bulletin_of_another_kind(task: Task) -> None:
    forged = [
        Bulletin(task.id, 0, 200, tuple(range(task.rules.cells))) if task is not HOT[0] else None,
        FrontierBulletin(task.id, 0, 200, task.rules.cells, 1, (3,)) if task is not LISTED else None,
        OpenBulletin(task.id, 0, task.rules.cells, (ROOT,)) if task is not STRINGS else None,
    ]
    client = Randomizer(task, max_epsilon=9)
    for bulletin in filter(None, forged):
        with pytest.raises(InvalidField, match="bulletin must be a"):
            client.report("tea" if task is STRINGS else 5, bulletin)
    assert client.sent == 0


def test_windows_and_warm_ups_are_refused_where_there_are_none() -> None:
    with pytest.raises(InvalidField, match="window works with pfr only"):
        Tracker(HOT[0], 1).top(window=5)
    with pytest.raises(InvalidField, match="window works with a listed domain only"):
        Tracker(STRINGS, 1).top(window=5)
    with pytest.raises(InvalidField, match="warmup must be empty for strings"):
        Tracker(STRINGS, 1, warmup=["tea"])


@pytest.mark.parametrize(
    ("terms", "rule"),
    [
        ({"cells": 8}, "cells must be at least 3 times k = 3"),
        ({"light_cells": 4}, "light_cells works with bgr, dsr, bdr, cnr only, got pfr"),
        ({"growth": 0.1}, "growth works with bgr, dsr, bdr, cnr only"),
        ({"memory": 0}, "memory must be"),
        ({"half_life": -1}, "half_life must be"),
        ({"epoch_seconds": 1.5}, "epoch_seconds must be a whole number"),
    ],
)
def test_a_task_that_pfr_cannot_serve_cannot_be_built(terms: dict[str, Any], rule: str) -> None:
    with pytest.raises(InvalidField, match=rule):
        Task("pfr", Budget(1.0), RangeDomain(200), k=3, **terms)


def test_a_hot_list_has_neither_memory_nor_half_life_nor_strings() -> None:
    with pytest.raises(InvalidField, match="half_life works with pfr only, got dsr"):
        Task("dsr", Budget(1.0), RangeDomain(200), k=3, half_life=5)
    with pytest.raises(InvalidField, match="domain must be listed; only pfr serves"):
        Task("dsr", Budget(1.0), StringDomain(), k=3)


def test_every_term_of_a_task_is_in_its_id() -> None:
    base = Task("pfr", Budget(1.0), RangeDomain(200), k=3)
    rules = {"cells": 300, "epoch": 9, "memory": 20_000, "half_life": 7}
    changed = [base.changed(**{name: value}) for name, value in rules.items()]
    changed += [replace(base, k=4), replace(base, epoch_seconds=60), replace(base, daily_reports=5)]
    changed += [replace(base, budget=Budget(1.5)), replace(base, domain=StringDomain())]
    assert len({task.id for task in (base, *changed)}) == len(changed) + 1


@pytest.mark.parametrize(("task", "event"), [(LISTED, 7), (STRINGS, "tea")])
def test_an_epoch_with_more_late_reports_than_all_before_it_can_be_restored(task: Task, event: object) -> None:
    """One large upload for the first bulletin ends its epoch, and the rest of it is late."""
    tracker, client = Tracker(task, seed=1), Randomizer(task, max_epsilon=9, words=SeededWords(1))
    for reports in (4 * task.rules.epoch, task.rules.epoch):
        bulletin = tracker.bulletin
        tracker.insert_many(bulletin.version, [client.report(event, bulletin).symbol for _ in range(reports)])
    assert tracker.bulletin.epoch == 2
    restored = Tracker.restore(task, tracker.serialize(), tracker.bulletins[:-1])
    assert restored.reports == 5 * task.rules.epoch
    assert [item for item, _ in restored.top(1)] == [item for item, _ in tracker.top(1)]


def test_an_answer_says_how_reports_were_weighed_or_why_there_are_none() -> None:
    plain, fading = (Task("pfr", Budget(3.0), RangeDomain(30), k=2, half_life=each) for each in (0, 800))
    for task in (plain, fading):
        tracker = Tracker(task, seed=1)
        assert repr(tracker.top()) == "No reports yet."
        for _ in range(3):
            tracker.insert_many(tracker.bulletin.version, [0, 1, 2, 3] * 25)
            tracker.seal()
        none = "No whole epoch fits into a window of 5 reports; the smallest that holds one has "
        assert repr(tracker.top(window=5)).startswith(none)
        assert tracker.top(window=300).note == ""
        for found in (tracker.top(), tracker.top()[:1], tracker.ask([3])):
            assert ("one counts half after 800 more (half-life)" in repr(found)) is (task is fading)
