"""The exhaustive baselines: any mechanism with one counter for each item. What unlimited memory can do."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from hgldp.mechanisms.base import Mechanism
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import Words


class Counters(Protocol):
    """What an exhaustive baseline needs of the server's memory; `hgldp.stores.histogram.Histogram` is one."""

    def add(self, scores: Sequence[int], reports: int, squares: Sequence[int] | None = None) -> None:
        """Add the summed scores of some reports, and their squares if the noise is uneven."""

    def estimates(
        self, k: int, *, p: Fraction, q: Fraction, noise_variance: Fraction, own_variance: Fraction | None = None
    ) -> tuple[Estimate, ...]:
        """The best k, ranked."""


@dataclass(frozen=True)
class Exhaustive:
    """A mechanism over the whole domain, and a histogram of its scores. There is no bulletin to answer.

    Privacy: that of the mechanism.
    Report bytes: those of the mechanism.
    Memory: one counter an item, two where the noise is uneven: grows with the domain.
    Error: the mechanism's variance a report.

    >>> from hgldp.mechanisms.grr import GRR
    >>> from hgldp.model.randomness import SeededWords
    >>> from hgldp.stores.histogram import Histogram
    >>> scheme, store, words = Exhaustive(GRR(4, 2.0)), Histogram(4), SeededWords(7)
    >>> for event in [2] * 60 + [1] * 40:
    ...     scheme.insert(store, scheme.randomize(event, words))
    >>> [(line.item, round(line.count)) for line in scheme.respond(store, 2)]
    [(2, 62), (1, 41)]
    """

    mechanism: Mechanism[Any]

    def randomize(self, item: int, words: Words) -> Any:
        """One report for one event."""
        return self.mechanism.randomize(item, words)

    def insert(self, store: Counters, report: Any) -> None:
        """Add what a report says for each item."""
        scores = [self.mechanism.support(report, value) for value in range(self.mechanism.size)]
        store.add(scores, 1, None if self.mechanism.even_noise else [score * score for score in scores])

    def respond(self, store: Counters, k: int) -> tuple[Estimate, ...]:
        """The top k, ranked, each with its standard error."""
        mechanism = self.mechanism
        noise, own = mechanism.noise_variance, mechanism.own_variance
        return store.estimates(k, p=mechanism.p, q=mechanism.q, noise_variance=noise, own_variance=own)
