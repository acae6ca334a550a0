"""Where a step function changes: the pieces of 0 … bound − 1 on which one draw has one outcome.

Two neighbouring looks that differ are narrowed down until they touch. So every piece is found, however thin, as long as
no outcome comes back after another one: a sampler that compares its draw with weights is of this kind. An outcome that
comes back is seen if a look falls between; `grid` says how many looks are made in any case.
"""

from collections.abc import Callable, Hashable
from itertools import pairwise

from hgldp.errors import HgldpError
from hgldp.model.randomness import WORD_BITS, derive_seed

EVERY_VALUE = 256
"""With a bound up to this, every value is looked at."""
MANY_PIECES, MOST_RETURNS = 8_192, 16
NOT_SIMPLE = "the client's draws are not simple enough to be followed: audit it without steering"


class NotFollowed(HgldpError):
    """The law of the client is not known, so nothing is said about it."""


def starts_of_pieces(look: Callable[[int], Hashable], bound: int, grid: int = 16) -> list[int]:
    """The first value of each piece, ascending. Small bounds have one piece a value, equal or not.

    Pieces are often as wide as the one before, so the next start is guessed there before it is searched by halves. Very
    many pieces of few outcomes, as a remainder has them, are refused.

    >>> starts_of_pieces(lambda draw: "truth" if draw < 11674931554 else "lie", 10**12)
    [0, 11674931554]
    """
    if bound <= EVERY_VALUE:
        return list(range(bound))
    known: dict[int, Hashable] = {}
    outcomes: set[Hashable] = set()

    def at(value: int) -> Hashable:
        if value not in known:
            known[value] = look(value)
            outcomes.add(known[value])
        return known[value]

    starts, width = [0], 0
    for gap in pairwise(_grid(bound, grid)):
        waiting = [gap]
        while waiting:
            low, high = waiting.pop()
            if at(low) == at(high):
                continue
            if high - low == 1:
                width = high - starts[-1]
                starts.append(high)
                if len(starts) > MANY_PIECES and len(starts) > MOST_RETURNS * len(outcomes):
                    raise NotFollowed(NOT_SIMPLE)
                continue
            guess = starts[-1] + width
            wished = (guess - 1, guess) if width and low < guess <= high else ((low + high) // 2,)
            points = [low, *(point for point in wished if low < point < high), high]
            waiting += reversed(list(pairwise(points)))
    return starts


def _grid(bound: int, grid: int) -> list[int]:
    """Both ends and one value of each of `grid` equal parts, at no regular distance; every value if there are few."""
    if bound <= 2 * grid:
        return list(range(bound))
    inside = {(part * bound + (derive_seed(grid, part) * bound >> WORD_BITS)) // grid for part in range(grid)}
    return sorted(inside | {0, bound - 1})
