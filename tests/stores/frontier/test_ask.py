"""Any item's frequency: unbiased, covered, and whatever else is asked, candidate or not."""

import numpy as np
import pytest

from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.reading import decoding
from hgldp.stores.frontier.reading.decoding import Decoded
from hgldp.stores.frontier.reading.lines import Question
from tests.stores.frontier.made import followed, zipf

SIZE, RUNS = 1_000, 8
HONEST = Question.shares


def made(seed: int) -> tuple[Frontier, np.ndarray]:
    stream = zipf(40_000, SIZE, 1.2, seed)
    return followed(PFR(SIZE, 256, 2.0), stream, seed), np.bincount(stream, minlength=SIZE)


def scores() -> np.ndarray:
    """Every item's error in standard errors, over several runs."""
    found = []
    for seed in range(RUNS):
        store, truth = made(seed)
        found += [(line.count - truth[line.item]) / line.standard_error for line in store.ask(list(range(SIZE)))]
    return np.array(found)


def never_below_zero(question: Question, decoded: Decoded) -> tuple[np.ndarray, np.ndarray]:
    """Planted: a share cannot be negative, so an estimate of it must not be either."""
    shares, deviations = HONEST(question, decoded)
    return shares.clip(min=0.0), deviations


def test_it_is_unbiased_and_its_intervals_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """8,000 items: the mean is within 4.9 of its standard errors of 0, and 93 to 97 % are covered."""
    found = scores()
    assert abs(found.mean()) < 4.9 / found.size**0.5
    assert 0.93 < np.mean(abs(found) < 1.96) < 0.97
    monkeypatch.setattr(Question, "shares", never_below_zero)
    assert abs(scores().mean()) > 4.9 / found.size**0.5


def test_all_items_together_are_the_whole_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """At ε = 6 candidates are known well, so all others must get what they leave; planted: nobody adds up."""
    stores = [followed(PFR(SIZE, 1_024, 6.0), zipf(40_000, SIZE, 1.2, seed), seed) for seed in range(RUNS)]

    def missing() -> float:
        return max(abs(sum(line.count for line in store.ask(range(SIZE))) / 40_000 - 1) for store in stores)

    assert missing() < 0.01
    monkeypatch.setattr(decoding, "_too_much_for_others", lambda decoded: np.zeros(decoded.times.reports.size))
    assert missing() > 0.02


def test_an_answer_does_not_depend_on_what_else_is_asked() -> None:
    store, _ = made(1)
    candidates, _ = store._decoded()
    known = set(candidates.items.tolist())
    items = list(range(0, SIZE, 7))
    assert 20 < len(known & set(items)) < len(items) - 20
    together = store.ask(items)
    assert [line.item for line in together] == items
    assert store.ask(items[::-1]) == together[::-1]
    assert store.ask([items[3], items[3]]) == (together[3], together[3])
    assert store.ask([]) == ()
    for line in together[::12]:
        assert store.ask([line.item]) == (line,)


def test_asking_changes_nothing() -> None:
    store, _ = made(2)
    before, top = store.serialize(), store.estimates(5)
    store.ask([1, 2, 999])
    assert store.estimates(5) == top
    assert store.serialize() == before


def test_shares_are_what_is_asked() -> None:
    store, _ = made(3)
    shares, deviations = store.shares([4, 800])
    for share, deviation, line in zip(shares, deviations, store.ask([4, 800]), strict=True):
        assert line.count == pytest.approx(share * store.reports)
        assert line.standard_error == pytest.approx(deviation * store.reports)
