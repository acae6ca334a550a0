"""Every hot-list scheme is attacked by somebody who sees all bulletins; the answer must keep to what it states."""

import numpy as np
import pytest

from benchmarks.forgery.attack import STREAM, Attack, K, attacked, strike, target_of
from benchmarks.forgery.victims import HotListVictim, victim_of
from hgldp.kernels import hot_list as kernels
from hgldp.simulation.generators import parse_generator
from hgldp.simulation.run import Plan, run
from hgldp.stores.hot_list import HotList

SCHEMES = ("bgr", "dsr", "bdr", "cnr", "pfr")
ALLOWED = 3.0
BURST = Attack("65 reports, late", 65, 0.97)
ADAPTIVE = Attack("0.1 %, late", 100, 0.9, 20)
EARLY = Attack("0.1 %, early", 100, 0.05, 20)
SPREAD = Attack("0.1 %, spread", 100, 0.5, 10, 40)


@pytest.mark.parametrize("attack", [BURST, ADAPTIVE, EARLY, SPREAD], ids=lambda attack: attack.name)
@pytest.mark.parametrize("epsilon", [1.0, 4.0])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_forged_report_adds_more_than_is_stated_and_none_makes_a_line_certain(
    scheme: str, epsilon: float, attack: Attack
) -> None:
    """In 20 runs with other seeds none was certain, and the worst was 1.25 times what is stated."""
    for seed in range(2):
        found = attacked(scheme, epsilon, attack, seed)
        assert found.sent == attack.forged
        assert found.over_statement <= ALLOWED
        assert not found.certain


def extrapolated_without_limit(store: HotList, item: int) -> float:
    """The planted bug, the rule of 0.1.0: all reports × the rate since admission, however young the cell."""
    mean, deviation = np.empty(store.cells.item.size), np.empty(store.cells.item.size)
    kernels.standings(store.cells, mean, deviation)
    return float(store.reports * mean[store.items.index(item)])


@pytest.mark.parametrize("scheme", ["dsr", "bdr", "cnr"])
def test_the_rule_that_extrapolates_without_limit_would_be_noticed(scheme: str) -> None:
    source = parse_generator(STREAM)
    items = source.draw(np.random.default_rng([0, 401]))
    target, truth = target_of(items, source.d)
    victim = victim_of(scheme, 4.0, K, source.d, 0)
    assert isinstance(victim, HotListVictim)
    sent = strike(victim, items, target, Attack("at the very end", 65, 0.995))
    assert victim.tracks(target)
    store = victim.store.absorbed(victim.readings[int(victim.store.nominating)])
    stated = truth + victim.worth * sent
    assert extrapolated_without_limit(store, target) > ALLOWED * stated
    assert all(line.count <= ALLOWED * stated for line in victim.answer(K) if line.item == target)


def test_a_victim_is_the_server_that_everybody_runs() -> None:
    """Without an attacker, the answer is that of a plain simulation of the same seed."""
    source = parse_generator("zipf:n=20000,d=200,s=1.2")
    items = source.draw(np.random.default_rng(3))
    victim = victim_of("dsr", 2.0, K, source.d, 7)
    for start in range(0, items.size, 777):
        victim.honest(items[start : start + 777])
    assert victim.answer(K) == run(Plan("dsr", 2.0, K), items, source.d, 0, 7).estimates
