"""Run plans on the streams of several seeds, time them, and score them against the truth."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.experiments.measuring.streams import REHEARSAL
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import Estimate, is_clear
from hgldp.model.frontier_size import frontier_memory
from hgldp.model.randomness import derive_seed
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import leaves_for
from hgldp.simulation.hot_list import SERVER
from hgldp.simulation.metrics import Counts, Scores, exact_top, sample_answer, score
from hgldp.simulation.outcome import Outcome
from hgldp.simulation.run import Plan, run
from hgldp.simulation.strings import OpenOutcome, simulate_open
from hgldp.simulation.truth import true_counts, whole_counts
from hgldp.sources.find import Source, Stream
from hgldp.stores.hinted import HintedFrontier
from hgldp.stores.strings import OpenFrontier

Advance = Callable[[int, int], None]
Codes = Sequence[bytes | None]


@dataclass(frozen=True)
class Line:
    """One line of an answer beside the truth, which is a whole number unless it fades."""

    label: object
    estimate: Estimate
    true_count: float
    in_true_top: bool


@dataclass(frozen=True)
class Run:
    """One plan on one stream."""

    seed: int
    scores: Scores
    outcome: Outcome
    seconds: float
    top: tuple[Line, ...]

    @property
    def has_clear_top(self) -> bool:
        """Whether any line of the answer stands out from chance."""
        return bool(is_clear(line.estimate.may_be_noise for line in self.top))

    @property
    def reports_per_second(self) -> float:
        """Clients and server together, on one core."""
        return self.outcome.reports / max(self.seconds, 1e-9)


@dataclass(frozen=True)
class Result:
    """One plan on every stream."""

    plan: Plan
    runs: tuple[Run, ...]

    @property
    def scores(self) -> Scores:
        """The mean of each metric over the runs."""
        return mean_scores([run.scores for run in self.runs])

    @property
    def reports_per_second(self) -> float:
        """All reports of all runs over all their time."""
        return sum(run.outcome.reports for run in self.runs) / max(sum(run.seconds for run in self.runs), 1e-9)

    @property
    def drawn(self) -> str:
        """Whether the reports were drawn one by one, or only what they add up to."""
        return self.runs[0].outcome.drawn

    def mean(self, field: str) -> float:
        """The mean over the runs of a field of the outcome, as a whole number if it is one."""
        total: int = sum(getattr(run.outcome, field) for run in self.runs)
        return total // len(self.runs) if total % len(self.runs) == 0 else total / len(self.runs)


@dataclass(frozen=True)
class Experiment:
    """What was run, on what, and what came out; `alone` holds the scores of each warm-up by itself.

    `occurred` is how many different items came, in the stream that had the fewest.
    """

    stream: str
    items: int
    domain_size: int
    k: int
    warmup: int
    seeds: range
    results: tuple[Result, ...]
    alone: tuple[Scores, ...]
    occurred: int = field(kw_only=True)


@dataclass(frozen=True)
class OpenExperiment(Experiment):
    """An experiment with strings that nobody listed; `without_code` events were too long, or not text.

    With a list of some strings, `hints` is how many it has, and `on_list` how many events are on it.
    """

    most_bytes: int
    without_code: int
    hints: int = 0
    on_list: int = 0


def mean_scores(scores: Sequence[Scores]) -> Scores:
    """The mean of each metric."""
    names = [field.name for field in fields(Scores)]
    return Scores(**{name: sum(getattr(one, name) for one in scores) / len(scores) for name in names})


def count_warmup(warmup: float, items: int) -> int:
    """How many items of the stream are given raw: a share of it, or a number.

    >>> count_warmup(0.01, 5000), count_warmup(20, 5000)
    (50, 20)
    """
    if warmup < 1:
        return min(round(warmup * items), items - 1)
    if warmup >= items:
        raise InvalidField("warmup", f"must leave something of the {items} items to report", int(warmup))
    return int(warmup)


def conduct(source: Source, plans: Sequence[Plan], warmup: float, seeds: range, advance: Advance) -> Experiment:
    """Run all plans on all seeds; each seed has one stream. `advance` is called with (items done, items in all)."""
    runs: list[list[Run]] = [[] for _ in plans]
    alone: list[Scores] = []
    occurred: list[int] = []
    k, done = plans[0].k, 0
    for seed in seeds:
        stream = source.stream(seed)
        raw = count_warmup(warmup, stream.items.size)
        truth = whole_counts(stream.items, stream.domain_size)
        total = stream.items.size * len(plans) * len(seeds)
        occurred.append(int(np.count_nonzero(truth)))
        if raw:
            sample = whole_counts(stream.items[:raw], stream.domain_size)
            alone.append(score(sample_answer(sample, k, stream.items.size), truth, k))
        if seed == seeds[0]:
            _rehearse(plans, stream, raw)
        for plan, kept in zip(plans, runs, strict=True):
            kept.append(_timed(plan, stream, raw, seed, truth, _counter(advance, done, total)))
            done += stream.items.size
            advance(done, total)
    results = tuple(Result(plan, tuple(kept)) for plan, kept in zip(plans, runs, strict=True))
    counts = (stream.items.size, stream.domain_size, k, raw)
    return Experiment(source.name, *counts, seeds, results, tuple(alone), occurred=min(occurred))


def _rehearse(plans: Sequence[Plan], stream: Stream, raw: int) -> None:
    """Compile every kernel, and refuse what cannot run, before the first clock starts."""
    few = stream.items[:REHEARSAL]
    for plan in plans:
        run(_with_short_epochs(plan), few, stream.domain_size, min(raw, few.size // 2), 0)


def _with_short_epochs(plan: Plan) -> Plan:
    """So short that even a rehearsal ends some: what reads an epoch must be compiled too."""
    return replace(plan, epoch=REHEARSAL // 8)


def _counter(advance: Advance, before: int, total: int) -> Callable[[int], None]:
    done = before

    def count(reports: int) -> None:
        nonlocal done
        done += reports
        advance(done, total)

    return count


def _timed(
    plan: Plan, stream: Stream, raw: int, seed: int, whole: NDArray[np.int64], count: Callable[[int], None]
) -> Run:
    truth = true_counts(stream.items, stream.domain_size, plan.half_life, raw) if plan.half_life else whole
    start = time.process_time()
    outcome = run(plan, stream.items, stream.domain_size, raw, seed, count)
    seconds = time.process_time() - start
    best = set(exact_top(truth, plan.k))
    top = tuple(
        Line(stream.labels[line.item], line, truth[line.item].item(), line.item in best)
        for line in outcome.estimates[: plan.k]
    )
    return Run(seed, score(outcome.estimates, truth, plan.k), outcome, seconds, top)


def conduct_open(
    stream: Stream, plans: Sequence[Plan], domain: StringDomain, seeds: range, advance: Advance
) -> OpenExperiment:
    """The same for strings that nobody listed: only the simulated clients see them."""
    items, texts = stream.items, [str(label) for label in stream.labels]
    codes = [domain.code(text) for text in texts]
    truth = whole_counts(items, len(texts))
    count = _counter(advance, 0, items.size * len(plans) * len(seeds))
    for plan in plans:
        _simulate_open(_with_short_epochs(plan), domain, codes, items[:REHEARSAL], 0)
    results = []
    for plan in plans:
        runs = [_timed_open(plan, domain, codes, stream, truth, seed, count) for seed in seeds]
        results.append(Result(plan, tuple(runs)))
    without = sum(int(times) for code, times in zip(codes, truth, strict=True) if code is None)
    counts = (items.size, len(texts), plans[0].k, 0)
    on_list = 0
    if domain.hints is not None:
        numbers = map(domain.hints.index, codes)
        on_list = sum(int(times) for number, times in zip(numbers, truth, strict=True) if number is not None)
    strings = (domain.most_bytes, without, domain.hints.size if domain.hints else 0, on_list)
    return OpenExperiment(stream.name, *counts, seeds, tuple(results), (), *strings, occurred=len(texts))


def _simulate_open(
    plan: Plan,
    domain: StringDomain,
    codes: Codes,
    items: NDArray[np.int32],
    seed: int,
    advance: Callable[[int], None] | None = None,
) -> OpenOutcome:
    scheme, store = _of_strings(plan, domain, plan.cells_for(len(codes)), seed)
    return simulate_open(scheme, store, codes, items, plan.k, seed, advance)


def _of_strings(
    plan: Plan, domain: StringDomain, symbols: int, seed: int
) -> tuple[OpenPFR | HintedPFR, OpenFrontier | HintedFrontier]:
    """Scheme and store as a task over the domain has them, with its list if it names one."""
    terms: dict[str, Any] = {"k": plan.k, "domain": domain, "epoch": plan.epoch, "half_life": plan.half_life}
    terms["spelling"] = plan.spelling
    if domain.hints is None:
        scheme = OpenPFR(symbols, plan.budget.per_report)
        return scheme, OpenFrontier(scheme.mechanism, symbols=symbols, **terms)
    hinted = HintedPFR(domain.hints, symbols, plan.budget.per_report, leaves_for(plan.k))
    memory = frontier_memory(symbols, domain)
    return hinted, HintedFrontier(hinted, memory=memory, seed=derive_seed(seed, SERVER), **terms)


def _timed_open(
    plan: Plan,
    domain: StringDomain,
    codes: Codes,
    stream: Stream,
    whole: NDArray[np.int64],
    seed: int,
    count: Callable[[int], None],
) -> Run:
    truth: Counts = true_counts(stream.items, len(codes), plan.half_life) if plan.half_life else whole
    start = time.process_time()
    outcome = _simulate_open(plan, domain, codes, stream.items, seed, count)
    seconds = time.process_time() - start
    labels, best = (*stream.labels, *outcome.unsaid), set(exact_top(truth, plan.k))
    known = np.concatenate([truth, np.zeros(len(outcome.unsaid), truth.dtype)])
    top = tuple(Line(labels[line.item], line, known[line.item].item(), line.item in best) for line in outcome.estimates)
    return Run(seed, score(outcome.estimates, known, plan.k), outcome, seconds, top)
