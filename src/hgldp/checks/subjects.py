"""What the contract is checked on: a channel with its sampler and its estimator, made of a mechanism or of a scheme."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import chain, product
from typing import Any

from hgldp.errors import HgldpError, InvalidField
from hgldp.mechanisms.base import Mechanism
from hgldp.model.bulletins import Bulletin
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import Words
from hgldp.model.weights import Epsilon
from hgldp.schemes.hot_list import HotListScheme

LARGEST = 64
TINY_SIZES = (3, 2)
TINY_EPSILON = 2


class Subject(ABC):
    """One channel under check, its inputs numbered from 0."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Which one, for the sentences that say what is wrong."""

    @property
    @abstractmethod
    def epsilon(self) -> Epsilon:
        """What one report may spend."""

    @property
    @abstractmethod
    def inputs(self) -> int:
        """How many inputs there are."""

    @abstractmethod
    def channel(self) -> list[dict[Any, Fraction]]:
        """Pr[report | input]."""

    @abstractmethod
    def sample(self, value: int, words: Words) -> Hashable:
        """One report."""

    @abstractmethod
    def targets(self) -> tuple[int, ...]:
        """The inputs whose count is estimated."""

    @abstractmethod
    def adds(self, report: Any) -> list[Fraction]:
        """What one report adds to the estimate of each target."""

    @abstractmethod
    def tiny(self) -> Iterator["Subject"]:
        """The same with weights so small that every sequence of draws can be walked through; the richest first."""


def tiny_weights(epsilon: Epsilon) -> tuple[list[tuple[Epsilon, int]], list[tuple[Epsilon, int]]]:
    """Which ε and scale to try, first the telling ones, then those with scale 1, which hide a forgotten scale.

    A tiny scale cannot express a small ε, so that ε is at least `TINY_EPSILON`.
    """
    epsilons: dict[Epsilon, None] = dict.fromkeys((max(epsilon, TINY_EPSILON), TINY_EPSILON))
    return [(each, scale) for each in epsilons for scale in (4, 3, 2)], [(each, 1) for each in epsilons]


def _check_small(field_name: str, size: int) -> None:
    if size > LARGEST:
        raise InvalidField(field_name, f"must be at most {LARGEST} for the exact checks", size)


@dataclass(frozen=True)
class MechanismSubject(Subject):
    """A mechanism; its estimator is `support` and `debias`."""

    mechanism: Mechanism[Any]

    def __post_init__(self) -> None:
        _check_small("size", self.mechanism.size)

    @property
    def title(self) -> str:
        """The mechanism as it was built."""
        return repr(self.mechanism)

    @property
    def epsilon(self) -> Epsilon:
        """That of the mechanism."""
        return self.mechanism.epsilon

    @property
    def inputs(self) -> int:
        """The values."""
        return self.mechanism.size

    def channel(self) -> list[dict[Any, Fraction]]:
        """That of the mechanism."""
        return self.mechanism.channel()

    def sample(self, value: int, words: Words) -> Hashable:
        """What a client sends."""
        report: Hashable = self.mechanism.randomize(value, words)
        return report

    def targets(self) -> tuple[int, ...]:
        """Every value."""
        return tuple(range(self.mechanism.size))

    def adds(self, report: Any) -> list[Fraction]:
        """The debiased score of one report, for every value."""
        return [self._debiased(self.mechanism.support(report, value)) for value in self.targets()]

    @cached_property
    def _debiased(self) -> Callable[[int], Fraction]:
        return cache(partial(self.mechanism.debias, reports=1))

    def tiny(self) -> Iterator[Subject]:
        """Smaller and smaller weights, then fewer values too."""
        for weights in tiny_weights(self.epsilon):
            for size, (epsilon, scale) in product((self.mechanism.size, *TINY_SIZES), weights):
                with suppress(HgldpError):
                    yield MechanismSubject(replace(self.mechanism, size=size, epsilon=epsilon, scale=scale))


@dataclass
class Recording:
    """A store that only remembers what was done to it."""

    hits: list[int] = field(default_factory=list)

    def hit(self, slot: int) -> None:
        """Remember the slot."""
        self.hits.append(slot)

    def miss(self) -> None:
        """Nothing to remember."""

    def nominate(self, item: int) -> None:
        """A nomination counts for no item."""

    def estimates(self, k: int) -> tuple[Estimate, ...]:
        """Nothing is estimated here."""
        del k
        return ()


@dataclass(frozen=True)
class BulletinSubject(Subject):
    """A scheme that answers one bulletin, whatever their kinds."""

    scheme: Any
    bulletin: Any

    def __post_init__(self) -> None:
        _check_small("domain_size", self.scheme.domain_size)

    @property
    def epsilon(self) -> Epsilon:
        """That of the scheme."""
        epsilon: Epsilon = self.scheme.epsilon
        return epsilon

    @property
    def inputs(self) -> int:
        """The items of the domain."""
        return int(self.scheme.domain_size)

    def channel(self) -> list[dict[Any, Fraction]]:
        """That of the scheme under this bulletin."""
        rows: list[dict[Any, Fraction]] = self.scheme.channel(self.bulletin)
        return rows

    def sample(self, value: int, words: Words) -> Hashable:
        """What a client sends."""
        report: Hashable = self.scheme.randomize(value, self.bulletin, words)
        return report

    def tiny(self) -> Iterator[Subject]:
        """Smaller and smaller weights; the domain must stay that of the bulletin."""
        for epsilon, scale in chain(*tiny_weights(self.epsilon)):
            with suppress(HgldpError):
                yield replace(self, scheme=replace(self.scheme, epsilon=epsilon, scale=scale))


@dataclass(frozen=True)
class SchemeSubject(BulletinSubject):
    """A scheme with a hot list; its estimator is `insert` and `reading`."""

    scheme: HotListScheme
    bulletin: Bulletin

    @property
    def title(self) -> str:
        """The scheme as it was built, and the hot list."""
        mood = "nominating" if self.bulletin.nominating else "quiet"
        return f"{self.scheme!r} with hot list {self.bulletin.hot}, {mood}"

    def targets(self) -> tuple[int, ...]:
        """The hot items, slot by slot."""
        return self.bulletin.hot

    def adds(self, report: Any) -> list[Fraction]:
        """(hits − per_hot·hot − per_report)/gain of one report, for every slot."""
        store, reading = Recording(), self.scheme.reading(self.bulletin)
        self.scheme.insert(store, report, self.bulletin)
        noise = reading.per_hot * bool(store.hits) + reading.per_report
        return [(store.hits.count(slot) - noise) / reading.gain for slot in range(len(self.bulletin.hot))]
