"""Words that the audit chooses: a list of integers, and after its end some others that are always the same."""

from collections.abc import Sequence

from hgldp.audit.subjects.base import ClientFailed
from hgldp.model.randomness import WORD_BITS, Words, derive_seed

CONTINUATIONS = 4
MOST_DRAWS = 1_000
OTHER_ENTROPY = "the client must draw nothing but what the audit supplies: the same integers gave two different reports"


class Answers(Words):
    """Notes every bound that it is asked for. A bound of 1 leaves no choice and is not noted.

    After the given integers, continuation 0 answers with the least, 1 with the largest, the others with any integers.

    >>> words = Answers([4], continuation=1)
    >>> words.below(10), words.below(1), words.below(10), words.bounds
    (4, 0, 9, [10, 10])
    """

    def __init__(self, given: Sequence[int], continuation: int = 0) -> None:
        self._given, self._continuation = given, continuation
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        """The integer that was chosen for this draw."""
        if bound < 1:
            raise ClientFailed("the client must ask for an integer below 1 or more")
        if bound == 1:
            return 0
        place = len(self.bounds)
        if place >= MOST_DRAWS:
            raise ClientFailed(f"the client must draw at most {MOST_DRAWS} integers for what it sends")
        self.bounds.append(bound)
        if place < len(self._given):
            if self._given[place] >= bound:
                raise ClientFailed(OTHER_ENTROPY)
            return self._given[place]
        if self._continuation < 2:
            return (bound - 1) * self._continuation
        return derive_seed(self._continuation, place) * bound >> WORD_BITS

    def word(self) -> int:
        """A word is an integer below 2^64."""
        return self.below(1 << WORD_BITS)
