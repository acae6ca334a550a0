"""Attackers with a few reports, who see all bulletins and act right after a seal."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.forgery.victims import Victim, victim_of
from hgldp.simulation.generators import parse_generator

K = 20
TARGET_RANK = 401
STREAM = "zipf:n=100000,d=1000,s=1.2"


@dataclass(frozen=True)
class Attack:
    """Names for the target until it is tracked, `batch` after each seal; then everything else counts for it.

    `start` is the share of the stream after which it begins. With `pieces`, what is left after admission is sent in so
    many parts, one an epoch; otherwise all at once, right after the seal. Where untracked items count too, the last
    epoch gets all that is left.
    """

    name: str
    forged: int
    start: float
    batch: int = 5
    pieces: int = 1


ATTACKS = (
    Attack("5 names, 10 hits, late", 15, 0.9),
    Attack("65 reports, late", 65, 0.9),
    Attack("65 reports, at the very end", 65, 0.985),
    Attack("0.1 %, early", 100, 0.02, 20),
    Attack("0.1 %, half-way", 100, 0.5, 20),
    Attack("0.1 %, late", 100, 0.9, 20),
    Attack("0.1 %, spread over many epochs", 100, 0.3, 10, 50),
    Attack("0.5 %, in one burst late", 500, 0.8, 400),
)


@dataclass(frozen=True)
class Result:
    """What became of the target: its published count (None if not published) and its line, beside what is stated."""

    sent: int
    truth: int
    worth: float
    count: float | None
    certain: bool

    @property
    def over_statement(self) -> float:
        """The published count over what the true count and the stated worth of the forged reports allow."""
        return 0.0 if self.count is None else self.count / (self.truth + self.worth * self.sent)


def target_of(items: NDArray[np.int32], domain_size: int) -> tuple[int, int]:
    """The item of rank 401, and its count."""
    counts = np.bincount(items, minlength=domain_size)
    target = int(np.lexsort((np.arange(domain_size), -counts))[TARGET_RANK - 1])
    return target, int(counts[target])


def strike(victim: Victim, items: NDArray[np.int32], target: int, attack: Attack) -> int:
    """Run honest clients and the attacker side by side; how many forged reports were sent."""
    begin = int(items.size * attack.start)
    victim.honest(items[:begin])
    sent, position, piece = 0, begin, max(1, attack.forged // attack.pieces)
    while position < items.size:
        left = attack.forged - sent
        if left:
            wished = (piece if attack.pieces > 1 else left) if victim.tracks(target) else attack.batch
            is_last_chance = victim.counts_untracked and position + victim.room >= items.size
            sent += victim.forge(target, left if is_last_chance else min(left, wished))
        part = max(1, victim.room)
        victim.honest(items[position : position + part])
        position += part
    return sent


def attacked(scheme: str, epsilon: float, attack: Attack, seed: int, stream: str = STREAM) -> Result:
    """One run."""
    source = parse_generator(stream)
    items = source.draw(np.random.default_rng([seed, 401]))
    target, truth = target_of(items, source.d)
    victim = victim_of(scheme, epsilon, K, source.d, seed)
    sent = strike(victim, items, target, attack)
    lines = [line for line in victim.answer(K) if line.item == target]
    count, certain = (lines[0].count, not lines[0].may_be_noise) if lines else (None, False)
    return Result(sent, truth, victim.worth, count, certain)
