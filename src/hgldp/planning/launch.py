"""One launch of a task, simulated: the real server, its epochs one after the other, scored at some stops on the way."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from hgldp.errors import InvalidField
from hgldp.kernels.frontier import find_cells
from hgldp.model.domain import END, RangeDomain, StringDomain
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import derive_seed
from hgldp.model.rules import FrontierRules
from hgldp.model.task import Task
from hgldp.planning.crowd import Counts, Population, add_crowd
from hgldp.planning.shapes import Shape
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import HOT_LISTS, scheme_of
from hgldp.simulation.hot_list import Tracking
from hgldp.simulation.metrics import score
from hgldp.simulation.strings import clients_for
from hgldp.stores.frontier import Frontier
from hgldp.stores.hinted import HintedFrontier
from hgldp.stores.hot_list import HotList
from hgldp.stores.strings import OpenFrontier
from hgldp.tracker.family import family_for

MOST_ONE_BY_ONE, CHUNK = 4_000_000, 1 << 20
SERVER, STREAM = range(2)


@dataclass(frozen=True)
class Found:
    """What has been found after so many reports: the share of the true top k, and the F1 score of the answer."""

    reports: int
    precision: float
    f1: float


def launch(task: Task, shape: Shape, stops: Sequence[int], seed: int, *, warmup: int = 0) -> Iterator[Found]:
    """What a task has found at each number of reports, in ascending order; of a hot list up to `MOST_ONE_BY_ONE`.

    >>> from hgldp.planning.shapes import listed_shapes
    >>> task, shape = Task("pfr", epsilon=4.0, domain=range(100), k=3), listed_shapes(100, 1.5)[0]
    >>> [found.precision for found in launch(task, shape, [50_000, 50_000_000], seed=1)]
    [1.0, 1.0]
    """
    generator = np.random.default_rng([STREAM, seed])
    if not isinstance(task.domain, StringDomain):
        task = replace(task, domain=RangeDomain(shape.size), other=False, nothing=False, normalise="none")
    elif shape.say is None:
        raise InvalidField("shape", "must have strings for a task over strings", shape.title)
    if task.scheme in HOT_LISTS:
        return launch_hot_list(task, shape, stops, warmup, seed, generator)
    if task.scheme != PFR.name:
        known = ", ".join((PFR.name, *HOT_LISTS))
        raise InvalidField("scheme", f"must be one of {known} in a plan", task.scheme)
    if isinstance(task.domain, StringDomain):
        return launch_open(task, shape, stops, seed, generator)
    return launch_listed(task, shape, stops, warmup, seed, generator)


def _steps(stops: Sequence[int], epoch_left: Callable[[], int]) -> Iterator[tuple[int, int]]:
    """(how many reports come next, how many there are then), never beyond the end of an epoch or a stop."""
    done = 0
    for stop in stops:
        while done < stop:
            step = min(stop - done, max(1, epoch_left()))
            done += step
            yield step, done


def launch_listed(
    task: Task, shape: Shape, stops: Sequence[int], warmup: int, seed: int, generator: np.random.Generator
) -> Iterator[Found]:
    """Over a list: how many clients hold each symbol is drawn at once."""
    rules, scheme, size = task.rules_as(FrontierRules), PFR.of(task), shape.size
    population, names = Population(shape.shares, generator), generator.permutation(size)
    truth, raw = np.zeros(size, np.int64), _warmup(population, names, warmup, generator)
    np.add.at(truth, raw, 1)
    terms: dict[str, Any] = {"memory": rules.memory, "epoch": rules.epoch, "half_life": rules.half_life}
    store = Frontier(scheme, seed=derive_seed(seed, SERVER), warmup=raw, **terms)
    cells, seen = np.empty(size, np.int64), -1
    for stop in stops:
        for step, _ in _steps([stop - store.reports - store.in_epoch], lambda: store.epoch_length - store.in_epoch):
            if seen != store.sealed:
                _place(store, cells)
                seen = store.sealed
            ranks, counts = population.draw(step)
            items = names[ranks]
            truth[items] += counts
            mechanism = scheme.mechanism_over(store.bulletin.cells)
            holders = np.bincount(cells[items], counts, mechanism.size).astype(np.int64)
            add_crowd(store.histogram, mechanism, holders, generator)
            if store.epoch_is_full:
                store.seal()
        found = (store.absorbed() if store.in_epoch else store).estimates(task.k)
        yield _scored(stop, found, truth, task.k)


def _place(store: Frontier, cells: Counts) -> None:
    """The symbol of every item under the bulletin in force."""
    leaves = np.array(store.bulletin.leaves, np.int64)
    searched = np.uint64(store.bulletin.cells - leaves.size)
    find_cells(np.uint64(store.bulletin.key), searched, np.arange(cells.size), cells)
    cells += leaves.size
    cells[leaves] = np.arange(leaves.size)


def launch_open(
    task: Task, shape: Shape, stops: Sequence[int], seed: int, generator: np.random.Generator
) -> Iterator[Found]:
    """Among strings that nobody listed, or of which a list has some: the same."""
    scheme, domain = cast(OpenPFR | HintedPFR, scheme_of(task)), cast(StringDomain, task.domain)
    codes = [domain.encode(text) for text in (shape.say(seed) if shape.say else ())]
    store: OpenFrontier | HintedFrontier = family_for(task).start(task, derive_seed(seed, SERVER), ()).store
    population, truth = Population(shape.shares, generator), np.zeros(shape.size, np.int64)
    clients = clients_for(scheme, codes)
    place_of = {code: place for place, code in enumerate(codes) if code is not None}
    symbols, seen = clients.symbols(store.bulletin), 0
    for stop in stops:
        for step, _ in _steps([stop - store.reports - store.in_epoch], lambda: store.epoch_length - store.in_epoch):
            if seen != store.sealed:
                symbols, seen = clients.symbols(store.bulletin), store.sealed
            ranks, counts = population.draw(step)
            truth[ranks] += counts
            holders = np.bincount(symbols[ranks], counts, scheme.symbols).astype(np.int64)
            add_crowd(store.histogram, scheme.mechanism, holders, generator)
            if store.in_epoch >= store.epoch_length:
                store.seal()
        lines = store.as_if_sealed().estimates(task.k)
        unsaid = iter(range(shape.size, shape.size + len(lines)))
        found = [
            replace(line, item=place_of.get(text.encode() + bytes([END]), -1) if text else -1) for text, line in lines
        ]
        found = [line if line.item >= 0 else replace(line, item=next(unsaid)) for line in found]
        yield _scored(stop, found, np.concatenate([truth, np.zeros(len(lines), np.int64)]), task.k)


def launch_hot_list(
    task: Task, shape: Shape, stops: Sequence[int], warmup: int, seed: int, generator: np.random.Generator
) -> Iterator[Found]:
    """Reports change the list one by one, so each of them is drawn."""
    scheme, size = HOT_LISTS[task.scheme].of(task), shape.size
    population, names = Population(shape.shares, generator), generator.permutation(size)
    truth, raw = np.zeros(size, np.int64), _warmup(population, names, warmup, generator)
    np.add.at(truth, raw, 1)
    always = scheme.always_nominating
    store = HotList.of(task, always_nominating=always, seed=derive_seed(seed, SERVER), warmup=raw if raw.size else None)
    tracking, done = Tracking(scheme, store, seed), 0
    for stop in stops:
        while done < min(stop, MOST_ONE_BY_ONE):
            step = min(CHUNK, min(stop, MOST_ONE_BY_ONE) - done)
            ranks, counts = population.draw(step)
            items = names[ranks]
            truth[items] += counts
            chunk = np.repeat(items, counts).astype(np.int32)
            generator.shuffle(chunk)
            tracking.take(chunk)
            done += step
        yield _scored(done, scheme.respond(tracking.as_if_ended(), task.k), truth, task.k)


def _warmup(population: Population, names: Counts, warmup: int, generator: np.random.Generator) -> Counts:
    if not warmup:
        return np.zeros(0, np.int64)
    ranks, counts = population.draw(warmup)
    raw = np.repeat(names[ranks], counts)
    generator.shuffle(raw)
    return raw


def _scored(reports: int, found: Sequence[Estimate], truth: Counts, k: int) -> Found:
    scores = score(found, truth, k)
    return Found(reports, scores.precision, scores.f1)
