"""What a report costs one by one: the plain-Python client, and the server that counts a whole epoch of them.

Each time stands beside a yardstick of the same minute: a client beside one word of the operating system's entropy,
which no client can do without, and a server beside `numpy.bincount`, which counts everything in unbounded memory.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np

from hgldp.client.randomizer import Randomizer
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.measuring.streams import Started
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.randomness import OSWords
from hgldp.model.task import FRONTIER, Task
from hgldp.tracker import Tracker

CLOCK = "clock"
ONE_BY_ONE = (CLOCK, "one by one")
ROUNDS = 5
CALLS = 1000
EPOCH = 1000
MOST_RAW = 10_000


def time_one_by_one(measurement: Measurement, started: Started) -> dict[str, float]:
    """Microseconds of a client and of a word; nanoseconds of the server and of an exact count, each a report.

    An oracle's server is a kernel that draws and counts at once, and PFR's epochs are too long for this: both are timed
    with their clients, as part of a whole run.
    """
    raw = min(started.raw, MOST_RAW)
    events = started.items[raw : raw + CALLS].tolist()
    words = OSWords()
    found = {"word_us": 1e6 * best([words.word] * CALLS), "exact_ns": 1e9 * _exact(started)}
    if measurement.scheme in MECHANISMS:
        mechanism = MECHANISMS[measurement.scheme](started.domain_size, measurement.epsilon)
        return found | {"client_us": 1e6 * best([_call(mechanism.randomize, event, words) for event in events])}
    domain, budget = RangeDomain(started.domain_size), Budget(measurement.epsilon)
    frontier = measurement.scheme == FRONTIER
    task = Task(measurement.scheme, budget, domain, measurement.k, epoch=0 if frontier else EPOCH)
    tracker = Tracker(task, measurement.seed, started.items[:raw].tolist())
    client = Randomizer(task, max_epsilon=measurement.epsilon)
    taken = best([_call(client.report, event, tracker.bulletin) for event in events])
    found |= {"client_us": 1e6 * taken}
    return found if frontier else found | {"server_ns": 1e9 * _server(tracker, client, events)}


def best(calls: Sequence[Callable[[], object]]) -> float:
    """Seconds of one call: the least mean of several rounds, by the processor's clock."""
    rounds = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        for call in calls:
            call()
        rounds.append((time.process_time() - begin) / len(calls))
    return min(rounds)


def _call(function: Callable[..., object], *arguments: object) -> Callable[[], object]:
    return lambda: function(*arguments)


def _server(tracker: Tracker, client: Randomizer, events: list[int]) -> float:
    """Seconds for one report of a full epoch, renewing the bulletin included; the first epoch compiles."""
    rounds = []
    for _ in range(ROUNDS + 1):
        bulletin = tracker.bulletin
        symbols = np.array([client.report(event, bulletin).symbol for event in events], np.int64)
        begin = time.process_time()
        tracker.insert_many(bulletin.version, symbols)
        rounds.append((time.process_time() - begin) / len(symbols))
    return min(rounds[1:])


def _exact(started: Started) -> float:
    """Seconds to count one item exactly."""
    items = started.items[: 1 << 20].astype(np.int64)
    return best([lambda: np.bincount(items, minlength=started.domain_size)]) / items.size
