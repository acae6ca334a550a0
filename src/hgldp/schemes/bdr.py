"""BDR: first hot or cold, then which; a cold item is named only while a newcomer is wanted (algorithms 5 to 9)."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

from hgldp.errors import InvalidField
from hgldp.mechanisms.grr import GRR
from hgldp.model.bulletins import AnyBulletin, Bulletin
from hgldp.model.randomness import Words
from hgldp.model.rules import HotListRules
from hgldp.model.task import Task
from hgldp.model.weights import as_epsilon
from hgldp.schemes.base import Row
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.judges import SplitJudge, TwoRateJudge
from hgldp.schemes.reading import Reading

NOMINATING_SHARE = Fraction(3, 10)


@dataclass(frozen=True)
class BDR(HotListScheme):
    """`tight` spends exactly ε: GRR over the cells and ⊥, and a two-rate judge while nominating.

    Otherwise the printed split: `judge_share` of ε for hot-or-cold, the rest for the item, with the hot share
    estimated online, or set by hand.

    Privacy: tight: exactly W/S ≤ e^ε; printed split: ε1 + ε2 = ε, in truth less (see `hgldp check`).
    Report bytes: 1 up to 255 cells; while nominating, the bytes of a cell or an item.
    Memory: cells and light cells, whatever the domain and the stream.
    Error: tight as DSR; at M = 20, ε = 1 the printed split 1:2 has nearly four times the variance.

    >>> tight = BDR(domain_size=1000, cells=20, epsilon=1.0)
    >>> printed = BDR(domain_size=1000, cells=20, epsilon=1.0, tight=False)
    >>> quiet = Bulletin(bytes(32), 0, 1000, tuple(range(20)))
    >>> round(tight.reading(quiet).variance, 2), round(printed.reading(quiet).variance, 1)
    (7.36, 28.6)
    """

    name: ClassVar[str] = "bdr"
    tight: bool = field(default=True, kw_only=True)
    judge_share: Fraction = field(default=Fraction(1, 3), kw_only=True)
    hot_share: Fraction | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.judge_share < 1:
            raise InvalidField("judge_share", "must lie strictly between 0 and 1", self.judge_share)
        if self.hot_share is not None and (self.tight or not 0 <= self.hot_share <= 1):
            raise InvalidField("hot_share", "must lie in [0, 1], and only where the judge is not tight", self.hot_share)
        _ = (self.quiet, self.naming) if self.tight else self.split

    @classmethod
    def of(cls, task: Task) -> Self:
        """With the options that only the judge has."""
        size, epsilon, rules = task.domain_size, task.budget.per_report, task.rules_as(HotListRules)
        tight, judge_share, hot_share = rules.tight, rules.judge_share, rules.hot_share
        return cls(size, rules.cells, epsilon, tight=tight, judge_share=judge_share, hot_share=hot_share)

    @cached_property
    def quiet(self) -> GRR:
        """Tight, not nominating: the judge at R = W, which is GRR over the slots and ⊥."""
        return GRR(self.cells + 1, self.epsilon, scale=self.scale)

    @cached_property
    def naming(self) -> TwoRateJudge:
        """Tight, nominating."""
        return TwoRateJudge(self.cells, self.domain_size, self.epsilon, NOMINATING_SHARE, self.scale)

    @cached_property
    def split(self) -> SplitJudge:
        """The printed split."""
        epsilon = as_epsilon(self.epsilon)
        judge = epsilon * Fraction(self.judge_share)
        return SplitJudge(self.cells, self.domain_size, judge, epsilon - judge, self.hot_share, self.scale)

    def channel(self, bulletin: Bulletin) -> list[Row]:
        """One of three, by the option and the bulletin."""
        self.check_bulletin(bulletin)
        items = range(self.domain_size)
        if not self.tight:
            return [self.split.row(item, bulletin, self.names_cold(bulletin)) for item in items]
        if self.names_cold(bulletin):
            return [self.naming.row(item, bulletin) for item in items]
        rows, slots = self.quiet.channel(), [bulletin.slot(item) for item in items]
        return [dict(rows[self.cold if slot is None else slot]) for slot in slots]

    def randomize(self, item: int, bulletin: AnyBulletin, words: Words) -> int:
        """One symbol, spending ε once."""
        slot, shown = self.checked_slot(item, bulletin)
        if not self.tight:
            return self.split.randomize(item, shown, words, self.names_cold(shown))
        if self.names_cold(shown):
            return self.naming.randomize(item, shown, words)
        return self.quiet.randomize(self.cold if slot is None else slot, words)

    def reading(self, bulletin: Bulletin) -> Reading:
        """Tight regimes differ; the printed split reads the same whether or not cold items are named."""
        if not self.tight:
            return self.split.reading
        if self.names_cold(bulletin):
            return self.naming.reading
        p, q = self.quiet.p, self.quiet.q
        return Reading.even(p, q, self.cells)
