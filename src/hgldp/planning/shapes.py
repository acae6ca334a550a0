"""What a stream looks like: which share each item has. From a file's counts, an exponent, or "I do not know"."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.model.rules import Spelling
from hgldp.model.validate import check_whole
from hgldp.planning.invented import invented
from hgldp.simulation.drift import zipf_weights

MOST_DIFFERENT, TOLD_APART, MOST_FROM_A_FILE = 20_000_000, 100_000, 1_000_000
STEEPEST = 10.0
USUAL, UNKNOWN = "usual", {"usual": (1.0, 0.0), "flat head": (1.0, 20.0), "steep": (1.3, 0.0)}
Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shape:
    """The shares of all items, the largest first; in an open domain also `say`, which gives the strings of a launch."""

    title: str
    shares: Reals
    say: Callable[[int], Sequence[str]] | None = None

    @property
    def size(self) -> int:
        """How many different items can occur."""
        return self.shares.size


def weights(size: int, exponent: float, offset: float = 0) -> Reals:
    """The share of each rank, ∝ (rank + offset)^−exponent.

    >>> weights(3, 1.0).round(3).tolist()
    [0.545, 0.273, 0.182]
    """
    if not 0 <= exponent <= STEEPEST:
        raise InvalidField("zipf", f"must lie in 0 … {STEEPEST:g}", exponent)
    ranks = zipf_weights(size, exponent) if not offset else (np.arange(1.0, size + 1) + offset) ** -exponent
    return np.asarray(ranks / ranks.sum(), np.float64)


def listed_shapes(items: int, exponent: float | None = None) -> list[Shape]:
    """The shape with this exponent over so many items; without one, those that a stream usually has.

    Of very many items only the first 100,000 have shares of their own; as many others share the rest evenly.

    >>> [shape.title for shape in listed_shapes(1000)]
    ['usual', 'flat head', 'steep']
    """
    check_whole("items", items, 2, MOST_DIFFERENT)
    return [Shape(title, _bounded(weights(items, *terms))) for title, terms in _terms(exponent).items()]


def open_shapes(
    strings: int, exponent: float | None = None, *, spelling: Spelling = "text", most_bytes: int = 64
) -> list[Shape]:
    """The same for made-up strings, which are others in each launch."""
    check_whole("strings", strings, 1, MOST_DIFFERENT)
    say = partial(invented, min(strings, 2 * TOLD_APART), spelling, most_bytes)
    return [Shape(title, _bounded(weights(strings, *terms)), say) for title, terms in _terms(exponent).items()]


def _bounded(shares: Reals) -> Reals:
    """At most 200,000 shares, of which the last ones are alike."""
    if shares.size <= 2 * TOLD_APART:
        return shares
    rest = np.full(TOLD_APART, shares[TOLD_APART:].sum() / TOLD_APART)
    return np.sort(np.concatenate([shares[:TOLD_APART], rest]))[::-1]


def shape_like(title: str, counts: Sequence[int] | NDArray[np.int64], items: int | None = None) -> Shape:
    """A listed domain with the frequencies of a stream; `items` may be more than occurred in it.

    >>> shape_like("mine", [1, 3], items=4).shares.tolist()
    [0.75, 0.25, 0.0, 0.0]
    """
    found = np.sort(_checked(counts))[::-1]
    size = found.size if items is None else check_whole("items", items, 2, MOST_FROM_A_FILE)
    if size < found.size:
        raise InvalidField("items", f"must be at least the {found.size:,} different items of the file", items)
    return Shape(title, np.concatenate([found, np.zeros(size - found.size)]) / found.sum())


def open_shape_like(title: str, counts: Sequence[int] | NDArray[np.int64], texts: Sequence[str]) -> Shape:
    """Strings with the frequencies of a stream."""
    known = _checked(counts)
    order = np.argsort(-known, kind="stable")
    said = [texts[place] for place in order.tolist()]
    return Shape(title, known[order] / known.sum(), lambda _: said)


def _checked(counts: Sequence[int] | NDArray[np.int64]) -> Reals:
    found = np.asarray(counts, np.float64)
    if found.ndim != 1 or not found.size or found.min() < 0 or not found.sum() > 0:
        raise InvalidField("counts", "must be numbers of at least 0, and not all 0", f"{found.size} of them")
    return found


def _terms(exponent: float | None) -> dict[str, tuple[float, float]]:
    return UNKNOWN if exponent is None else {f"Zipf {exponent:g}": (exponent, 0.0)}
