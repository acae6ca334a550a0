"""The slow, obvious way to count symbols by bulletin."""

from collections import Counter
from collections.abc import Iterable


def count_symbols(bulletins: Iterable[str], symbols: Iterable[int]) -> dict[tuple[str, int], int]:
    """One report after the other."""
    return dict(sorted(Counter(zip(bulletins, symbols, strict=True)).items()))
