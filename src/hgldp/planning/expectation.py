"""What to expect of a task whose traffic nobody knows yet: computed from its noise in a moment, not simulated.

An item stands out when its share is four standard deviations above that of an ordinary item (docs/will-it-work.md).
"""

from dataclasses import dataclass

from hgldp.mechanisms.grr import GRR
from hgldp.model.domain import StringDomain
from hgldp.model.rules import FrontierRules
from hgldp.model.task import Task
from hgldp.planning.shapes import MOST_DIFFERENT, UNKNOWN, USUAL, weights
from hgldp.schemes.open_pfr import EPOCHS_TO_SPELL, OpenPFR, first_epoch
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import HOT_LISTS
from hgldp.stores.noise import reading_of

STANDS_OUT, FLAT = 4.0, "flat head"
STRINGS, WHOLE_TOP = 20_000, 5


@dataclass(frozen=True)
class Expectation:
    """After how many reports the first item stands out, and most of the top k, on a usual stream and a flat one.

    `first` is also what it takes to spell out the first string, where nobody listed them.
    """

    first: int
    whole: int
    whole_if_flat: int


def expectation(task: Task, raw: int = 0) -> Expectation | None:
    """That of a task that starts from so many raw items; None if more than noise decides.

    >>> expectation(Task("pfr", epsilon=1.0, domain=range(5000), k=10))
    Expectation(first=5072, whole=507709, whole_if_flat=1720457)
    >>> expectation(Task("dsr", epsilon=1.0, domain=range(5000), k=10)).first
    2674388
    """
    if task.hints is not None:
        return _hinted(task, task.hints.size)
    if task.scheme == PFR.name:
        return _open(task) if isinstance(task.domain, StringDomain) else _listed(task)
    if task.scheme in HOT_LISTS and not raw:
        return _cold(task)
    return None


def _listed(task: Task) -> Expectation:
    noise = reading_of(PFR.of(task).mechanism).noise
    return _of(task.domain_size, task.k, noise.variance, noise.slope)


def _open(task: Task) -> Expectation:
    """A string is spelt within some first epochs, the more the longer strings are; and it must stand out."""
    mechanism = OpenPFR.of(task).mechanism
    noise = reading_of(mechanism).noise
    rules, found = task.rules_as(FrontierRules), _of(STRINGS, task.k, noise.variance, noise.slope)
    spelt = EPOCHS_TO_SPELL[rules.spelling] * first_epoch(mechanism, rules.epoch)
    later = WHOLE_TOP * spelt
    return Expectation(max(spelt, found.first), later + found.whole, later + found.whole_if_flat)


def _hinted(task: Task, size: int) -> Expectation:
    """The first is on the list; most of the others are found like strings that nobody listed, or sooner."""
    noise, others = reading_of(OpenPFR.of(task).mechanism).noise, _open(task)
    first = _of(max(size, STRINGS), 1, noise.variance, noise.slope).first
    return Expectation(min(first, others.first), others.whole, others.whole_if_flat)


def _cold(task: Task) -> Expectation:
    """An item that has no cell must be named among all others: what that takes with a counter for each of them."""
    grr = GRR(task.domain_size, task.budget.per_report)
    p, q = float(grr.p), float(grr.q)
    return _of(task.domain_size, task.k, q * (1 - q) / (p - q) ** 2, (1 - p - q) / (p - q))


def _of(size: int, k: int, variance: float, slope: float) -> Expectation:
    some = min(size, MOST_DIFFERENT)
    usual, flat = (weights(some, *UNKNOWN[title]) for title in (USUAL, FLAT))

    def needed(share: float) -> int:
        above = max(share - 1 / size, share / size)
        return int(STANDS_OUT**2 * (variance + share * slope) / above**2)

    return Expectation(needed(usual[0]), needed(usual[k - 1]), needed(flat[k - 1]))
