"""Which lines of a hot list stand out: no luck among all tried items, and no few liars, would have brought them there.

Few reports make no normal errors. One report adds a whole jump to a cell, and most add nothing: the sum is then a
number of jumps, and its chances are Poisson's. Many reports bring the normal law back.
"""

from math import erfc, exp, lgamma, log, sqrt
from typing import NamedTuple

from hgldp.kernels import hot_list as kernels
from hgldp.kernels.hot_list import Cells
from hgldp.model.forgery import FORGED_SHARE

FALSE_ALARM = 0.02
MANY_JUMPS = 1e6


class Ordinary(NamedTuple):
    """What an ordinary item has: its raw count, its share of the reports, and how far that share may be off."""

    raw: float
    share: float
    deviation: float


class Left:
    """What the lines that stand out leave to all the others, from the best line on."""

    def __init__(self, cells: Cells, domain_size: int) -> None:
        self.reports, self.raw = float(cells.counter[kernels.REPORTS]), float(cells.counter[kernels.WARMUP])
        self.share, self.doubt, self.items = 1.0, 0.0, domain_size

    @property
    def ordinary(self) -> Ordinary:
        """The mean of all that are left. The next line is one of them: its luck must not make the others look small."""
        share, raw = max(0.0, self.share) / self.items, max(0.0, self.raw) / self.items
        return Ordinary(raw, share, sqrt(self.doubt) / self.items)

    def without(self, count: float, error: float, prior: float) -> None:
        """Take off one that stands out."""
        self.share -= (count - prior) / max(self.reports, 1.0)
        self.doubt += (error / max(self.reports, 1.0)) ** 2
        self.raw -= prior
        self.items = max(1, self.items - 1)


def stands_out(cells: Cells, cell: int, domain_size: int, usual: Ordinary, leverage: float, low: float) -> bool:
    """Whether a cell is above an ordinary item by more than luck among all tried items and a few liars can do.

    Only what was measured counts, nothing extrapolated: the raw count is exact, and what came after it is noisy. A
    warm-up may speak for its items by itself too; if they may have faded since, it must reach what an ordinary item has
    in all. `low` is the least that the whole count may be: no item stands out that may have as few as an ordinary one
    where it was measured. A raw count that no reports can make ordinary is no luck: before the first report, all is
    known.
    """
    prior, seen, reports = float(cells.prior[cell]), float(cells.seen[cell]), float(cells.counter[kernels.REPORTS])
    if prior > usual.raw + reports:
        return True
    raw, usual_raw, tries = 0.0, 0.0, cells.item.size + int(cells.counter[kernels.ADMITTED])
    if cells.counter[kernels.WARMUP] and (prior > 0 or seen >= reports):
        # The warm-up chose its cells from the whole domain, and the item has two ways to stand out.
        raw, usual_raw, tries = prior, usual.raw, 2 * domain_size
    expected = usual_raw + seen * usual.share
    if not seen or low <= expected:
        return False
    faded = low - raw <= seen * usual.share
    in_warmup = expected if faded else float(cells.counter[kernels.WARMUP]) / domain_size
    if raw and at_least(raw, in_warmup) < FALSE_ALARM / tries:
        return True
    variance = max(float(cells.noise[cell]), 0.0) + expected + (seen * usual.deviation) ** 2
    found = raw + float(cells.score[cell]) - FORGED_SHARE * leverage * reports
    return chance_of(found - expected, variance, max(leverage, 1.0)) < FALSE_ALARM / tries


def chance_of(excess: float, variance: float, jump: float) -> float:
    """A bound on the chance that luck lifts a sum so far above its mean, if no report lifts it by more than a jump.

    The sum is taken for as many jumps of a Poisson law as have its variance. Where they are many, it is normal.

    >>> [round(chance_of(3.0 * n**0.5, n, 2.0), 4) for n in (1.0, 10.0, 1_000.0, 1e9)]
    [0.0471, 0.0109, 0.0021, 0.0013]
    """
    if variance > MANY_JUMPS * jump**2:
        return 0.5 * erfc(excess / sqrt(2 * variance))
    jumps = variance / jump**2
    return at_least(jumps + excess / jump, jumps)


def at_least(count: float, mean: float) -> float:
    """A bound on the chance that a Poisson variable reaches a count: of all terms from it on, none grows.

    >>> [round(at_least(count, 2.0), 4) for count in (1, 2, 4, 8)]
    [1.0, 1.0, 0.1504, 0.0011]
    """
    if count <= mean:
        return 1.0
    if mean <= 0:
        return 0.0
    term = exp(count * log(mean) - mean - lgamma(count + 1))
    return min(1.0, term / (1 - mean / (count + 1)))
