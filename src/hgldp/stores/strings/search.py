"""The search among strings: which cells become hot, are cut in two, stay, or give way.

Every cell has a score: how many strings of the size that is sought it is expected to hold. A new cell has the model's
part of its parent's score. What is measured of a cell multiplies its score by how much likelier that is if the cell
holds such a string than if it holds nothing. So evidence is never lost: a cell passes it on to its parts. The cell with
the largest score is cut, and those with the smallest give way, until all scores lie within a factor of each other.
"""

import heapq
from collections.abc import Mapping
from itertools import count
from math import exp, log, log1p, sqrt

from hgldp.model.bulletins import ROOT, Cell
from hgldp.stores.strings.measured import Cells, Measured, is_string
from hgldp.stores.strings.model import Model

STAYS_ABOVE, DETECTABLE = 0.7, 6.0
SIZES, CHANCES = (1.0, 1.5, 2.5, 5.0), (0.4, 0.3, 0.2, 0.1)
HOT_LEAST, HOT_SCORE, FALLEN = 1.5, log(0.5), round(log(0.01), 6)
APART, EXPLORING, MOST_CUTS, ROUNDED = log(50), 0.02, 8, 6
SURE, LEAST_PART = 50.0, 1e-12


def sought(hot: Mapping[Cell, Measured], k: int, variance: float, reports: float) -> float:
    """The least share of a string that is worth looking for.

    It must be a candidate for the top k, and so many reports must be able to show it in a part of the stream.

    >>> round(sought({}, 10, variance=4.0, reports=1_000_000), 4)
    0.012
    """
    best = sorted((found.lower for found in hot.values()), reverse=True)
    bar = STAYS_ABOVE * best[k - 1] if len(best) >= k else 0.0
    return max(bar, DETECTABLE * sqrt(variance / max(reports, 1.0)))


def score(cell: Cell, found: Measured, size: float) -> float:
    """The logarithm of how many strings of this size or more a cell is expected to hold.

    >>> likely, unlikely = (Measured(1_000 * share, 4_000.0, 1_000.0, 1_000, prior=-3.0) for share in (0.2, 0.0))
    >>> round(score(ROOT, likely, 0.1), 1), round(score(ROOT, unlikely, 0.1), 1)
    (0.7, -5.0)
    """
    if not found.since:
        return found.prior
    share, variance = found.share, found.deviation**2
    terms = [
        log(chance) + each * size * (share - each * size / 2) / variance
        for each, chance in zip(SIZES, CHANCES, strict=True)
    ]
    largest = max(terms)
    odds = found.prior + largest + log(sum(exp(term - largest) for term in terms))
    most = 0.0 if cell.is_leaf else log(max(1.0, (share + found.deviation) / size))
    return max(-SURE, most - log1p(exp(-odds)) if odds > -SURE else most + odds)


def promote(hot: Cells, tips: Cells, most_hot: int, size: float) -> None:
    """Move significant whole strings to the hot list; if it is full, a stronger one replaces the weakest.

    One that has nothing left, or that is replaced, is under search again.
    """
    for cell in [cell for cell in tips if is_string(cell)]:
        found = tips[cell]
        if found.share <= HOT_LEAST * found.deviation or score(cell, found, size) < HOT_SCORE:
            continue
        if len(hot) >= most_hot:
            weakest = min(hot, key=lambda each: hot[each].lower)
            if found.lower <= hot[weakest].lower:
                continue
            _fall(hot, tips, weakest)
        hot[cell] = tips.pop(cell)
        hot[cell].prior = 0.0
    for cell in [cell for cell, found in hot.items() if found.share <= 0]:
        _fall(hot, tips, cell)


def _fall(hot: Cells, tips: Cells, cell: Cell) -> None:
    tips[cell] = hot.pop(cell)
    tips[cell].prior = FALLEN


class Balance:
    """Cells by their score: the heaviest is cut, the lightest gives way."""

    def __init__(
        self, scores: Mapping[Cell, float], taken: Mapping[Cell, Measured], model: Model, most_bytes: int
    ) -> None:
        self.scores, self._taken = dict(scores), taken
        self._model, self._most_bytes = model, most_bytes
        self._order = count()
        self._heavy = [(-each, next(self._order), cell) for cell, each in scores.items()]
        self._light = [(each, next(self._order), cell) for cell, each in scores.items()]
        heapq.heapify(self._heavy)
        heapq.heapify(self._light)

    def explore(self, weight: float) -> None:
        """Cut everything anew as well: there may be strings in cells that gave way."""
        heapq.heappush(self._heavy, (-weight, next(self._order), ROOT))

    def cut(self, least: float) -> bool:
        """Cut the heaviest cell, if its score is at least this; False if there is none."""
        while self._heavy:
            weight, _, cell = self._heavy[0]
            current = cell == ROOT or self.scores.get(cell) == -weight
            parts = self._parts(cell) if current else None
            if parts is not None and -weight < least:
                return False
            heapq.heappop(self._heavy)
            if parts is not None:
                self.scores.pop(cell, None)
                for child, part in parts:
                    self._add(child, round(log(max(part, LEAST_PART)) - weight, ROUNDED))
                return True
        return False

    def _parts(self, cell: Cell) -> tuple[tuple[Cell, float], ...] | None:
        return self._model.halves(cell) if len(cell.prefix) < self._most_bytes or cell.low < cell.high else None

    def _add(self, cell: Cell, weight: float) -> None:
        """A state may say that it is sure of everything: no part of a cell is surer than that."""
        weight = min(max(-SURE, weight), SURE)
        if cell not in self.scores and cell not in self._taken:
            self.scores[cell] = weight
            heapq.heappush(self._heavy, (-weight, next(self._order), cell))
            heapq.heappush(self._light, (weight, next(self._order), cell))

    @property
    def lightest(self) -> float:
        """The smallest score."""
        self._forget_what_is_gone()
        return self._light[0][0]

    def _forget_what_is_gone(self) -> None:
        while self.scores.get(self._light[0][2]) != self._light[0][0]:
            heapq.heappop(self._light)

    def drop_down_to(self, room: int) -> None:
        """Let the lightest give way, however sure it is."""
        while len(self.scores) > room:
            self._forget_what_is_gone()
            del self.scores[heapq.heappop(self._light)[2]]


def renew(
    hot: Mapping[Cell, Measured], tips: Mapping[Cell, Measured], size: float, room: int, model: Model, most_bytes: int
) -> Cells:
    """The next cells under search, the most promising first."""
    scores = {cell: round(score(cell, found, size), ROUNDED) for cell, found in tips.items()}
    balance = Balance(scores, hot, model, most_bytes)
    balance.explore(round(log(EXPLORING * max(sum(map(exp, scores.values())), EXPLORING)), ROUNDED))
    while len(balance.scores) < room and balance.cut(-SURE):
        pass
    balance.drop_down_to(room)
    for _ in range(MOST_CUTS * room):
        if not balance.cut(balance.lightest + APART):
            break
        balance.drop_down_to(room)
    following: Cells = {}
    for cell, weight in sorted(balance.scores.items(), key=lambda each: -each[1]):
        known = tips.get(cell)
        following[cell] = known if known is not None and known.since else Measured(prior=weight)
    return following


def expect(tips: Cells, k: int, model: Model) -> None:
    """Give cells the priors that the model alone has for them, if k strings are sought."""
    for cell, found in tips.items():
        found.prior = round(log(k * max(model.part(cell, ROOT), LEAST_PART)), ROUNDED)


def first_cells(k: int, room: int, model: Model, most_bytes: int) -> Cells:
    """The cells of the first bulletin: parts of about the same score, as the model has it.

    >>> from hgldp.stores.strings.model import model_of
    >>> list(first_cells(4, 3, model_of("text"), 64))[0]
    Cell(prefix=b'', low=103, high=255)
    """
    balance = Balance({}, {}, model, most_bytes)
    balance.explore(round(log(k), ROUNDED))
    while len(balance.scores) < room and balance.cut(-SURE):
        pass
    ranked = sorted(balance.scores.items(), key=lambda each: -each[1])[:room]
    return {cell: Measured(prior=weight) for cell, weight in ranked}
