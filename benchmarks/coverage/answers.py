"""Every answer of one scheme on one stream, each beside its own truth.

A warm-up is the first percent of the stream, or a percent of raw items that says nothing about the rest of it. Windows
and half-lives are pfr's alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.coverage.truth import (
    Counts,
    Judged,
    judge,
    judge_since,
    recent_counts,
    whole_counts,
)
from hgldp.experiments.measuring.streams import Drawn, Library
from hgldp.model.estimate import Estimate
from hgldp.model.frontier_size import default_memory
from hgldp.model.randomness import derive_seed
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.simulation.hot_list import SERVER
from hgldp.simulation.run import Plan, run
from hgldp.simulation.truth import faded_counts
from hgldp.stores.frontier import Frontier

K = 20
WHOLE, SINCE = "whole stream", "since tracked"
HALF_LIFE = "half-life n/4"
WINDOWS = {"window n/8": 8, "window n/4": 4}
KINDS = (WHOLE, SINCE, *WINDOWS, HALF_LIFE, *(f"{window}, {HALF_LIFE}" for window in WINDOWS))
FADES = 4
WARM, COLD, MISLED = "1 % warm-up", "cold", "misleading 1 %"
STARTS = {WARM: 0.01, COLD: 0.0, MISLED: 0.01}
Answers = dict[str, list[Judged]]


@dataclass(frozen=True)
class Case:
    """What is asked of one stream."""

    scheme: str
    start: str
    epsilon: float


@dataclass(frozen=True)
class Piece:
    """Every case on one stream of one seed, which is drawn once."""

    stream: str
    seed: int
    cases: tuple[Case, ...]
    folder: Path | None = None


def run_piece(piece: Piece) -> list[tuple[Case, Answers]]:
    """All cases."""
    drawn = Library(piece.folder).draw(piece.stream, piece.seed)
    return [(case, answers(case, drawn, piece.seed)) for case in piece.cases]


def answers(case: Case, drawn: Drawn, seed: int) -> Answers:
    """The lines of every kind of interval that the scheme publishes."""
    raw = int(drawn.items.size * STARTS[case.start])
    if case.start == MISLED:
        drawn = misleading(drawn, raw, seed)
    plan = Plan(case.scheme, case.epsilon, K)
    if case.scheme == PFR.name:
        return dict(_of_frontier(plan, drawn, raw, seed))
    return dict(_whole_and_since(run(plan, drawn.items, drawn.domain_size, raw, seed).estimates, drawn))


def misleading(drawn: Drawn, raw: int, seed: int) -> Drawn:
    """The same stream, but in its first `raw` items every item bears the name of another."""
    names = np.random.default_rng([1302, seed]).permutation(drawn.domain_size).astype(np.int32)
    return Drawn(np.concatenate((names[drawn.items[:raw]], drawn.items[raw:])), drawn.domain_size)


def _whole_and_since(lines: tuple[Estimate, ...], drawn: Drawn) -> Iterator[tuple[str, list[Judged]]]:
    yield WHOLE, _judged(lines, whole_counts(drawn.items, drawn.domain_size))
    since = (judge_since(line, drawn.items) for line in lines)
    yield SINCE, [line for line in since if line is not None]


def _of_frontier(plan: Plan, drawn: Drawn, raw: int, seed: int) -> Iterator[tuple[str, list[Judged]]]:
    kept = followed(plan, drawn, raw, seed)
    yield from _whole_and_since(kept.estimates(K), drawn)
    half_life = drawn.items.size // FADES
    fading = followed(plan, drawn, raw, seed, half_life)
    yield HALF_LIFE, _judged(fading.estimates(K), faded_counts(drawn.items, drawn.domain_size, half_life))
    for store, suffix in ((kept, ""), (fading, f", {HALF_LIFE}")):
        for name, parts in WINDOWS.items():
            window = drawn.items.size // parts
            covered = recent_counts(drawn.items, drawn.domain_size, store.covered(window))
            yield name + suffix, _judged(store.estimates(K, window), covered)


def followed(plan: Plan, drawn: Drawn, raw: int, seed: int, half_life: int | None = None) -> Frontier:
    """The store after the whole stream, as `run` would have it."""
    size, start = drawn.domain_size, drawn.items[:raw].astype(np.int64)
    scheme = plan.frontier(size)
    memory, server = default_memory(scheme.cells), derive_seed(seed, SERVER)
    store = Frontier(scheme, memory=memory, seed=server, warmup=start, half_life=half_life)
    follow(scheme, store, drawn.items[raw:], seed)
    return store


def _judged(lines: tuple[Estimate, ...], counts: Counts) -> list[Judged]:
    return [judge(line, counts) for line in lines]
