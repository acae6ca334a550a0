"""What PFR's speed is held to, measured in the same run as everything else."""

from dataclasses import dataclass
from functools import partial
from statistics import median
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.field.timing import spent
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from hgldp.schemes.pfr import PFR
from hgldp.simulation.generators import parse_generator
from hgldp.simulation.run import Plan, run
from hgldp.stores.frontier import Frontier
from hgldp.tracker import Tracker

CELLS, K, EPSILON = 1024, 20, 1.0
REPORTS, DOMAIN = 4_000_000, 23_496
STREAM = f"zipf:n={REPORTS},d={DOMAIN},s=1.1"
ROUNDS, SEALS = 5, 21


@dataclass(frozen=True)
class Bar:
    """A number and the most that it may be."""

    what: str
    value: float
    most: float
    unit: str

    @property
    def holds(self) -> bool:
        """Whether it is kept."""
        return self.value <= self.most


def tracker_with(epoch: int) -> Tracker:
    """The server that is measured: 1,024 cells over as many items as the first 100,000 sessions of kosarak have."""
    return Tracker(Task("pfr", Budget(EPSILON), RangeDomain(DOMAIN), K, cells=CELLS, epoch=epoch), seed=1)


def residues(n: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Reports as they arrive; for a tally one is as good as another."""
    modulus = PFR(DOMAIN, CELLS, EPSILON).mechanism.modulus
    return np.random.default_rng(1).integers(0, modulus, n)


def tally_seconds() -> float:
    """All reports into one open epoch."""
    reports, times = residues(REPORTS), []
    for _ in range(ROUNDS):
        tracker = tracker_with(REPORTS + 1)
        times.append(spent(partial(tracker.insert_many, tracker.bulletin.version, reports)))
    return min(times)


def seal_and_answer_seconds() -> tuple[float, float]:
    """The median of some seals and of an answer, once the store retains as many epochs as it ever will."""
    tracker, seals, answers = tracker_with(1_000), list[float](), list[float]()
    for block in residues(200_000).reshape(-1, 1_000):
        tracker.insert_many(tracker.bulletin.version, block)
    for block in residues(SEALS * 500).reshape(SEALS, -1):
        tracker.insert_many(tracker.bulletin.version, block)
        seals.append(spent(tracker.seal))
        answers.append(spent(tracker.top))
    return median(seals), median(answers)


def simulate_seconds(plan: Plan, stream: NDArray[np.int32]) -> tuple[float, float]:
    """A whole simulation, and the part of it that the seals take."""
    sealing, seal = list[float](), Frontier.seal

    def timed(store: Frontier) -> None:
        sealing.append(spent(partial(seal, store)))

    with patch.object(Frontier, "seal", timed):
        whole = spent(partial(run, plan, stream, DOMAIN, 0, 1))
    return whole, sum(sealing)


def measure_bars() -> list[Bar]:
    """All from this run."""
    synthetic = parse_generator(STREAM)
    stream = synthetic.draw(np.random.default_rng(1))
    wide, plan = stream.astype(np.int64), Plan("pfr", EPSILON, K, cells=CELLS)
    run(plan, stream[:2_000], DOMAIN, 0, 1)
    exact = min(spent(lambda: np.bincount(wide, minlength=DOMAIN)) for _ in range(3 * ROUNDS))
    whole, seals = min(simulate_seconds(plan, stream) for _ in range(ROUNDS))
    seal, answer = seal_and_answer_seconds()
    uploads = [PFR(DOMAIN, CELLS, epsilon).report_bytes for epsilon in (0.25, 0.5, 1.0, 2.0)]
    return [
        Bar("tally of reports of 1,024 cells", tally_seconds() / exact, 2, "× bincount"),
        Bar("simulate: map, draw and tally", (whole - seals) / exact, 10, "× bincount"),
        Bar(f"the same with all seals, {REPORTS:,} reports", whole / exact, 15, "× bincount"),
        Bar(f"one seal, {DOMAIN:,} items", seal * 1e3, 10, "ms"),
        Bar(f"one answer, {DOMAIN:,} items", answer * 1e3, 50, "ms"),
        Bar("upload of a report at ε ≤ 2", max(uploads), 2, "bytes"),
    ]
