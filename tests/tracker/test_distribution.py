"""How shares are spread, asked of a tracker: the same state, nothing changed, and a word where nothing is known."""

from dataclasses import replace

import numpy as np
import pytest

from hgldp import InvalidField, Randomizer, SeededWords, Task, Tracker
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.stores.frontier.reading import all_items

SIZE, N = 60, 12_000
TASK = Task("pfr", epsilon=4.0, domain=range(SIZE), k=5)
SHARES = np.concatenate([[0.3, 0.2], np.full(8, 0.05), np.full(SIZE - 10, 0.1 / (SIZE - 10))])


def counted(task: Task = TASK, seed: int = 1, warmup: tuple[int, ...] = ()) -> Tracker:
    tracker = Tracker(task, seed=seed, warmup=warmup)
    client = Randomizer(task, max_epsilon=9.0, words=SeededWords(seed))
    for item in np.random.default_rng(seed).choice(SIZE, N, p=SHARES).tolist():
        tracker.insert(client.report(item, tracker.bulletin))
    return tracker


@pytest.fixture(scope="module")
def tracker() -> Tracker:
    return counted()


def test_two_heavy_items_and_eight_in_the_next_decade(tracker: Tracker) -> None:
    found = tracker.distribution()
    assert (found.reports, found.size, found.note) == (N, SIZE, "")
    heavy, middle = found.decades[:2]
    assert heavy.interval == (2, 2)
    assert middle.interval[0] <= 8 <= middle.interval[1]
    assert heavy.share_interval[0] < 0.5 < heavy.share_interval[1]
    assert found.below < 0.1


def test_it_prints_as_a_table_in_a_notebook_too(tracker: Tracker) -> None:
    found = tracker.distribution()
    assert "10 % and more" in repr(found)
    assert found._repr_html_().count("<tr>") == 1 + len(found.rows)
    assert "These reports do not tell how" in repr(found)


def test_asking_changes_nothing_and_a_restart_tells_the_same(tracker: Tracker) -> None:
    twin = tracker.copied()
    twin.seal()
    state, found = twin.serialize(), twin.distribution()
    assert twin.serialize() == state
    assert Tracker.restore(TASK, state).distribution() == found


def test_a_window_counts_its_own_reports(tracker: Tracker) -> None:
    found = tracker.distribution(window=N // 4)
    assert found.reports == tracker.covered(N // 4) < N
    nothing = tracker.distribution(window=1)
    assert not nothing.decades
    assert nothing.note.startswith("No whole epoch fits")
    with pytest.raises(InvalidField):
        tracker.distribution(window=0)


def test_before_the_first_report_nothing_is_told() -> None:
    found = Tracker(TASK, seed=1).distribution()
    assert not found.decades
    assert found.note == "No reports yet."


def test_raw_items_of_a_warm_up_count_as_they_do_in_a_top() -> None:
    warm = counted(warmup=(0,) * 40 + (1,) * 30 + (2,) * 10)
    heavy = warm.distribution().decades[0]
    assert heavy.interval == (2, 2)


def test_with_a_half_life_a_note_says_how_reports_were_weighed() -> None:
    found = counted(Task("pfr", epsilon=4.0, domain=range(SIZE), k=5, half_life=4_000)).distribution()
    assert "half-life" in found.note
    assert found.decades[0].interval == (2, 2)


def test_a_hot_list_has_no_distribution() -> None:
    with pytest.raises(InvalidField, match="scheme must be pfr for a distribution of shares"):
        Tracker(Task("dsr", epsilon=2.0, domain=range(SIZE), k=5), seed=1).distribution()


@pytest.mark.parametrize(
    "domain", [StringDomain(64), StringDomain(64, Hints.of(["tea", "mate"]))], ids=["open", "hints"]
)
def test_strings_have_no_distribution_with_or_without_a_list(domain: StringDomain) -> None:
    """Before: a task with a list was told that its scheme must be pfr, which it is."""
    with pytest.raises(InvalidField, match="domain must be listed for a distribution of shares"):
        Tracker(Task("pfr", epsilon=2.0, domain=domain, k=5), seed=1).distribution()


def test_of_a_large_domain_some_items_stand_for_the_others(tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tracker.distribution()
    store = tracker.copied().family.store.absorbed()
    monkeypatch.setattr(all_items, "MOST_ITEMS", 5)
    measured = store.domain_shares()
    assert measured.size == pytest.approx(SIZE)
    some = replace(tracker.distribution(), note="")
    assert [each.interval for each in some.decades[:1]] == [each.interval for each in whole.decades[:1]]


def test_items_that_share_a_cell_are_not_told_apart_before_a_second_epoch() -> None:
    """Before: one item with 90 % among 20,000 was told as two for certain, because another lay in the same cell."""
    task = Task("pfr", epsilon=4.0, domain=range(20_000), k=5)
    tracker, client = Tracker(task, seed=1), Randomizer(task, max_epsilon=4.0, words=SeededWords(1))
    for event in range(300):
        tracker.insert(client.report(7 if event % 10 else event, tracker.bulletin))
    assert not tracker.distribution().decades
    tracker.seal()
    for event in range(300):
        tracker.insert(client.report(7 if event % 10 else event, tracker.bulletin))
    assert tracker.distribution().decades[0].interval == (1, 1)
