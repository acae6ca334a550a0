"""One simulation, from a plan to an outcome: which scheme, on what terms, over which stream."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, did_you_mean
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.mechanisms.difference_sets import MOST_SYMBOLS
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.budget import Budget, Level
from hgldp.model.domain import RangeDomain
from hgldp.model.frontier_size import LISTED_CELLS_PER_K, MOST_FRONTIER_CELLS, default_memory, frontier_cells
from hgldp.model.rules import HotListRules, Spelling, Structure, default_cells, rules_of
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.schemes.pfr import LEAST_CELLS, PFR, leaves_for
from hgldp.schemes.registry import HOT_LISTS, names
from hgldp.simulation.frontier import simulate_frontier
from hgldp.simulation.heavy_guardian import simulate_heavy_guardian
from hgldp.simulation.hot_list import simulate_hot_list
from hgldp.simulation.oracles import simulate_exhaustive
from hgldp.simulation.outcome import Outcome
from hgldp.simulation.paper import simulate_paper
from hgldp.simulation.stepwise import simulate_stepwise

Variant = Literal["default", "paper", "as-published"]
HEAVY_GUARDIAN = "heavyguardian"
SCHEMES: tuple[str, ...] = (*HOT_LISTS, PFR.name, *MECHANISMS, HEAVY_GUARDIAN)
WARM_EPOCH, COLD_EPOCH = 1000, 250


def all_schemes() -> tuple[str, ...]:
    """Every name that can be simulated: ours, those that were registered, the mechanisms, and HeavyGuardian."""
    return tuple(dict.fromkeys((*HOT_LISTS, PFR.name, *names(), *MECHANISMS, HEAVY_GUARDIAN)))


@dataclass(frozen=True)
class Plan:
    """What to simulate. `cells` is 2k and `epoch` 250 reports, or 1,000 after a warm-up, unless said otherwise.

    The hot share is estimated online by default, and taken from the warm-up in the paper's own variants. With a
    warm-up, half of PFR's cells hold the warm-up's best items and the other half are the frontier.

    >>> Plan("dsr", epsilon=1.0, k=20).cells_for(domain_size=1000)
    40
    >>> Plan("dsr", epsilon=1.0, k=20, cells=10)
    Traceback (most recent call last):
    hgldp.errors.InvalidField: cells must be at least k = 20, got 10
    """

    scheme: str
    epsilon: float
    k: int
    cells: int | None = None
    light_cells: int | None = None
    variant: Variant = "default"
    tight: bool | None = None
    hot_share: Literal["online", "warm-up"] | float | None = None
    level: Level = "event"
    events: int | None = None
    epoch: int | None = None
    judge_share: Fraction = Fraction(1, 3)
    buckets: int = 1
    memory: int | None = None
    half_life: int | None = None
    decay_base: float | None = None
    spelling: Spelling = "text"
    structure: Structure = "heavy-guardian"

    def __post_init__(self) -> None:
        known = all_schemes()
        if self.scheme not in known:
            near = did_you_mean(self.scheme, known)
            raise InvalidField("scheme", f"must be one of {', '.join(known)}", self.scheme, near)
        if self.variant not in get_args(Variant):
            raise InvalidField("variant", f"must be one of {', '.join(get_args(Variant))}", self.variant)
        if self.variant != "default" and self.scheme not in (*HOT_LISTS, HEAVY_GUARDIAN):
            raise InvalidField("variant", f"must be default for {self.scheme}", self.variant)
        if self.scheme != PFR.name and (self.memory, self.half_life) != (None, None):
            raise InvalidField("memory and half_life", "work with pfr only", self.scheme)
        _ = self.budget.per_report
        check_whole("k", self.k, 1)
        if self.cells is not None and check_whole("cells", self.cells, 1) < self.k:
            raise InvalidField("cells", f"must be at least k = {self.k}", self.cells)
        if self.light_cells is not None:
            check_whole("light_cells", self.light_cells, 0)
        if self.epoch is not None:
            check_whole("epoch", self.epoch, 1)
        if check_whole("buckets", self.buckets, 1) > 1 and self.variant != "paper":
            raise InvalidField("buckets", "must be 1 except for the variant paper", self.buckets)
        if self.decay_base is not None:
            self._check_decay_base(self.decay_base)
        self._check_structure()
        if isinstance(self.hot_share, str):
            legal = self.hot_share in ("online", "warm-up")
        else:
            legal = self.hot_share is None or 0 <= self.hot_share <= 1
        if not legal:
            raise InvalidField("hot_share", "must be online, warm-up or a share in [0, 1]", self.hot_share)
        if self.tight and self.variant != "default":
            raise InvalidField("tight", "must be left out for the paper's own variants", self.variant)
        if self.tight and self.hot_share not in (None, "online"):
            raise InvalidField("hot_share", "must be online where the judge is tight", self.hot_share)

    def _check_decay_base(self, base: float) -> None:
        if self.scheme not in HOT_LISTS or self.variant != "default":
            raise InvalidField("decay_base", "works only with hot lists in the default variant", self.scheme)
        if not 1 < base <= 4:
            raise InvalidField("decay_base", "must lie in (1, 4]", base)

    def _check_structure(self) -> None:
        known = get_args(Structure)
        if self.structure not in known:
            raise InvalidField("structure", f"must be one of {', '.join(known)}", self.structure)
        if self.structure != known[0] and (self.scheme not in HOT_LISTS or self.variant != "default"):
            raise InvalidField("structure", "works only with hot lists in the default variant", self.scheme)

    @property
    def budget(self) -> Budget:
        """ε at its level. Streams do not say whose an event is: windows and users divide ε evenly, as in the paper."""
        if self.level == "period":
            raise InvalidField(
                "level", "must be event, window or user: a stream does not say whose an event is", "period"
            )
        if self.level == "event":
            return Budget(self.epsilon) if self.events is None else Budget(self.epsilon, events=self.events)
        return Budget(self.epsilon, self.level, cast(int, self.events), division="budget")

    def cells_for(self, domain_size: int) -> int:
        """As many as the task would have, unless said otherwise."""
        if self.scheme == PFR.name and self.cells is None:
            return frontier_cells(self.k, RangeDomain(domain_size))
        return default_cells(self.k, domain_size) if self.cells is None else self.cells

    def frontier(self, domain_size: int) -> PFR:
        """pfr as the task would have it."""
        return PFR(domain_size, self.cells_for(domain_size), self.budget.per_report, leaves_for(self.k))

    @property
    def tight_or_default(self) -> bool:
        """A hot share by hand or from the warm-up asks for the printed split."""
        return self.hot_share in (None, "online") if self.tight is None else self.tight

    def fits(self, domain_size: int) -> bool:
        """Whether the scheme can serve this many items and this k at all."""
        if self.scheme == PFR.name:
            return max(LEAST_CELLS, LISTED_CELLS_PER_K * self.k) <= self.cells_for(domain_size) <= MOST_FRONTIER_CELLS
        return self.scheme != CyclicResponse.name or domain_size <= MOST_SYMBOLS

    def task(self, domain_size: int, warmup: NDArray[np.int32]) -> Task:
        """The task that a collector would run, in its default variant."""
        settings: dict[str, Any] = {
            "cells": self.cells_for(domain_size),
            "epoch": self.epoch or (WARM_EPOCH if warmup.size else COLD_EPOCH),
        }
        if issubclass(rules_of(self.scheme)[1], HotListRules):
            settings |= self._hot_list_settings(domain_size, warmup)
        return Task(self.scheme, self.budget, RangeDomain(domain_size), self.k, **settings)

    def _hot_list_settings(self, domain_size: int, warmup: NDArray[np.int32]) -> dict[str, Any]:
        return {
            "light_cells": self.light_cells,
            "decay_base": self.decay_base,
            "tight": self.tight_or_default,
            "judge_share": self.judge_share,
            "hot_share": self._hot_share(warmup, self.cells_for(domain_size)),
            "structure": self.structure,
        }

    def _hot_share(self, warmup: NDArray[np.int32], cells: int) -> Fraction | None:
        if self.hot_share in (None, "online"):
            return None
        if not isinstance(self.hot_share, str):
            return Fraction(self.hot_share)
        if warmup.size == 0:
            raise InvalidField("hot_share", "must not be warm-up where there is no warm-up", self.hot_share)
        counts = np.sort(np.unique(warmup, return_counts=True)[1])[::-1]
        return Fraction(int(counts[:cells].sum()), int(warmup.size))


def run(
    plan: Plan,
    stream: NDArray[np.int32],
    domain_size: int,
    warmup: int,
    seed: int,
    advance: Callable[[int], None] | None = None,
) -> Outcome:
    """Simulate clients and server over a stream whose first `warmup` items are given raw."""
    check_whole("k", plan.k, 1, domain_size)
    if plan.scheme == HEAVY_GUARDIAN:
        size, cells = domain_size, plan.cells_for(domain_size)
        return simulate_heavy_guardian(plan.variant, stream, domain_size=size, k=plan.k, cells=cells, seed=seed)
    if plan.scheme in MECHANISMS:
        mechanism = MECHANISMS[plan.scheme](domain_size, plan.budget.per_report)
        return simulate_exhaustive(mechanism, stream, plan.k, seed)
    if plan.scheme == PFR.name:
        return _run_frontier(plan, stream, domain_size, warmup, seed, advance)
    if plan.variant == "default":
        follow = simulate_hot_list if plan.scheme in HOT_LISTS else simulate_stepwise
        return follow(plan.task(domain_size, stream[:warmup]), stream, warmup, seed, advance)
    return simulate_paper(
        plan.scheme,
        plan.variant,
        stream,
        domain_size=domain_size,
        epsilon=plan.budget.per_report,
        k=plan.k,
        cells=plan.cells_for(domain_size),
        light_cells=5 if plan.light_cells is None else plan.light_cells,
        warmup=warmup,
        seed=seed,
        buckets=plan.buckets,
        judge_share=plan.judge_share,
        hot_share=None if plan.hot_share == "warm-up" else plan.hot_share,
        advance=advance,
    )


def _run_frontier(
    plan: Plan,
    stream: NDArray[np.int32],
    domain_size: int,
    warmup: int,
    seed: int,
    advance: Callable[[int], None] | None,
) -> Outcome:
    cells = plan.cells_for(domain_size)
    if not plan.fits(domain_size):
        least = max(LEAST_CELLS, LISTED_CELLS_PER_K * plan.k)
        raise InvalidField("cells", f"must lie in {least} … {MOST_FRONTIER_CELLS} for {PFR.name} and this k", cells)
    return simulate_frontier(
        plan.frontier(domain_size),
        stream,
        k=plan.k,
        warmup=warmup,
        memory=plan.memory or default_memory(cells),
        seed=seed,
        epoch=plan.epoch,
        half_life=plan.half_life,
        advance=advance,
    )
