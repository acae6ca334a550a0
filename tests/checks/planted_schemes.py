"""Schemes with one mistake each, for the contract checks to refuse."""

from dataclasses import fields, replace
from fractions import Fraction
from functools import cached_property

from hgldp.mechanisms.grr import GRR
from hgldp.model.bulletins import Bulletin
from hgldp.model.randomness import Words
from hgldp.schemes.bdr import BDR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.dsr import DSR
from hgldp.schemes.hot_list import Row
from hgldp.schemes.judges import TwoRateJudge
from hgldp.schemes.reading import Reading


class ColdAsItself(DSR):
    """The paper's algorithm 2 as printed: a cold item is kept with the chance p, and names itself."""

    def channel(self, bulletin: Bulletin) -> list[Row]:
        rows, p = super().channel(bulletin), self.reduced.p
        lie = (1 - p) / (self.cells + 1)
        for item, row in enumerate(rows):
            if bulletin.slot(item) is None and not bulletin.nominating:
                rows[item] = dict.fromkeys(row, lie) | {self.named(item): p}
        return rows

    def randomize(self, item: int, bulletin: Bulletin, words: Words) -> int:
        if bulletin.slot(item) is not None or bulletin.nominating:
            return super().randomize(item, bulletin, words)
        if words.below(self.reduced.total) < self.reduced.truth:
            return self.named(item)
        return words.below(self.cells + 1)


class OwnBucket(DSR):
    """Two buckets, and a report that never leaves the bucket of its item: the bucket is the secret."""

    def _reach(self, item: int, bulletin: Bulletin) -> list[int]:
        return [slot for slot, hot in enumerate(bulletin.hot) if hot % 2 == item % 2] + [self.cold]

    def _choice(self, item: int, bulletin: Bulletin) -> tuple[list[int], GRR | None, int]:
        reach, slot = self._reach(item, bulletin), bulletin.slot(item)
        own = reach.index(self.cold if slot is None else slot)
        return reach, GRR(len(reach), self.epsilon, scale=self.scale) if len(reach) > 1 else None, own

    def channel(self, bulletin: Bulletin) -> list[Row]:
        rows: list[Row] = []
        for item in range(self.domain_size):
            reach, inside, own = self._choice(item, bulletin)
            chances = inside.channel()[own] if inside else {0: Fraction(1)}
            rows.append({reach[place]: chance for place, chance in chances.items()})
        return rows

    def randomize(self, item: int, bulletin: Bulletin, words: Words) -> int:
        reach, inside, own = self._choice(item, bulletin)
        return reach[inside.randomize(own, words) if inside else 0]


class OnlyNoiseDivided(Reading):
    """The paper's algorithm 9 as printed: C − noise·n/gain."""

    @property
    def gain(self) -> Fraction:
        return Fraction(1)

    @property
    def per_hot(self) -> Fraction:
        return super().per_hot / (self.own - self.other)

    @property
    def per_report(self) -> Fraction:
        return super().per_report / (self.own - self.other)


class PrintedResponse(BDR):
    def reading(self, bulletin: Bulletin) -> Reading:
        right = super().reading(bulletin)
        return OnlyNoiseDivided(**{item.name: getattr(right, item.name) for item in fields(right)})


class EverybodyHot(BDR):
    """Forgets γ: reads cold events as if they made the noise of hot ones."""

    def reading(self, bulletin: Bulletin) -> Reading:
        right = super().reading(bulletin)
        return replace(right, cold=right.other)


class KeepsTooOften(TwoRateJudge):
    @property
    def keep(self) -> int:
        return super().keep + super().keep // 1000


class Indiscreet(CNR):
    """One cold event in a thousand too many names itself."""

    @cached_property
    def naming(self) -> TwoRateJudge:
        honest = super().naming
        return KeepsTooOften(*(getattr(honest, item.name) for item in fields(honest)))


class KeepsOneMore(TwoRateJudge):
    """Draws with `keep` + 1 and promises `keep`."""

    def row(self, item: int, bulletin: Bulletin) -> Row:
        return TwoRateJudge(*(getattr(self, part.name) for part in fields(self))).row(item, bulletin)

    @property
    def keep(self) -> int:
        return super().keep + 1


class LooseTongue(CNR):
    """Its clients name a cold item with a chance 2^−32 above the promised one."""

    @cached_property
    def naming(self) -> TwoRateJudge:
        honest = super().naming
        return KeepsOneMore(*(getattr(honest, item.name) for item in fields(honest)))
