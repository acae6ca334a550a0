"""A stream that changes: how much of the last tenth's true top the server knows, asked many times on the way.

Settings: `steps`, how often it is asked; `replaced`, `half-way` if the whole top changes places there; `half_life` and
`window` as shares of the stream, such as `1/8`. An oracle forgets all but its window, a luxury that needs every report.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hgldp.experiments.measurement import Measurement
from hgldp.experiments.measuring.streams import Started
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.frontier_size import LISTED_CELLS, default_memory
from hgldp.model.randomness import derive_seed
from hgldp.model.task import FRONTIER
from hgldp.schemes.pfr import PFR, leaves_for
from hgldp.simulation.frontier import follow
from hgldp.simulation.hot_list import SERVER, track
from hgldp.simulation.metrics import exact_top
from hgldp.simulation.oracles import simulate_exhaustive
from hgldp.simulation.run import Plan
from hgldp.stores.frontier import Frontier
from hgldp.stores.hot_list import HotList
from hgldp.tracker.hot_list import hot_list_scheme

STEPS = "steps"
REPLACED = "replaced"
HALF_WAY = "half-way"
RECENT = Fraction(1, 10)
COUNTS_ALONE = 0.0
Items = NDArray[np.int32]
Feed = Callable[[Items, int], set[int]]


def at_step(step: int) -> str:
    """The name of the value after a step, counted from 1."""
    return f"recent_precision_{step:02d}"


class UntilFull(Frontier):
    """A frontier that ends an epoch when it is full, not when it is asked."""

    def seal(self) -> None:
        """Does nothing before the epoch is full."""
        if self.epoch_is_full:
            super().seal()


def precision_over_time(measurement: Measurement, started: Started) -> dict[str, float]:
    """After each step, the share of the last tenth's true top k that is in the answer."""
    items = started.items
    if measurement.get(REPLACED) == HALF_WAY:
        items = replace_top(items, measurement.k)
    kind = _frontier if measurement.scheme == FRONTIER else _oracle if measurement.scheme in MECHANISMS else _hot_list
    ask = kind(measurement, started, items[: started.raw])
    steps, recent = int(measurement.get(STEPS) or 0), int(items.size * RECENT)
    cuts = np.linspace(started.raw, items.size, steps + 1).astype(int).tolist()
    found = {}
    for step in range(1, steps + 1):
        answer = ask(items[cuts[step - 1] : cuts[step]], step)
        counts = np.bincount(items[max(0, cuts[step] - recent) : cuts[step]], minlength=started.domain_size)
        found[at_step(step)] = len(answer & set(exact_top(counts, measurement.k))) / measurement.k
    return found


def replace_top(items: Items, k: int) -> Items:
    """From the middle on, the k most frequent items change places with the k that come 40 ranks later.

    >>> replace_top(np.array([0, 0, 0, 1, 1, 2, 0, 0, 0, 1, 1, 2], np.int32), 1).tolist()
    [0, 0, 0, 1, 1, 2, 2, 2, 2, 1, 1, 0]
    """
    counts = np.bincount(items)
    ranked = np.lexsort((np.arange(counts.size), -counts))
    first = min(2 * k, counts.size - k)
    names = np.arange(counts.size, dtype=np.int32)
    names[ranked[:k]], names[ranked[first : first + k]] = ranked[first : first + k], ranked[:k]
    middle = items.size // 2
    return np.concatenate((items[:middle], names[items[middle:]]))


def _frontier(measurement: Measurement, started: Started, raw: Items) -> Feed:
    cells = int(measurement.get("cells") or LISTED_CELLS)
    scheme = PFR(started.domain_size, cells, measurement.epsilon, leaves_for(measurement.k))
    memory = int(measurement.get("memory") or default_memory(scheme.cells))
    half_life, window = (_part(measurement.get(name), started.items.size) for name in ("half_life", "window"))
    seed = derive_seed(measurement.seed, SERVER)
    store = UntilFull(scheme, memory=memory, seed=seed, warmup=raw.astype(np.int64), half_life=half_life)

    def feed(items: Items, step: int) -> set[int]:
        follow(scheme, store, items, derive_seed(measurement.seed, step))
        return {line.item for line in store.absorbed().estimates(measurement.k, window)}

    return feed


def _part(share: object, whole: int) -> int | None:
    return None if share is None else int(Fraction(str(share)) * whole)


def _oracle(measurement: Measurement, started: Started, _: Items) -> Feed:
    mechanism = MECHANISMS[measurement.scheme](started.domain_size, measurement.epsilon)
    window = _part(measurement.get("window"), started.items.size) or started.items.size
    held = np.empty(0, np.int32)

    def feed(items: Items, step: int) -> set[int]:
        nonlocal held
        held = np.concatenate((held, items))[-window:]
        seed = derive_seed(measurement.seed, step)
        outcome = simulate_exhaustive(mechanism, held, measurement.k, seed, max_operations=COUNTS_ALONE)
        return {line.item for line in outcome.estimates}

    return feed


def _hot_list(measurement: Measurement, started: Started, raw: Items) -> Feed:
    task = Plan(measurement.scheme, measurement.epsilon, measurement.k).task(started.domain_size, raw)
    scheme = hot_list_scheme(task)
    seed, always = derive_seed(measurement.seed, SERVER), scheme.always_nominating
    store = HotList.of(task, always_nominating=always, seed=seed, warmup=raw)

    def feed(items: Items, step: int) -> set[int]:
        track(scheme, store, items, derive_seed(measurement.seed, step))
        return {line.item for line in store.estimates(measurement.k)}

    return feed
