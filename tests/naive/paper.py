"""The slow obvious twin of the paper's schemes: a bulletin for every report, the clients' own draws, plain lists."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hgldp.mechanisms.grr import GRR
from hgldp.model.bulletins import Bulletin
from hgldp.model.randomness import WORD_MASK, SeededWords, derive_seed
from hgldp.schemes.judges import SplitJudge

GOLDEN = 0x9E3779B97F4A7C15
BASE = 1.08


@dataclass
class Cell:
    item: int
    raw: float = 0.0
    prior: int = 0


@dataclass
class PaperTwin:
    """One scheme, one variant. `bugs` plants a mistake, to see that it is noticed."""

    name: str
    variant: str
    domain_size: int
    epsilon: float
    cells: int
    light_cells: int = 5
    buckets: int = 1
    judge_share: Fraction = Fraction(1, 3)
    hot_share: float | None = None
    bugs: frozenset[str] = frozenset()
    lost: float = 0.0
    lost_to_light: float = 0.0
    named: int = 0
    quiet_reports: int = 0
    naming_reports: int = 0
    hot: list[Cell] = field(default_factory=list)
    light: list[list[list[Any]]] = field(default_factory=list)

    def run(self, stream: list[int], warmup: int, seed: int) -> None:
        self.words, clients = SeededWords(derive_seed(seed, 1)), SeededWords(derive_seed(seed, 0))
        self._fill()
        self.weight, self.noise, self.light_noise = 1.0, 0.0, 0.0
        for item in stream[:warmup]:
            self._insert(item, with_light=False)
        for cell in self.hot:
            cell.prior = int(cell.raw)
        self._channel(sum(cell.prior for cell in self.hot), warmup)
        for cell in self.hot:
            cell.raw *= float(self.gain)
        for item in stream[warmup:]:
            self._report(item, clients)

    @property
    def published(self) -> bool:
        return self.variant == "as-published"

    def bucket(self, item: int) -> int:
        return ((item * GOLDEN & WORD_MASK) * self.buckets) >> 64

    def _fill(self) -> None:
        width = self.cells // self.buckets
        chosen: list[list[int]] = [[] for _ in range(self.buckets)]
        while sum(map(len, chosen)) < self.cells:
            item = self.words.below(self.domain_size)
            if item not in chosen[self.bucket(item)] and len(chosen[self.bucket(item)]) < width:
                chosen[self.bucket(item)].append(item)
        self.hot = [Cell(item) for home in chosen for item in home]
        self.light = [[] for _ in range(self.buckets)]

    def _channel(self, held: int, warmup: int) -> None:
        epsilon = Fraction(self.epsilon)
        self.full, self.reduced = GRR(self.domain_size, self.epsilon), GRR(self.cells + 1, self.epsilon)
        judge = epsilon * self.judge_share
        self.split = SplitJudge(self.cells, self.domain_size, judge, epsilon - judge)
        cold = self.domain_size - self.cells
        value, scale = self.split.value_truth, self.split.scale
        p1, q1 = self.split.p1, 1 - self.split.p1
        total, cold_total = self.split.value_total(self.cells), self.split.value_total(cold)
        p2, q2 = Fraction(value, total), Fraction(scale, total)
        share = Fraction(0)
        if self.name in ("bdr", "cnr"):
            share = Fraction(held, warmup) if self.hot_share is None else Fraction(self.hot_share)
        self.ratio = Fraction(1)
        if self.name == "bgr":
            self.gain, self.quiet_noise = self.full.p - self.full.q, self.full.q
        elif self.name == "dsr":
            self.gain, self.quiet_noise = self.reduced.p - self.reduced.q, self.reduced.q
            self.ratio = self.gain / (self.full.p - self.full.q)
        else:
            self.gain, self.quiet_noise = p1 * (p2 - q2), share * p1 * q2 + (1 - share) * q1 / self.cells
        self.naming_noise = self.full.q * self.ratio if self.name == "dsr" else self.quiet_noise
        if self.published and self.name == "cnr":
            self.light_noise = float((1 - share) * p1 * Fraction(scale, cold_total) + share * q1 / cold)

    def _report(self, item: int, clients: SeededWords) -> None:
        evicting = min(cell.raw for cell in self.hot) - self.lost <= 1
        naming = self.name in ("bgr", "cnr") or evicting or (self.name == "bdr" and self.published)
        bulletin = Bulletin(bytes(32), 0, self.domain_size, tuple(cell.item for cell in self.hot), naming)
        slot = bulletin.slot(item)
        if self.name == "bgr" or (self.name == "dsr" and evicting):
            said: int | None = self.full.randomize(item, clients)
        else:
            if self.name == "dsr":
                symbol = self.reduced.randomize(self.cells if slot is None else slot, clients)
            else:
                symbol = self.split.randomize(item, bulletin, clients, naming)
            said = None if symbol == self.cells else symbol - self.cells - 1
            if symbol < self.cells:
                said = bulletin.hot[symbol]
        self.quiet_reports += not naming
        self.naming_reports += naming
        self.weight = float(self.ratio) if naming else 1.0
        noise = self.naming_noise if naming else self.quiet_noise
        self.noise = float(noise) if self.published else 0.0
        self._insert(said, with_light=self.name == "cnr")

    def _insert(self, said: int | None, with_light: bool) -> None:
        before = self.lost
        self.lost += self.noise
        for cell in self.hot:
            if cell.item == said:
                cell.raw += self.weight
                return
        mine = [cell for cell in self.hot if said is None or self.bucket(cell.item) == self.bucket(said)]
        weakest = min(mine, key=lambda cell: cell.raw)
        read = before if self.published and self.name == "dsr" and self.noise else self.lost
        standing = weakest.raw - read
        loss = standing > 0 and self._wears(standing)
        if with_light:
            assert said is not None
            start = self._nominate(said)
            self.lost += self.light_noise
            self.lost_to_light += self.light_noise
        if standing - loss > 0 or said is None:
            weakest.raw = weakest.raw - loss + (self.lost - read)
            return
        newcomer = said
        if with_light:
            king = max(self.light[self.bucket(said)], key=lambda line: line[1])
            newcomer, king[0], king[1] = king[0], weakest.item, start
        weakest.item, weakest.prior = newcomer, 0
        weakest.raw = self.lost + 1 if "alive" in self.bugs else self.weight + self.lost_to_light

    def _wears(self, standing: float) -> bool:
        below = self.words.word() * 2.0**-64 < BASE**-standing
        return below != (self.published ^ ("inverted" in self.bugs))

    def _nominate(self, name: int) -> float:
        lines = self.light[self.bucket(name)]
        self.named += 1
        start = 1.0 - self.named * (float(self.quiet_noise) if self.published else 0.0)
        for line in lines:
            if line[0] == name:
                line[1] += 1
                return start
        if len(lines) < self.light_cells // self.buckets:
            lines.append([name, start])
            return start
        poorest = min(lines, key=lambda line: line[1])
        if poorest[1] > 0 and self._wears(poorest[1]):
            poorest[1] -= 1
        if poorest[1] <= 0:
            poorest[:] = [name, start]
        return start

    def answer(self) -> list[tuple[int, float, int]]:
        """Item, count and warm-up count of every cell, ranked; a negative count is published as 0."""
        noise = self.lost
        if not self.published:
            noise = float(self.quiet_noise * self.quiet_reports + self.naming_noise * self.naming_reports)
        lines = [(cell.item, (cell.raw - noise) / float(self.gain), cell.prior) for cell in self.hot]
        lines.sort(key=lambda line: -line[1])
        return [(item, max(count, 0.0) if self.published else count, prior) for item, count, prior in lines]


def literal_bgr(stream: list[int], domain_size: int, epsilon: float, cells: int, seed: int) -> dict[int, Fraction]:
    """BGR as published, no warm-up, the noise really taken from every cell at every report, in exact numbers."""
    words, clients, grr = (
        SeededWords(derive_seed(seed, 1)),
        SeededWords(derive_seed(seed, 0)),
        GRR(domain_size, epsilon),
    )
    values: dict[int, Fraction] = {}
    while len(values) < cells:
        values[words.below(domain_size)] = Fraction(0)
    for reports, item in enumerate(stream, start=1):
        said = grr.randomize(item, clients)
        values = {held: value - grr.q for held, value in values.items()}
        if said in values:
            values[said] += 1
            continue
        weakest = min(values, key=lambda held: values[held])
        if values[weakest] > 0 and words.word() * 2.0**-64 >= BASE ** -float(values[weakest]):
            values[weakest] -= 1
        if values[weakest] <= 0:
            slots = [said if held == weakest else held for held in values]
            values = dict(zip(slots, values.values(), strict=True)) | {said: 1 - reports * grr.q}
    return values
