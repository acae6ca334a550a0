"""From what was measured to published lines: counts of the whole stream, intervals, likely ranks, what may be noise."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import hypot, log

import numpy as np

from hgldp.model.bulletins import Cell
from hgldp.model.estimate import Z95, Estimate
from hgldp.model.forgery import STRING_REACH
from hgldp.stores.noise import Noise
from hgldp.stores.standing import likely_ranks, needed
from hgldp.stores.strings.luck import LawOfStrings, Share
from hgldp.stores.strings.search import Measured

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

    def part(self, found: Measured) -> float:
        """Which part of all that counts a cell has measured.

        >>> whole = Whole(1_000, 0, Noise(0.5, 0.25, 3.0), looked_at=64)
        >>> whole.part(Measured(5.0, 100.0, 250.0, 250)), whole.part(Measured())
        (0.25, 0.0)
        """
        return min(1.0, found.weight / self._fading(1)) if found.since else 0.0

    def line(self, found: Measured, share: Share) -> Estimate:
        """What was not measured counts like what was, up to seven times as much, and has its own variance.

        The interval allows for both: that it was always so, and that nobody sent the string before.
        """
        part = self.part(found)
        always, before = self.reports * share.mean, 1.0 - part
        count = min(1.0, STRING_REACH * part) * always
        unknown = Z95 * DRIFT * before * max(always, 0.0)
        high = always + hypot(self.reports * (share.high - share.mean), unknown)
        low = always - hypot(self.reports * (share.mean - share.low), unknown)
        low, high = max(low, min(part * self.reports * share.low, count)), max(high, count)
        tracked = found.since * share.mean, found.since * share.deviation, found.since
        error, noise = (high - low) / (2 * Z95), not self.stands_out(found)
        return Estimate(0, count, error, *tracked, bounds=(low, high), may_be_noise=noise)

    def stands_out(self, found: Measured) -> bool:
        """Whether chance alone cannot have brought this string here, among all that were looked at.

        What was measured must stand out from the noise of the whole stream, so that a short burst does not, and by more
        than an unfound string can have.
        """
        noise = (self.noise.at(found.share) * self._fading(2)) ** 0.5
        return bool(found.weight * (found.share - self.unfound) > needed(self.looked_at) * noise)


def best_lines(hot: Mapping[Cell, Measured], whole: Whole, sealed: int, k: int) -> list[tuple[Cell, Estimate]]:
    """The k strings with the largest counts, best first, without the luck that brought them there."""
    if not hot:
        return []
    cells, known = list(hot), list(hot.values())
    shares, deviations = (np.array([getattr(found, each) for found in known]) for each in ("share", "deviation"))
    law = LawOfStrings.fit(shares, deviations, sealed)
    lines = [whole.line(found, share) for found, share in zip(known, law.judge(shares, deviations), strict=True)]
    order = sorted(range(len(cells)), key=lambda place: (-lines[place].count, cells[place]))
    ranks = likely_ranks(*np.array([line.interval for line in lines]).T).tolist()
    best = []
    for rank, place in enumerate(order[:k]):
        line, (at_best, at_worst) = lines[place], ranks[place]
        share, told = line.interval[0] / whole.reports, None
        if share > 0 and not line.may_be_noise:
            told = at_best, max(at_worst, round(law.above(share)))
        best.append((cells[place], replace(line, item=rank, ranks=told)))
    return best
