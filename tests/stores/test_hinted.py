"""The store of a list and of all other strings: one histogram, two readers, the same epochs."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from hgldp.errors import InvalidField, MalformedState
from hgldp.model.bulletins import HintedBulletin
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import Estimate
from hgldp.model.frontier_size import frontier_memory
from hgldp.model.hints import Hints
from hgldp.model.randomness import SeededWords
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.stores.hinted import HintedFrontier
from hgldp.stores.hinted.lines import merged
from hgldp.stores.hinted.store import most_state_bytes

LIST = Hints.of([f"word{number}" for number in range(50)])
SYMBOLS, MOST_BYTES = 192, 12
EVENTS = [b"word7\0"] * 5 + [b"word9\0"] * 3 + [b"gin\0"] * 4 + [b"rum\0"] * 2 + [None]


def scheme_for(hints: Hints = LIST, epsilon: float = 4.0) -> HintedPFR:
    return HintedPFR(hints, SYMBOLS, epsilon, leaves=8)


def a_store(scheme: HintedPFR | None = None, **terms: Any) -> HintedFrontier:
    chosen = scheme or scheme_for()
    domain = StringDomain(MOST_BYTES, chosen.hints)
    settings: dict[str, Any] = {"memory": frontier_memory(SYMBOLS, domain), "seed": 5, "epoch": 300} | terms
    return HintedFrontier(chosen, k=4, domain=domain, **settings)


def reports(store: HintedFrontier, count: int, seed: int) -> list[int]:
    words = SeededWords(seed)
    return [store.scheme.randomize(EVENTS[words.below(len(EVENTS))], store.bulletin, words) for _ in range(count)]


def after(epochs: int, **terms: Any) -> HintedFrontier:
    store = a_store(**terms)
    for seed in range(epochs):
        store.insert(reports(store, 300, seed))
        store.seal()
    return store


def test_the_order_of_reports_and_merging_do_not_matter() -> None:
    one, other, part = after(3), after(3), after(3)
    some = reports(one, 600, 99)
    one.insert(some)
    other.insert(some[300:][::-1])
    part.insert(some[:300])
    other.merge(part.histogram)
    one.seal()
    other.seal()
    assert one.serialize() == other.serialize()


def test_a_state_is_read_again_and_goes_on_alike() -> None:
    store = after(6)
    again = HintedFrontier.deserialize(store.serialize(), store.scheme)
    assert again.serialize() == store.serialize()
    assert again.bulletin == store.bulletin
    for each in (store, again):
        each.insert(reports(each, 300, 42))
        each.seal()
    assert again.serialize() == store.serialize()
    assert again.estimates(4) == store.estimates(4)


def test_both_parts_find_their_strings() -> None:
    """5/15, 4/15, 3/15 and 2/15 of 6,000 reports at ε = 4: neighbours are 8 standard errors apart, so the false-alarm
    rate is below 10^−6."""
    assert [text for text, _ in after(20).estimates(4)] == ["word7", "gin", "word9", "rum"]


def test_an_answer_in_mid_epoch_is_that_of_a_seal() -> None:
    store = after(5)
    bulletin = store.bulletin
    store.insert(reports(store, 200, 7))
    store.insert_late(bulletin, reports(store, 50, 8))
    before = store.histogram.copy()
    now = store.absorbed().estimates(4)
    assert (store.histogram == before).all()
    assert store.late_reports == 50
    assert store.reports + store.in_epoch + store.late_reports == 1_750
    store.seal()
    assert store.reports == 1_750
    assert {text for text, _ in now} == {text for text, _ in store.estimates(4)}


def test_a_copy_as_if_sealed_answers_as_after_a_seal_and_leaves_the_store_as_it_was() -> None:
    store = after(5)
    store.insert(reports(store, 200, 7))
    bulletin, before = store.bulletin, store.histogram.copy()
    now = store.as_if_sealed().estimates(4)
    assert (store.histogram == before).all()
    assert store.bulletin == bulletin
    store.seal()
    assert now == store.estimates(4)


class Alone:
    """Each part by itself, told the same reports: the list's as they are, the other's from its first symbol on."""

    def __init__(self, store: HintedFrontier) -> None:
        self.parts, self.first = (deepcopy(store.listed), deepcopy(store.spelled)), store.scheme.listed.cells

    def told(self, histogram: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return histogram, np.roll(histogram, -self.first)

    def seal(self, histogram: np.ndarray, late: tuple[HintedBulletin, np.ndarray] | None = None) -> None:
        for part, mine in zip(self.parts, self.told(histogram), strict=True):
            part.merge(mine)
        if late is not None:
            shown, waiting = (late[0].listed, late[0].spelled), self.told(late[1])
            for part, bulletin, mine in zip(self.parts, shown, waiting, strict=True):
                part.merge_late(bulletin, mine)  # type: ignore[attr-defined]
        for part in self.parts:
            part.seal()


class Swapped(HintedFrontier):
    """A planted mistake: each part is told the late reports as the other reads them."""

    def _tell_parts(self) -> None:
        late, self.late = self.late, {}
        super()._tell_parts()
        for bulletin, histogram in late.values():
            self.listed.merge_late(bulletin.listed, self._shifted(histogram))
            self.spelled.merge_late(bulletin.spelled, histogram)


def parts_with_late_reports(kind: type[HintedFrontier]) -> tuple[list[bytes], list[bytes]]:
    """The states of both parts in a store with late reports, and of each by itself."""
    store = after(4)
    store.__class__ = kind
    alone, earlier, late = Alone(store), store.bulletin, reports(store, 300, 50)
    store.insert(reports(store, 300, 51))
    alone.seal(store.histogram)
    store.seal()
    store.insert(reports(store, 300, 52))
    store.insert_late(earlier, late)
    alone.seal(store.histogram, (earlier, np.bincount(late, minlength=store.histogram.size)))
    store.seal()
    return [part.serialize() for part in (store.listed, store.spelled)], [part.serialize() for part in alone.parts]


def test_each_part_is_as_it_would_be_alone_late_reports_included() -> None:
    together, alone = parts_with_late_reports(HintedFrontier)
    assert together == alone


def test_late_reports_that_are_told_to_the_wrong_part_would_be_noticed() -> None:
    together, alone = parts_with_late_reports(Swapped)
    assert together[0] != alone[0]
    assert together[1] != alone[1]


def test_late_reports_wait_for_the_seal_and_are_counted_once() -> None:
    store = after(4)
    earlier, late = store.bulletin, reports(store, 300, 50)
    store.insert(reports(store, 300, 51))
    store.seal()
    store.insert_late(earlier, late)
    with pytest.raises(InvalidField, match="must be sealed"):
        store.serialize()
    store.insert(reports(store, 300, 52))
    store.seal()
    assert store.reports == store.listed.reports == store.spelled.reports == 2_100
    assert sum(epoch.reports for epoch in store.listed.epochs) == 2_100
    assert HintedFrontier.deserialize(store.serialize(), store.scheme).serialize() == store.serialize()


def test_what_is_frequent_stands_out_on_a_short_list_too_and_what_nobody_sends_does_not() -> None:
    """Before: a third of all reports "may be noise" on a list of two, because an ordinary item of two has a half.

    Of 20 stores with a string on the list that nobody sends, each is called certain with a chance of at most 1 %; so
    five of them are once in a million times.
    """
    certain = 0
    for seed in range(20):
        hints = Hints.of(["word7", "nobody"])
        store = a_store(scheme_for(hints), seed=seed)
        for part in range(6):
            store.insert(reports(store, 300, 100 * seed + part))
            store.seal()
        lines = dict(store.estimates(4))
        assert not lines["word7"].may_be_noise
        certain += "nobody" in lines and not lines["nobody"].may_be_noise
    assert certain < 5


def test_the_state_stays_within_its_stated_bytes() -> None:
    memory = frontier_memory(SYMBOLS, StringDomain(MOST_BYTES, LIST))
    store, largest = a_store(epoch=40), 0
    generator = np.random.default_rng(1)
    for _ in range(60):
        store.insert(generator.integers(0, store.histogram.size, 60).tolist())
        store.seal()
        largest = max(largest, len(store.serialize()))
    assert largest <= most_state_bytes(memory, store.scheme.spelled_symbols, MOST_BYTES) == memory
    with pytest.raises(InvalidField, match="memory must leave the list's part"):
        a_store(memory=7_000)


def test_a_state_of_another_list_or_of_other_bytes_is_refused() -> None:
    store = after(2)
    state = store.serialize()
    other = Hints.of([f"name{number}" for number in range(50)])
    with pytest.raises(MalformedState, match="must be of the list"):
        HintedFrontier.deserialize(state, scheme_for(other))
    with pytest.raises(MalformedState):
        HintedFrontier.deserialize(state, HintedPFR(LIST, SYMBOLS + 3, 4.0, leaves=8))
    for place in (0, 5, 40, len(state) // 2, len(state) - 1):
        with pytest.raises(MalformedState):
            HintedFrontier.deserialize(state[:place] + bytes([state[place] ^ 1]) + state[place + 1 :], store.scheme)
    with pytest.raises(MalformedState):
        HintedFrontier.deserialize(state[:-1], store.scheme)


def test_hidden_order_and_adopted_bulletins() -> None:
    store, hidden = after(4), after(4)
    hidden.hide_order()
    assert hidden.bulletin != store.bulletin
    assert set(hidden.bulletin.spelled.cells) == set(store.bulletin.spelled.cells)
    assert list(hidden.bulletin.listed.leaves) == sorted(store.bulletin.listed.leaves)
    store.adopt(hidden.bulletin)
    assert store.bulletin == hidden.bulletin


def test_with_a_half_life_both_parts_forget() -> None:
    store = after(8, half_life=600)
    for seed in range(12):
        words = SeededWords(1_000 + seed)
        symbols = [store.scheme.randomize(b"word3\0", store.bulletin, words) for _ in range(300)]
        store.insert(symbols)
        store.seal()
    assert store.estimates(1)[0][0] == "word3"


def line(count: float, error: float, ranks: tuple[int, int] | None) -> Estimate:
    return Estimate(0, count, error, ranks=ranks)


def test_ranks_of_two_answers_count_the_lines_of_the_other() -> None:
    listed = [("a", line(900, 1, (1, 1))), ("b", line(500, 1, (2, 2)))]
    spelled = [("c", line(700, 1, (1, 1))), ("d", line(499, 1, (2, 5))), ("e", line(10, 8, None))]
    found = [(text, each.item, each.ranks) for text, each in merged(listed, spelled, 5_000, lambda share: 0.02 / share)]
    assert found == [
        ("a", 0, (1, 1)), ("c", 1, (2, 2)), ("b", 2, (3, 4)), ("d", 3, (3, 7)), ("e", 4, None),
    ]  # fmt: skip


def test_while_nothing_is_spelled_out_unlisted_strings_may_be_above() -> None:
    """Of 3,000 reports 1,400 are explained: three strings of 500 may be among the others."""
    found = merged([("a", line(900, 0, (1, 1))), ("b", line(500, 0, (2, 2)))], [], 3_000, lambda share: 99.0)
    assert [each.ranks for _, each in found] == [(1, 2), (2, 5)]


def test_ranks_of_a_listed_string_allow_for_those_that_are_not_spelled_out_yet() -> None:
    """One string of 900 was spelled out; by its law, 2 are expected above 400 of 5,000, and 40 above 20."""
    listed = [("b", line(400, 0, (1, 1))), ("c", line(20, 0, (2, 3)))]
    found = merged(listed, [("a", line(900, 0, (1, 1)))], 5_000, lambda share: 0.16 / share)
    assert [each.ranks for _, each in found] == [(1, 1), (2, 3), (3, 43)]


def test_the_true_ranks_of_rare_listed_strings_are_among_the_likely_ones() -> None:
    """24 strings of 4 % are not on the list, and at most 16 of them can be spelled out; the two on it have 1 %."""
    scheme = scheme_for(Hints.of(["on0", "on1"]), epsilon=6.0)
    store, words = a_store(scheme), SeededWords(1)
    for _ in range(12):
        for _ in range(300):
            draw = words.below(100)
            code = b"on%d\0" % draw if draw < 2 else b"q%02dx\0" % (draw % 24)
            store.insert([scheme.randomize(code, store.bulletin, words)])
        store.seal()
    lines = dict(store.estimates(20))
    assert 1 <= sum(text.startswith("q") for text in lines) <= 16
    worst = [lines[text].ranks or (0, 0) for text in ("on0", "on1")]
    assert min(each for _, each in worst) >= 25


def test_intervals_of_a_short_list_that_nobody_sends_hold_nothing() -> None:
    """Each of 30 holds with a chance of 97.5 % or more, so fewer than 25 would be one case in 10,000."""
    scheme, held = scheme_for(Hints.of([f"on{number}" for number in range(10)])), 0
    for seed in range(3):
        store, words = a_store(scheme), SeededWords(seed)
        for _ in range(6):
            codes = [b"q%02dx\0" % words.below(24) for _ in range(300)]
            store.insert([scheme.randomize(code, store.bulletin, words) for code in codes])
            store.seal()
        lines = [each for text, each in store.estimates(30) if text.startswith("on")]
        assert len(lines) >= 8
        held += 10 - sum(each.interval[0] > 0 for each in lines)
    assert held >= 25
