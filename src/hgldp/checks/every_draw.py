"""Every possible run of a sampler, with its exact probability: a proof for small cases, where χ² only suspects."""

from collections.abc import Callable, Hashable
from fractions import Fraction
from math import prod
from typing import TypeVar

from hgldp.errors import InvalidField
from hgldp.model.randomness import Words

R = TypeVar("R", bound=Hashable)


class EveryDraw(Words):
    """A source that walks through all answers of `below`, run after run, like an odometer.

    >>> words, seen = EveryDraw(), []
    >>> while words.rewind():
    ...     seen.append((words.below(2), words.below(2), str(words.probability)))
    >>> seen
    [(0, 0, '1/4'), (0, 1, '1/4'), (1, 0, '1/4'), (1, 1, '1/4')]
    """

    def __init__(self) -> None:
        self._draws: list[int] = []
        self._bounds: list[int] = []
        self._place: int | None = None

    def rewind(self) -> bool:
        """Get ready for the next run; False when all have been made."""
        if self._place is not None:
            while self._draws and self._draws[-1] + 1 == self._bounds[-1]:
                self._draws.pop()
                self._bounds.pop()
            if not self._draws:
                return False
            self._draws[-1] += 1
        self._place = 0
        return True

    def below(self, bound: int) -> int:
        """The answer of this run."""
        if self._place is None:
            raise InvalidField("draw", "must follow a call of rewind()", "none")
        if self._place == len(self._draws):
            self._draws.append(0)
            self._bounds.append(bound)
        if self._bounds[self._place] != bound:
            raise InvalidField("bound", "must depend on earlier draws alone", bound)
        self._place += 1
        return self._draws[self._place - 1]

    def word(self) -> int:
        """Refused: 2^64 answers cannot be walked through."""
        raise InvalidField("draw", "must be made with below(bound) to be enumerated", "word()")

    @property
    def probability(self) -> Fraction:
        """The probability of this run."""
        return Fraction(1, prod(self._bounds))


def exact_outcomes(sample: Callable[[Words], R]) -> dict[R, Fraction]:
    """Pr[outcome] of a sampler that draws through `words.below` alone, by making every run there is.

    >>> exact_outcomes(lambda words: words.below(3) == 0)
    {True: Fraction(1, 3), False: Fraction(2, 3)}
    """
    outcomes: dict[R, Fraction] = {}
    words = EveryDraw()
    while words.rewind():
        outcome = sample(words)
        outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + words.probability
    return outcomes
