"""PFR among strings that nobody listed, on every seed, timed and scored like any other plan."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.experiments.experiment import REHEARSAL, Advance, Experiment, Line, Result, Run, count_items
from hgldp.model.domain import StringDomain
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.simulation.metrics import exact_top, score
from hgldp.simulation.run import Plan
from hgldp.simulation.strings import OpenOutcome, simulate_open
from hgldp.sources.find import Stream
from hgldp.stores.strings import OpenFrontier

Codes = Sequence[bytes | None]


@dataclass(frozen=True)
class OpenExperiment(Experiment):
    """An experiment whose domain nobody listed; `without_code` events were too long for it, or no text."""

    most_bytes: int
    without_code: int


def conduct_open(
    stream: Stream, plans: Sequence[Plan], domain: StringDomain, seeds: range, advance: Advance
) -> OpenExperiment:
    """Run everything; the strings reach the clients alone. `advance` hears (items done, items in all)."""
    items, texts = stream.items, [str(label) for label in stream.labels]
    codes = [domain.code(text) for text in texts]
    truth = count_items(items, len(texts))
    total, done = items.size * len(plans) * len(seeds), 0

    def count(reports: int) -> None:
        nonlocal done
        done += reports
        advance(done, total)

    for plan in plans:
        _simulate(plan, domain, codes, items[:REHEARSAL], 0)
    results = []
    for plan in plans:
        runs = [_timed(plan, domain, codes, stream, truth, seed, count) for seed in seeds]
        results.append(Result(plan, tuple(runs)))
    without = sum(int(times) for code, times in zip(codes, truth, strict=True) if code is None)
    counts = (items.size, len(texts), plans[0].k, 0)
    return OpenExperiment(stream.name, *counts, seeds, tuple(results), (), domain.most_bytes, without)


def _simulate(
    plan: Plan,
    domain: StringDomain,
    codes: Codes,
    items: NDArray[np.int32],
    seed: int,
    advance: Callable[[int], None] | None = None,
) -> OpenOutcome:
    symbols = plan.cells_for(len(codes))
    scheme = OpenPFR(symbols, plan.budget.per_report)
    epoch, half_life = plan.epoch, plan.half_life
    store = OpenFrontier(scheme.mechanism, symbols=symbols, k=plan.k, domain=domain, epoch=epoch, half_life=half_life)
    return simulate_open(scheme, store, codes, items, plan.k, seed, advance)


def _timed(
    plan: Plan,
    domain: StringDomain,
    codes: Codes,
    stream: Stream,
    truth: NDArray[np.int64],
    seed: int,
    count: Callable[[int], None],
) -> Run:
    start = time.process_time()
    outcome = _simulate(plan, domain, codes, stream.items, seed, count)
    seconds = time.process_time() - start
    labels, best = (*stream.labels, *outcome.unsaid), set(exact_top(truth, plan.k))
    known = np.concatenate([truth, np.zeros(len(outcome.unsaid), np.int64)])
    top = tuple(Line(labels[line.item], line, int(known[line.item]), line.item in best) for line in outcome.estimates)
    return Run(seed, score(outcome.estimates, known, plan.k), outcome, seconds, top)
