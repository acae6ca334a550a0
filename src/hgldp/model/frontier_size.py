"""How many cells a frontier has and how many bytes it may take, unless a task says otherwise."""

from typing import TypeGuard

from hgldp.model.domain import AnyDomain, StringDomain

LISTED_CELLS, STRING_CELLS, MOST_FRONTIER_CELLS = 1024, 1024, 4096
LISTED_CELLS_PER_K, STRING_CELLS_PER_K = 3, 8
HINTED_CELLS, HINTED_CELLS_PER_K, HINTS_SHARE = 3072, 12, 3
LEAST_MEMORY, LISTED_CELL_BYTES, STRING_CELL_BYTES, HINT_CELL_BYTES = 16_384, 16, 48, 32


def has_hints(domain: AnyDomain) -> TypeGuard[StringDomain]:
    """Whether a domain of strings names a list of some that are expected."""
    return isinstance(domain, StringDomain) and domain.hints is not None


def hint_cells(cells: int) -> int:
    """How many of a frontier's cells are for the strings on a list, if it has one: a third."""
    return cells // HINTS_SHARE


def spelling_cells(cells: int) -> int:
    """And how many are for those that are not on it."""
    return cells - hint_cells(cells)


def cells_per_k(domain: AnyDomain) -> int:
    """How many cells a frontier needs at least for each wanted item."""
    if domain.size is None:
        return HINTED_CELLS_PER_K if has_hints(domain) else STRING_CELLS_PER_K
    return LISTED_CELLS_PER_K


def frontier_cells(k: int, domain: AnyDomain) -> int:
    """Cells of a frontier: 1,024, or 3 per wanted item if that is more; for strings 8; with hints 3,072, or 12."""
    return max(usual_cells(domain), cells_per_k(domain) * k)


def usual_cells(domain: AnyDomain) -> int:
    """The same for a small k."""
    if domain.size is None:
        return HINTED_CELLS if has_hints(domain) else STRING_CELLS
    return LISTED_CELLS


def default_memory(cells: int, string_bytes: int = 0) -> int:
    """Bytes of a frontier: at least 16 kB, and 16 for each cell; for strings 48 and what the longest string takes.

    >>> default_memory(256), default_memory(2048), default_memory(512, string_bytes=64)
    (16384, 32768, 57344)
    """
    return max(LEAST_MEMORY, (STRING_CELL_BYTES + string_bytes if string_bytes else LISTED_CELL_BYTES) * cells)


def frontier_memory(cells: int, domain: AnyDomain) -> int:
    """That of a frontier of the domain; with a list 32 bytes for each cell of the list's part, beside the other part.

    >>> from hgldp.model.hints import Hints
    >>> frontier_memory(1024, StringDomain(64)), frontier_memory(1024, StringDomain(64, Hints("0" * 64, 9)))
    (114688, 87408)
    """
    if has_hints(domain):
        return default_memory(spelling_cells(cells), domain.most_bytes) + HINT_CELL_BYTES * hint_cells(cells)
    return default_memory(cells, domain.most_bytes if isinstance(domain, StringDomain) else 0)
