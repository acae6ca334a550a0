"""One step of the search among strings: which cell becomes hot, which is cut, held or dropped."""

from collections.abc import Mapping

from hgldp.model.bulletins import ROOT, Cell
from hgldp.stores.strings.measured import Measured
from hgldp.stores.strings.model import expand
from hgldp.stores.strings.state import Cells

HOT_LEAST, SPLIT_LEAST, EXPLORING = 1.5, 2.0, 0.05
STAYS_ABOVE = 0.7


def is_string(cell: Cell) -> bool:
    """Whether it is a leaf that some string has: bytes that are no UTF-8 are nobody's.

    >>> is_string(Cell("maté".encode(), 0, 0)), is_string(Cell(b"mat\\xc3", 0, 0)), is_string(Cell(b"mat", 0, 97))
    (True, False, False)
    """
    if not cell.is_leaf:
        return False
    try:
        cell.prefix.decode()
    except UnicodeDecodeError:
        return False
    return True


def promote(hot: Cells, tips: Cells, most_hot: int) -> None:
    """A significant whole string becomes hot, if need be in the place of the weakest."""
    for cell in [cell for cell in tips if is_string(cell)]:
        found = tips[cell]
        if found.share <= HOT_LEAST * found.deviation:
            continue
        if len(hot) >= most_hot:
            weakest = min(hot, key=lambda each: hot[each].lower)
            if found.lower <= hot[weakest].lower:
                continue
            del hot[weakest]
        hot[cell] = tips.pop(cell)


def renew(hot: Mapping[Cell, Measured], tips: Mapping[Cell, Measured], k: int, room: int, most_bytes: int) -> Cells:
    """The next cells under search: the parts of significant prefixes, whatever is undecided, and the root again."""
    best = sorted((found.lower for found in hot.values()), reverse=True)
    bar = STAYS_ABOVE * best[k - 1] if len(best) >= k else 0.0
    alive = {
        cell: found
        for cell, found in tips.items()
        if not found.since or (found.share > 0 and found.share + found.deviation >= bar)
    }
    ranked = sorted(alive, key=lambda cell: -alive[cell].share)
    inner = [cell for cell in ranked if not cell.is_leaf and alive[cell].share > SPLIT_LEAST * alive[cell].deviation]
    symbols = room + 1 + 2 * k
    split = inner[: min(symbols // 9, room // 4)]
    held = [cell for cell in ranked if cell not in set(split)][: room // 2]
    seeds = [(alive[cell].share ** 0.5, cell) for cell in split]
    seeds.append((EXPLORING * max(sum(weight for weight, _ in seeds), 1e-9), ROOT))
    following = {cell: alive[cell] for cell in held}
    for cell in expand(seeds, room - len(held), most_bytes):
        if cell not in following and cell not in hot:
            following[cell] = Measured()
    return following
