"""The audit keeps to its error rate because it bounds on draws that chose nothing; what makes no sense is refused."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
import pytest

from hgldp.audit import Pair, audit, expected_ratios, made_bulletins, steered_audit
from hgldp.audit.pairs import Events, pairs_of
from hgldp.audit.sampled.event import best_event
from hgldp.audit.sampled.power import log_ratio
from hgldp.audit.sampled.tally import Tally
from hgldp.audit.subjects.base import ClientFailed
from hgldp.audit.subjects.own import OwnClient
from hgldp.audit.views import LENGTH, REPORT, Views, views_of
from hgldp.client.randomizer import Randomizer
from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.randomness import SeededWords
from hgldp.model.reserved import Reserved
from hgldp.model.task import Task
from hgldp.tracker import Tracker

PAIRS = [Pair("a/b", ("a",), ("b",)), Pair("order", ("a", "b"), ("b", "a"), same_events=True)]
CODES, SEEDS, ERROR = 200, 20, 1e-6


class Uniform:
    """Sends one of many codes, whatever the events; and one byte more about some events, if it is told to."""

    def __init__(self, seed: int, longer: Callable[[Events], bool] = lambda _: False) -> None:
        self.block, self._rng, self._longer = 500, np.random.default_rng(seed), longer

    def draw(self, events: Events, count: int) -> Views:
        length = np.full(count, 64 + self._longer(events), np.int64)
        return {REPORT: self._rng.integers(0, CODES, count), LENGTH: length}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_equal_inputs_are_not_told_apart_even_where_nothing_may_differ(seed: int) -> None:
    """Fixed seeds, and an error rate of 1e-6 each."""
    assert audit(Uniform(seed), PAIRS, 0.0, draws=16_000, error=ERROR).passed


def test_bounds_on_the_draws_that_chose_the_event_would_blame_the_honest() -> None:
    """The planted mistake in the audit itself: the codes that were likelier by luck are counted again."""
    blamed = 0
    for seed in range(SEEDS):
        subject, tallies = Uniform(seed), (Tally(), Tally())
        for tally in tallies:
            tally.add(subject.draw(("a",), 4_000))
        event = best_event(tallies, tallies, [REPORT], 4.0)
        hits = [event.hits(each) for each in (tallies[::-1] if event.swapped else tallies)]
        blamed += log_ratio(*hits, 4_000, 4_000, ERROR) > 0
    assert blamed == SEEDS


def test_a_difference_in_one_pair_and_view_is_told_of_this_pair_and_view() -> None:
    result = audit(Uniform(1, lambda events: events == ("b", "a")), PAIRS, 1.0, draws=8_000, error=ERROR)
    assert [(each.pair.kind, each.view) for each in result.broken] == [("order", LENGTH)]
    assert result.sentences == ("order: the length of what is sent differs (1,000 of 1,000 draws against 0 of 1,000)",)


def test_draws_are_shared_equally_and_all_are_used() -> None:
    seen: list[tuple[int, int]] = []
    result = audit(Uniform(1), PAIRS, 1.0, draws=8_000, advance=lambda *done: seen.append(done))
    assert result.draws == 8_000
    assert seen[-1] == (8_000, 8_000)
    assert {each.draws for each in result.comparisons} == {(1_000, 1_000)}


@pytest.mark.parametrize(
    ("wrong", "field"), [({"error": 0.0}, "error"), ({"error": 1.0}, "error"), ({"draws": 79}, "draws")]
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, float], field: str) -> None:
    with pytest.raises(InvalidField, match=field):
        audit(Uniform(1), PAIRS, 1.0, **{"draws": 1_000, **wrong})
    with pytest.raises(InvalidField, match="claim must be 0 or more"):
        audit(Uniform(1), PAIRS, -1.0, draws=1_000)


def test_a_client_that_never_sends_does_not_pass() -> None:
    class Silent:
        block = 500

        def draw(self, events: Events, count: int) -> Views:
            return views_of([[] for _ in range(count)], 9, bytes(32))

    with pytest.raises(ClientFailed, match="sent nothing in any draw"):
        audit(Silent(), [Pair("two", ("tea",), ("milk",))], 1.0, draws=400)


def test_a_listed_task_of_a_collector_passes_and_its_outsiders_are_reports_like_any_other() -> None:
    """20,000 draws at an error rate of 0.001; the seed is fixed."""
    for domain, normalise in ((["tea", "milk", "not listed 0"], "space and case"), (range(5, 60), "none")):
        task = Task("dsr", Budget(1.0, "period"), domain, k=1, cells=1, other=True, normalise=normalise)  # type: ignore[arg-type]
        bulletin = Tracker(task, seed=1).bulletin
        pairs = pairs_of(task, bulletin, several=False)
        assert {"inside/outside", "inside/over-long"} <= {pair.kind for pair in pairs}
        outside = {pair.other[0] for pair in pairs if pair.kind.startswith("inside/")}
        assert {task.encode(item) for item in outside} == {task.encode(Reserved.OTHER)}
        result = audit(OwnClient(task, bulletin, SeededWords(3)), pairs, 1.0, draws=20_000)
        assert result.passed


def test_a_task_with_one_answer_passes_because_each_draw_is_a_device_of_its_own() -> None:
    """20,000 draws at an error rate of 1e-6; the seed is fixed. What came twice is as secret as all else."""
    task = Task("pfr", epsilon=1.0, domain=64, k=5, one_answer=True, epoch_seconds=3600)
    bulletin = made_bulletins(task)[0]
    client, pairs = OwnClient(task, bulletin, SeededWords(3)), pairs_of(task, bulletin, several=True)
    assert {"repeated", "order"} <= {pair.kind for pair in pairs}
    result = audit(client, pairs, 1.0, draws=20_000, error=ERROR, expected=expected_ratios(task, bulletin))
    assert result.passed
    assert result.spends_at_least > 0.3
    assert steered_audit(client, pairs, 1.0).passed


ONCE = Task("dsr", epsilon=1.0, domain=["tea", "milk", "mate"], k=1, cells=2, one_answer=True, epoch_seconds=60)


class OneDevice(OwnClient):
    """Plays one device in all draws: it repeats its answer."""

    @cached_property
    def device(self) -> Randomizer:
        return Randomizer(self.task, max_epsilon=1.0, words=SeededWords(4))

    def _symbols(self, events: Events) -> list[int]:
        return [self.device.report(events[0], self.bulletin).symbol]


class ThenSilent(OneDevice):
    def _symbols(self, events: Events) -> list[int]:
        before, found = self.device.sent, super()._symbols(events)
        return found if self.device.sent > before else []


class OneForEachBlock(OneDevice):
    def draw(self, events: Events, count: int) -> Views:
        self.device.answers.clear()
        return super().draw(events, count)


@pytest.mark.parametrize("kind", [OneDevice, ThenSilent, OneForEachBlock])
def test_a_client_that_plays_one_device_in_all_draws_is_refused_and_not_passed(kind: type[OwnClient]) -> None:
    """It would tell no input from another."""
    bulletin = made_bulletins(ONCE)[0]
    with pytest.raises(ClientFailed, match="each draw must be a new device"):
        audit(kind(ONCE, bulletin, block=50), pairs_of(ONCE, bulletin, outside=False), 1.0, draws=5_000)


def test_an_honest_client_whose_reports_are_nearly_always_true_is_not_refused() -> None:
    """At ε = 9 nearly all draws of an input are the same too; 5,000 draws with a fixed seed."""
    task = Task("bgr", epsilon=9.0, domain=["tea", "milk", "mate"], k=1, cells=2)
    bulletin = made_bulletins(task)[0]
    client = OwnClient(task, bulletin, SeededWords(3), block=50)
    assert audit(client, pairs_of(task, bulletin, outside=False), 9.0, draws=5_000, error=ERROR).passed
