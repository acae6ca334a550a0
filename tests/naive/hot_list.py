"""The slow obvious twin of the hot list's kernels: plain lists and floats."""

import math
from dataclasses import dataclass, field

from hgldp.model.randomness import Words


@dataclass
class NaiveCell:
    item: int
    prior: int = 0
    score: float = 0.0
    noise: float = 0.0
    spread: float = 0.0
    seen: int = 0
    carried: float = 0.0


@dataclass
class NaiveHotList:
    cells: list[NaiveCell]
    light_cells: int
    k: int
    decay_base: float
    words: Words
    warmup: int = 0
    always_nominating: bool = False
    light: list[list[int]] = field(default_factory=list)
    weakest: int = 0
    nominating: bool = False

    def __post_init__(self) -> None:
        self.light = [[-1, 0] for _ in range(self.light_cells)]
        self.hits = [0] * len(self.cells)
        self.reports_in_epoch = 0
        self.nominating = self.always_nominating

    def settle(self) -> None:
        votes = [cell[1] for cell in self.light]
        self.weakest = votes.index(min(votes))

    def insert(self, symbol: int) -> None:
        self.reports_in_epoch += 1
        if symbol < len(self.cells):
            self.hits[symbol] += 1
        elif symbol > len(self.cells) and self.light:
            self.nominate(symbol - len(self.cells) - 1)

    def nominate(self, name: int) -> None:
        least = self.light[self.weakest]
        for place, cell in enumerate(self.light):
            if cell[0] == name and cell[1] > 0:
                cell[1] += 1
                if place == self.weakest:
                    self.settle()
                return
        if least[1] == 0:
            least[:] = [name, 1]
            self.settle()
        else:
            self.meet_full_light(name, least)

    def meet_full_light(self, name: int, least: list[int]) -> None:
        if self.words.word() < int(2**64 * self.decay_base ** -least[1]):
            least[1] -= 1
            if least[1] == 0:
                least[:] = [name, 1]

    def absorb(self, reading: tuple[float, ...]) -> None:
        per_hot, per_report, gain, hot_if_hot, hot_if_cold, own, other, cold = reading
        n, hot = self.reports_in_epoch, sum(self.hits)
        hot_events = (hot - n * hot_if_cold) / (hot_if_hot - hot_if_cold) if per_hot else 0.0
        for cell, hit in zip(self.cells, self.hits, strict=True):
            events = (hit - per_hot * hot - per_report * n) / gain
            cell.score += events
            cell.noise += hot_events * other + (n - hot_events) * cold
            cell.spread += events * (own - other)
            cell.seen += n
        self.hits, self.reports_in_epoch = [0] * len(self.cells), 0

    def standing(self, cell: NaiveCell) -> tuple[float, float]:
        precision = weighted = 0.0
        if cell.prior:
            share = cell.prior / self.warmup
            certainty = 1 / ((cell.prior + 1) / self.warmup**2 + (0.2 * share) ** 2)
            precision, weighted = precision + certainty, weighted + certainty * share
        if cell.seen:
            certainty = cell.seen**2 / max(cell.noise + max(cell.spread, 0.0), 1e-9)
            precision, weighted = precision + certainty, weighted + certainty * cell.score / cell.seen
        return (weighted / precision, 1 / math.sqrt(precision)) if precision else (0.0, math.inf)

    def renew(self) -> None:
        standings = [self.standing(cell) for cell in self.cells]
        bar = sorted((m - 1.5 * s for m, s in standings), reverse=True)[self.k - 1]
        prior_bar = sorted((m - 3 * s for m, s in standings), reverse=True)[self.k - 1]
        condemned = []
        for place, (cell, (m, s)) in enumerate(zip(self.cells, standings, strict=True)):
            if cell.prior:
                if m + 3 * s < prior_bar:
                    condemned.append((-1.0, place))
            elif cell.seen and m - 1.5 * s < bar:
                guard = max(0.0, (m + s - bar) / s)
                if self.words.word() / 2**64 < self.decay_base**-guard:
                    condemned.append((guard, place))
        self.nominating = self.always_nominating
        for _, place in sorted(condemned):
            newcomer, _ = self.take_best()
            if newcomer is None:
                self.nominating = True
                break
            self.cells[place] = NaiveCell(newcomer)

    def take_best(self) -> tuple[int | None, int]:
        best, votes = None, 0
        while best is None and self.light and max(cell[1] for cell in self.light) > 0:
            king = max(self.light, key=lambda cell: cell[1])
            if king[0] not in [cell.item for cell in self.cells]:
                best, votes = king
            king[:] = [-1, 0]
        if self.light:
            self.settle()
        return best, votes
