"""PEM, the prefix extending method: Wang, Li, Jha, Locally Differentially Private Heavy Hitter Identification, 2021.

Users are in groups. Each group reports a longer prefix of its strings by OLH. The server counts the extensions of the
prefixes that the group before left over, and keeps the most frequent. We are generous where the paper leaves room: a
string that has ended, with a zero byte, has one extension; a server may keep more than k prefixes; the groups come one
after another, so that the server has counters for one of them at a time.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.strings.contest.answers import Found
from benchmarks.strings.contest.levels import Generator, everything, heaviest
from benchmarks.strings.contest.olh import OLH
from benchmarks.strings.contest.prefixes import Prefixes

COUNTER_BYTES = 4


@dataclass(frozen=True)
class PEM:
    """Each group extends by at most `step` bits, and `keep` prefixes are left over; the first has log2 `keep` more."""

    epsilon: float
    step: int
    keep: int

    def levels(self, bits: int) -> list[int]:
        """How long the prefix of each group is: as few groups as `step` allows, in even steps.

        >>> PEM(4.0, step=16, keep=20).levels(48)
        [19, 34, 48]
        """
        more = min(bits - 1, self.keep.bit_length() - 1)
        groups = -(-(bits - more) // self.step)
        return [more + -(-(bits - more) * group // groups) for group in range(1, groups + 1)]

    def find(self, prefixes: Prefixes, stream: NDArray[np.int32], k: int, generator: Generator) -> Found:
        """The k most frequent strings as the last group shows them; the groups are parts of the drawn stream."""
        oracle, levels, counters = OLH(self.epsilon), self.levels(prefixes.bits), 0
        kept = candidates = everything(prefixes)
        best, estimates = np.zeros(0, np.int64), np.zeros(0)
        for bits, group in zip(levels, np.array_split(stream, len(levels)), strict=True):
            candidates = kept.extended(bits)
            of_real = oracle.supports(candidates.holders(group), group.size, generator)
            of_nobody = oracle.largest_of_nobody(candidates.of_nobody, group.size, self.keep, generator)
            estimates = oracle.estimates(np.concatenate([of_real, of_nobody]), group.size)
            best = heaviest(estimates, self.keep, generator)
            kept, counters = candidates.kept(best), max(counters, candidates.size)
        places, counts = candidates.named(best, estimates[best] * len(levels), k)
        return Found(tuple(places), tuple(counts), counters * COUNTER_BYTES)
