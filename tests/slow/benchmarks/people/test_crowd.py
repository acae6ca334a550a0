"""The crowd: every event follows Zipf's law, people return to favourites, and the numbering of events is right."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from benchmarks.people.crowd import Crowd, Month
from hgldp.errors import InvalidField
from hgldp.simulation.drift import zipf_weights

FALSE_ALARM = 1e-6
ITEMS = 30


def doubt(month: Month, seed: int) -> float:
    """How likely first events are that are as far from Zipf 1.1, or farther; people are independent of each other.

    The ranking is the first thing that a crowd draws, so the seed gives it away.
    """
    ranking = np.random.default_rng(seed).permutation(ITEMS)
    first = np.concatenate([day.item[day.number == 0] for day in month])
    weights = zipf_weights(ITEMS, 1.1)
    return float(chisquare(np.bincount(first, minlength=ITEMS)[ranking], first.size * weights / weights.sum()).pvalue)


def test_every_event_follows_zipfs_law() -> None:
    """A χ² test of 20,000 first events; false alarms: one seed in a million."""
    month = Crowd(20_000, days=5, items=ITEMS, mean=3.0).draw(np.random.default_rng(1))
    assert doubt(month, 1) > FALSE_ALARM


def test_another_law_would_be_noticed() -> None:
    month = Crowd(20_000, days=5, items=ITEMS, mean=3.0, s=1.2).draw(np.random.default_rng(1))
    assert doubt(month, 1) < FALSE_ALARM


def loyalty(seed: int) -> float:
    """The mean share of a person's three most frequent items."""
    month = Crowd(400, days=10, items=1000, mean=5.0).draw(np.random.default_rng(seed))
    events: dict[int, Counter[int]] = {}
    for day in month:
        for person, item in zip(day.person.tolist(), day.item.tolist(), strict=True):
            events.setdefault(person, Counter())[item] += 1
    busy = [some for some in events.values() if some.total() >= 30]
    return sum(sum(count for _, count in some.most_common(3)) / some.total() for some in busy) / len(busy)


def test_people_return_to_their_favourites(monkeypatch: pytest.MonkeyPatch) -> None:
    assert loyalty(1) > 0.8
    monkeypatch.setattr("benchmarks.people.crowd.LOYALTY", 0.0)
    assert loyalty(1) < 0.5


def test_the_numbering_of_events_is_that_of_a_slow_count() -> None:
    month = Crowd(50, days=4, items=ITEMS).draw(np.random.default_rng(3))
    in_all = Counter(person for day in month for person in day.person.tolist())
    before: Counter[int] = Counter()
    for day in month:
        today, seen = Counter(day.person.tolist()), Counter[int]()
        for place, person in enumerate(day.person.tolist()):
            numbers = day.place[place], day.number[place], day.of_day[place], day.of_month[place]
            assert numbers == (seen[person], before[person] + seen[person], today[person], in_all[person])
            seen[person] += 1
        before += today
    assert month.events == in_all.total()
    assert month.most == max(in_all.values())
    assert month.of_each.tolist() == [in_all[person] for person in range(50)]


def test_busy_people_differ_from_the_others_only_if_they_should() -> None:
    def shares(apart: float) -> tuple[np.ndarray, np.ndarray]:
        month = Crowd(4000, days=5, items=ITEMS, apart=apart).draw(np.random.default_rng(1))
        busiest = np.argsort(-month.of_each)[:400]
        counts = np.zeros((2, ITEMS))
        for day in month:
            for group, some in enumerate(
                (day.item[~np.isin(day.person, busiest)], day.item[np.isin(day.person, busiest)])
            ):
                counts[group] += np.bincount(some, minlength=ITEMS)
        return counts[0] / counts[0].sum(), counts[1] / counts[1].sum()

    (one, other), (mine, yours) = shares(0.0), shares(0.25)
    assert np.abs(one - other).sum() < 0.3
    assert np.abs(mine - yours).sum() > 0.6


@pytest.mark.parametrize("wrong", [{"people": 0}, {"days": 0}, {"items": 1}, {"mean": 0.0}, {"apart": 1.0}])
def test_what_makes_no_crowd_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidField):
        Crowd(**({"people": 10} | wrong))  # type: ignore[arg-type]
