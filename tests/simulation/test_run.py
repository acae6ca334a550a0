"""From a plan to an outcome, and the plans that are refused."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.rules import HotListRules
from hgldp.model.task import Task
from hgldp.schemes.pfr import PFR
from hgldp.simulation.run import Plan, run

STREAM = np.minimum(np.random.default_rng(4).geometric(0.2, 2_000) - 1, 49).astype(np.int32)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epsilon": float("nan")}, "epsilon must be finite and above 0, got nan"),
        ({"epsilon": float("inf")}, "epsilon must be finite and above 0, got inf"),
        ({"epsilon": 0.0}, "epsilon must be finite and above 0, got 0.0"),
        ({"epsilon": -1.0}, "epsilon must be finite and above 0, got -1.0"),
        ({"epsilon": 11.0}, "epsilon must be at most 10"),
        ({"k": 0}, "k must be a whole number of at least 1, got 0"),
        ({"cells": 4}, "cells must be at least k = 5, got 4"),
        ({"light_cells": -1}, "light_cells must be a whole number of at least 0, got -1"),
        ({"scheme": "pgr"}, "scheme must be one of"),
        ({"variant": "mine"}, "variant must be one of default, paper, as-published, got mine"),
        ({"scheme": "grr", "variant": "paper"}, "variant must be default for grr"),
        ({"hot_share": 1.5}, "hot_share must be online, warm-up or a share"),
        ({"hot_share": "guess"}, "hot_share must be online, warm-up or a share"),
        ({"tight": True, "hot_share": 0.5}, "hot_share must be online where the judge is tight"),
        ({"level": "event", "events": 3}, "events must be 1 when the level is event"),
        ({"level": "user", "events": 0}, "events must be a whole number of at least 1"),
        ({"epoch": 0}, "epoch must be a whole number of at least 1"),
        ({"buckets": 2}, "buckets must be 1 except for the variant paper"),
        ({"decay_base": 1.0}, r"decay_base must lie in \(1, 4\], got 1.0"),
        ({"decay_base": 4.5}, r"decay_base must lie in \(1, 4\], got 4.5"),
        ({"decay_base": float("nan")}, r"decay_base must lie in \(1, 4\], got nan"),
        ({"decay_base": 1.2, "variant": "paper"}, "decay_base works only with hot lists in the default variant"),
        ({"decay_base": 1.2, "scheme": "pfr"}, "decay_base works only with hot lists .* got pfr"),
        ({"decay_base": 1.2, "scheme": "heavyguardian"}, "decay_base works only with hot lists"),
    ],
)
def test_an_illegal_plan_names_the_field_the_rule_and_the_value(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidField, match=message):
        Plan(**({"scheme": "bdr", "epsilon": 1.0, "k": 5} | change))


@pytest.mark.parametrize(
    ("stream", "warmup", "message"),
    [
        (STREAM[:0], 0, "stream must hold 1 … 2147483647 items, got 0"),
        (STREAM, 2_000, "warmup must be smaller than the stream of 2000 items, got 2000"),
        (STREAM, -1, "warmup must be a whole number of at least 0, got -1"),
        (np.array([3, 50], np.int32), 0, r"stream must hold items in 0 … 49, got one outside \(withheld\)"),
    ],
)
def test_an_illegal_stream_is_refused_without_repeating_an_item(stream: Any, warmup: int, message: str) -> None:
    with pytest.raises(InvalidField, match=message):
        run(Plan("dsr", 1.0, 5), stream, 50, warmup, 1)


def test_more_heavy_hitters_than_items_are_refused() -> None:
    with pytest.raises(InvalidField, match="k must be a whole number in 1 … 50, got 51"):
        run(Plan("dsr", 1.0, 51), STREAM, 50, 0, 1)


def test_a_small_domain_gets_as_many_cells_as_leave_one_item_cold() -> None:
    assert Plan("dsr", 1.0, 30).cells_for(50) == 49
    assert len(run(Plan("dsr", 1.0, 30), STREAM, 50, 0, 1).estimates) == 30


@pytest.mark.parametrize("scheme", ["bgr", "dsr", "bdr", "cnr", "grr"])
def test_a_budget_per_user_is_split_evenly(scheme: str) -> None:
    """ε = 2 over 4 events spends what ε = 0.5 spends on one, draw for draw."""
    per_user = run(Plan(scheme, 2.0, 5, level="user", events=4), STREAM, 50, 100, 3)
    per_event = run(Plan(scheme, 0.5, 5), STREAM, 50, 100, 3)
    assert per_user.estimates == per_event.estimates


def test_a_hot_share_from_the_warm_up_is_that_of_its_best_items() -> None:
    plan = Plan("bdr", 1.0, 5, hot_share="warm-up")
    counts = np.sort(np.bincount(STREAM[:500]))[::-1]
    assert plan.task(50, STREAM[:500]).rules_as(HotListRules).hot_share == Fraction(int(counts[:10].sum()), 500)
    assert not plan.task(50, STREAM[:500]).rules_as(HotListRules).tight
    with pytest.raises(InvalidField, match="hot_share must not be warm-up where there is no warm-up"):
        run(plan, STREAM, 50, 0, 1)


def test_a_decay_base_reaches_the_store_and_left_out_it_is_the_tasks_own() -> None:
    own = Task("dsr", Budget(1.0), RangeDomain(50), k=5).rules_as(HotListRules).decay_base
    assert Plan("dsr", 1.0, 5).task(50, STREAM[:0]).rules_as(HotListRules).decay_base == own
    assert Plan("dsr", 1.0, 5, decay_base=1.5).task(50, STREAM[:0]).rules_as(HotListRules).decay_base == 1.5
    slow, as_usual, left_out = (run(Plan("cnr", 1.0, 5, decay_base=b), STREAM, 50, 0, 9) for b in (3.0, own, None))
    assert slow.estimates != as_usual.estimates == left_out.estimates


def test_the_same_seed_gives_the_same_outcome_and_another_seed_another() -> None:
    plan = Plan("cnr", 1.0, 5)
    assert run(plan, STREAM, 50, 20, 9) == run(plan, STREAM, 50, 20, 9) != run(plan, STREAM, 50, 20, 10)


@pytest.mark.parametrize("k", [20, 100])
def test_a_plan_has_the_frontier_of_its_task(k: int) -> None:
    """With or without a warm-up; half the symbols after a warm-up, or 64 leaves for a top 100, would be another one."""
    task = Task("pfr", Budget(2.0), RangeDomain(5_000), k)
    assert Plan("pfr", 2.0, k).frontier(5_000) == PFR.of(task)
    assert len(run(Plan("pfr", 2.0, k), np.arange(5_000, dtype=np.int32), 5_000, 50, 1).estimates) == k
