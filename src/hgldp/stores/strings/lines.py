"""From what was measured to published lines: counts of the whole stream, intervals, likely ranks, what may be noise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, log

import numpy as np

from hgldp.model.bulletins import Cell
from hgldp.model.estimate import Z95, Estimate
from hgldp.model.forgery import STRING_REACH
from hgldp.stores.noise import Noise
from hgldp.stores.standing import Reals, likely_ranks, needed
from hgldp.stores.strings.luck import LawOfStrings, Share
from hgldp.stores.strings.measured import Measured

DRIFT = 3**-0.5


@dataclass(frozen=True)
class Whole:
    """The whole stream, of which a cell has measured a part: the reports since it was published.

    With a half-life, old reports count less, in the whole and in the part. `looked_at` is how many strings the search
    has looked at, and `unfound` the largest share that an untracked string can have.
    """

    reports: int
    half_life: int
    noise: Noise
    looked_at: int
    unfound: float = 0.0

    def _fading(self, times: int) -> float:
        """The sum of all reports' weights, each to a power."""
        if not self.half_life:
            return float(self.reports)
        life = self.half_life / times
        return life / log(2) * -float(np.expm1(-log(2) * self.reports / life))

    @property
    def fading_reports(self) -> float:
        """How many reports count now, all weights together."""
        return self._fading(1)

    def part(self, found: Measured) -> float:
        """Which part of all that counts a cell has measured.

        >>> whole = Whole(1_000, 0, Noise(0.5, 0.25, 3.0), looked_at=64)
        >>> whole.part(Measured(5.0, 100.0, 250.0, 250)), whole.part(Measured())
        (0.25, 0.0)
        """
        return min(1.0, found.weight / self._fading(1)) if found.since else 0.0

    def line(self, found: Measured, share: Share) -> Estimate:
        """What was not measured counts like what was, up to seven times as much, and has its own variance.

        The interval allows for both: that it was always so, and that nobody sent the string before. No count and no end
        of an interval is below 0 or above the number of reports. The error since the string was tracked reaches as far
        as the interval of its share, so that both intervals agree.
        """
        part, share = self.part(found), share.within_the_stream
        always, before = self.reports * share.mean, 1.0 - part
        count = min(1.0, STRING_REACH * part) * always
        unknown = Z95 * DRIFT * before * always
        high = always + hypot(self.reports * (share.high - share.mean), unknown)
        low = always - hypot(self.reports * (share.mean - share.low), unknown)
        low, high = max(low, min(part * self.reports * share.low, count)), max(high, count)
        low, high = max(low, 0.0), min(high, float(self.reports))
        reach = max(share.deviation, (share.mean - share.low) / Z95, (share.high - share.mean) / Z95)
        tracked = found.since * share.mean, found.since * reach, found.since
        error, noise = (high - low) / (2 * Z95), not self.stands_out(found)
        return Estimate(0, count, error, *tracked, bounds=(low, high), may_be_noise=noise)

    def stands_out(self, found: Measured) -> bool:
        """Whether chance alone cannot have brought this string here, among all that were looked at.

        What was measured must stand out from the noise of the whole stream, so that a short burst does not, and by more
        than an unfound string can have.
        """
        noise = (self.noise.at(found.share) * self._fading(2)) ** 0.5
        return bool(found.weight * (found.share - self.unfound) > needed(self.looked_at) * noise)


def law_of(hot: Mapping[Cell, Measured], sealed: int) -> LawOfStrings:
    """What the strings on the list say of how shares are spread."""
    shares, deviations = _measured(hot)
    return LawOfStrings.fit(shares, deviations, sealed)


def _measured(hot: Mapping[Cell, Measured]) -> tuple[Reals, Reals]:
    known = hot.values()
    return np.array([found.share for found in known]), np.array([found.deviation for found in known])


def best_lines(hot: Mapping[Cell, Measured], whole: Whole, sealed: int, k: int) -> list[tuple[Cell, Estimate]]:
    """The k strings with the largest counts, best first, without the luck that brought them there."""
    if not hot:
        return []
    cells, known = list(hot), list(hot.values())
    (shares, deviations), law = _measured(hot), law_of(hot, sealed)
    lines = [whole.line(found, share) for found, share in zip(known, law.judge(shares, deviations), strict=True)]
    order = sorted(range(len(cells)), key=lambda place: (-lines[place].count, cells[place]))
    lows, highs = np.array([line.interval for line in lines]).T
    ranks = ranks_among_unfound(lows, highs, [round(law.above(low / whole.reports)) if low > 0 else 0 for low in lows])
    best = []
    for rank, place in enumerate(order[:k]):
        line = lines[place]
        told = (ranks[place][0], ranks[place][1]) if line.interval[0] > 0 and not line.may_be_noise else None
        best.append((cells[place], replace(line, item=rank, ranks=told)))
    return best


def ranks_among_unfound(lows: Reals, highs: Reals, expected: Sequence[int]) -> list[list[int]]:
    """The best and the worst rank of each string, if so many strings are expected above its lower end.

    Those that were not found may be above it too. A string that may be above one is above all that are lower, so the
    ranges agree: if one interval lies above another, so do both ends of its ranks.

    >>> lows, highs = np.array([55.0, 48.0, 34.0]), np.array([64.0, 52.0, 45.0])
    >>> ranks_among_unfound(lows, highs, [2, 2, 3])
    [[1, 2], [2, 3], [3, 4]]
    """
    ranks = likely_ranks(lows, highs)
    unfound = np.maximum(np.asarray(expected) - ranks[:, 1], 0)
    from_the_top = np.argsort(-lows, kind="stable")
    ranks[from_the_top, 1] += np.maximum.accumulate(unfound[from_the_top])
    found: list[list[int]] = ranks.tolist()
    return found
