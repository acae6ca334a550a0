"""The search among strings: what is known of a cell, and which cells become hot, are cut, held or dropped."""

from collections.abc import Mapping
from dataclasses import dataclass

from hgldp.model.bulletins import ROOT, Cell
from hgldp.stores.strings.model import expand

HOT_LEAST, SPLIT_LEAST, EXPLORING = 1.5, 2.0, 0.05
STAYS_ABOVE = 0.7


@dataclass
class Measured:
    """What is known of one cell: its mean share over the reports since it was published, and how sure that is.

    A report's weight may fade. It does not depend on what was measured, so the mean is unbiased. As long as nothing
    fades, `weight` is `since`.

    >>> found = Measured()
    >>> found.add(share=0.5, variance=4.0, reports=100)
    >>> found.share, found.deviation, found.lower, found.since
    (0.5, 0.2, 0.3, 100)
    >>> found.fade(0.5)
    >>> found.share, found.deviation
    (0.5, 0.2)
    """

    total: float = 0.0
    noise: float = 0.0
    weight: float = 0.0
    since: int = 0

    @property
    def share(self) -> float:
        """The mean share; 0 before any report."""
        return self.total / self.weight if self.since else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of that mean; 1 before any report."""
        return self.noise**0.5 / self.weight if self.since else 1.0

    @property
    def lower(self) -> float:
        """The mean less one standard deviation, by which cells are ranked."""
        return self.share - self.deviation

    def fade(self, weight: float) -> None:
        """Let the past count less than what comes."""
        self.total *= weight
        self.noise *= weight * weight
        self.weight *= weight

    def add(self, share: float, variance: float, reports: int) -> None:
        """Take in more reports with this mean share, each of which adds this variance."""
        self.total += reports * share
        self.noise += reports * variance
        self.weight += reports
        self.since += reports


Cells = dict[Cell, Measured]


def is_string(cell: Cell) -> bool:
    """Whether it is a leaf whose bytes are legal UTF-8; no string has other bytes.

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
    """Move significant whole strings to the hot list; if it is full, a stronger one replaces the weakest."""
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
