"""Our own rows: `hgldp.simulation` for whole streams, the client and the tracker for one report at a time."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.field.contest import Answer, Contest, Showing
from benchmarks.field.entrants.base import Feed, Items, Sketch
from benchmarks.field.timing import bincount_rate, rounds, spent
from hgldp.client import Randomizer
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import SeededWords
from hgldp.model.task import Task
from hgldp.simulation.outcome import Outcome
from hgldp.simulation.run import Plan, run
from hgldp.stores.heavy_guardian import HeavyGuardian
from hgldp.tracker import Tracker

RAW_SHARE, REHEARSAL, PACE, ONE_BY_ONE = 100, 2_000, 500, 5_000
HOT_LISTS, TASKS = ("bgr", "dsr", "bdr", "cnr"), ("bgr", "dsr", "bdr", "cnr", "pfr")
WIDE = 8


class Guardian(Sketch):
    """HeavyGuardian, buckets of eight cells, as many as fit."""

    def open(self) -> None:
        empty, one = (len(HeavyGuardian(buckets=size, heavy_cells=WIDE, seed=1).serialize()) for size in (1, 2))
        self.sketch = HeavyGuardian(buckets=1 + (self.budget - empty) // (one - empty), heavy_cells=WIDE, seed=1)

    def prepare(self, items: Items) -> Items:
        return items

    def many(self) -> Feed:
        return self.sketch.update

    def one(self) -> Feed:
        update = self.sketch.update
        return lambda item: update([item])

    def top(self, k: int) -> Answer:
        return [(line.item, float(line.count)) for line in self.sketch.most_common(k)]

    def state_bytes(self) -> int:
        return len(self.sketch.serialize())


def ranked(lines: tuple[Estimate, ...]) -> Answer:
    """Item and count alone."""
    return [(line.item, line.count) for line in lines]


def one_by_one(scheme: str, contest: Contest, items: list[int], warmup: int) -> tuple[float, float]:
    """CPU seconds of clients and server when each report is drawn and counted alone."""
    task = Task(scheme, Budget(contest.epsilon), RangeDomain(contest.domain_size), contest.k)
    tracker = Tracker(task, seed=1, warmup=items[:warmup])
    client = Randomizer(task, max_epsilon=contest.epsilon, words=SeededWords(1))
    drawing = counting = 0.0
    start = warmup
    while start < len(items):
        end = start + min(PACE, tracker.epoch_room)
        block, bulletin, reports, start = items[start:end], tracker.bulletin, list[Any](), end
        drawing += spent(partial(_draw, client, block, bulletin, reports))
        counting += spent(partial(_count, tracker, reports))
    return drawing, counting + spent(lambda: tracker.respond(contest.k))


def _draw(client: Randomizer, items: list[int], bulletin: Any, reports: list[Any]) -> None:
    reports.extend(client.report(item, bulletin) for item in items)


def _count(tracker: Tracker, reports: list[Any]) -> None:
    for report in reports:
        tracker.insert(report)


def _passes(plan: Plan, contest: Contest, stream: Any, warmup: int) -> Iterator[tuple[float, Outcome]]:
    run(plan, stream[:REHEARSAL], contest.domain_size, min(warmup, REHEARSAL // 2), 0)
    for seed in rounds(contest.seconds / 2):
        found: list[Outcome] = []
        taken = spent(partial(_once, plan, stream, contest.domain_size, warmup, seed, found))
        yield taken, found[0]


def _once(plan: Plan, stream: Any, domain_size: int, warmup: int, seed: int, found: list[Outcome]) -> None:
    found.append(run(plan, stream, domain_size, warmup, seed))


def simulated(scheme: str, terms: dict[str, int], contest: Contest, items: Items, version: str) -> Showing:
    """One scheme over the contest's stream; hot lists start from its first hundredth, given raw."""
    plan = Plan(scheme, contest.epsilon, contest.k, **terms)  # type: ignore[arg-type]
    warmup = items.size // RAW_SHARE if scheme in HOT_LISTS else 0
    times, outcomes = zip(*_passes(plan, contest, items.astype(np.int32), warmup), strict=True)
    single = client = server = None
    if scheme in TASKS and not terms:
        few = items[: ONE_BY_ONE + PACE].tolist()
        one_by_one(scheme, contest, few[:REHEARSAL], warmup=PACE)
        drawing, counting = one_by_one(scheme, contest, few, warmup=PACE)
        reports = len(few) - PACE
        single, client, server = reports / (drawing + counting), reports / drawing, reports / counting
    last = outcomes[-1]
    return Showing(
        n=items.size,
        rounds=len(outcomes),
        bincount_rate=bincount_rate(items, contest.domain_size),
        batch_rate=last.reports / min(times) if last.drawn == "reports" else None,
        single_rate=single,
        client_rate=client,
        server_rate=server,
        answers=tuple(ranked(one.estimates) for one in outcomes),
        state_bytes=tuple(one.state_bytes for one in outcomes),
        measured="serialised",
        upload_bytes=last.upload_bytes / last.reports,
        version=version,
    )


def _entry(scheme: str, **terms: int) -> Callable[[Contest, Items, str], Showing]:
    return partial(simulated, scheme, terms)


bgr, dsr, bdr, cnr = map(_entry, HOT_LISTS)
pfr, pfr_wide = _entry("pfr"), _entry("pfr", memory=49_152)
grr, olh, hr, oue, sue, rappor, subset, cyclic = map(
    _entry, ("grr", "olh", "hr", "oue", "sue", "rappor", "subset", "cyclic")
)
