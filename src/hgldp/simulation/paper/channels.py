"""The four schemes as printed, or as published: how clients draw and how the server reads it."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.kernels.paper_streams import ALWAYS_NAMING, FULL, RAW, SHRINKING, SPLIT, PaperRule
from hgldp.mechanisms.grr import GRR
from hgldp.model.reports import symbol_bytes
from hgldp.model.weights import Epsilon, as_epsilon
from hgldp.schemes.judges import SplitJudge
from hgldp.schemes.reading import Reading
from hgldp.schemes.registry import HOT_LISTS

PaperVariant = Literal["paper", "as-published"]
DECAY_BASE = 1.08


@dataclass(frozen=True)
class PaperChannel:
    """One scheme in one variant. Regime 0 is quiet, regime 1 names items; BGR and CNR know only the second.

    Counts are kept in units of a quiet arrival: a naming arrival weighs gain_quiet/gain_naming, which is 1 except in
    DSR, whose clients answer over the whole domain while a cell is about to be evicted.

    >>> channel = PaperChannel("dsr", "paper", domain_size=1000, cells=20, epsilon=1.0)
    >>> [round(weight, 1) for weight in channel.rule(None).weight]
    [1.0, 44.1]
    """

    name: str
    variant: PaperVariant
    domain_size: int
    cells: int
    epsilon: Epsilon
    judge_share: Fraction = Fraction(1, 3)

    def __post_init__(self) -> None:
        if self.variant not in get_args(PaperVariant):
            raise InvalidField("variant", f"must be one of {', '.join(get_args(PaperVariant))}", self.variant)
        if self.name not in HOT_LISTS:
            raise InvalidField("scheme", f"must be one of {', '.join(HOT_LISTS)}", self.name)
        if not 0 < self.judge_share < 1:
            raise InvalidField("judge_share", "must lie strictly between 0 and 1", self.judge_share)
        HOT_LISTS[self.name](self.domain_size, self.cells, self.epsilon)

    @property
    def as_published(self) -> bool:
        """Whether the authors' code is followed rather than the paper."""
        return self.variant == "as-published"

    @property
    def splits(self) -> bool:
        """Whether clients spend ε in two parts, so that the server needs the hot share."""
        return self.name in ("bdr", "cnr")

    @property
    def mode(self) -> int:
        """How clients draw; BDR as published never sends ⊥."""
        naming = self.name == "cnr" or self.as_published
        return {"bgr": FULL, "dsr": SHRINKING}.get(self.name, ALWAYS_NAMING if naming else SPLIT)

    @cached_property
    def full(self) -> GRR:
        """GRR over the domain."""
        return GRR(self.domain_size, self.epsilon)

    @cached_property
    def reduced(self) -> GRR:
        """GRR over the cells and ⊥."""
        return GRR(self.cells + 1, self.epsilon)

    def split(self, hot_share: Fraction | None) -> SplitJudge:
        """The printed split of ε."""
        epsilon = as_epsilon(self.epsilon)
        judge = epsilon * Fraction(self.judge_share)
        return SplitJudge(self.cells, self.domain_size, judge, epsilon - judge, hot_share)

    @property
    def weights(self) -> NDArray[np.uint64]:
        """What the clients draw from."""
        if not self.splits:
            return np.array([self.full.truth, self.full.total, self.reduced.total], np.uint64)
        split = self.split(None)
        judge = [split.judge_truth, split.judge_truth + split.scale]
        totals = [split.value_total(self.cells), split.value_total(self.domain_size - self.cells)]
        return np.array([*judge, split.value_truth, *totals], np.uint64)

    def readings(self, hot_share: Fraction | None) -> tuple[Reading, Reading]:
        """How the server reads a quiet report and a naming one; without a hot share it is estimated online."""
        if self.splits:
            return (self.split(hot_share).reading,) * 2
        quiet, naming = (self._grr_reading(grr) for grr in (self.reduced, self.full))
        return (quiet if self.name == "dsr" else naming), naming

    def _grr_reading(self, grr: GRR) -> Reading:
        return Reading.even(grr.p, grr.q, self.cells)

    def rule(self, hot_share: Fraction | None) -> PaperRule:
        """What a report does. As published, every report takes its expected noise from every cell at once."""
        quiet, naming = self.readings(hot_share)
        ratio = quiet.gain / naming.gain
        noise = (float(quiet.per_report), float(naming.per_report * ratio)) if self.as_published else (0.0, 0.0)
        light = self.as_published and self.name == "cnr"
        return PaperRule(
            mode=self.mode,
            weight=(1.0, float(ratio)),
            noise=noise,
            light_noise=self._light_noise(hot_share) if light else 0.0,
            light_start=noise[1] if light else 0.0,
            reads_late=self.as_published and self.name == "dsr",
            inverted=self.as_published,
            decay_base=DECAY_BASE,
        )

    def _light_noise(self, hot_share: Fraction | None) -> float:
        """How often a report names one given cold item that is not its own."""
        split, share = self.split(None), hot_share or Fraction(0)
        cold_size = self.domain_size - self.cells
        from_cold = split.p1 * Fraction(split.scale, split.value_total(cold_size))
        return float((1 - share) * from_cold + share * (1 - split.p1) / cold_size)

    def warmup_rule(self) -> PaperRule:
        """HeavyGuardian itself, over raw items."""
        return PaperRule(
            mode=RAW,
            weight=(1.0, 1.0),
            noise=(0.0, 0.0),
            light_noise=0.0,
            light_start=0.0,
            reads_late=False,
            inverted=self.as_published,
            decay_base=DECAY_BASE,
        )

    @property
    def report_bytes(self) -> tuple[int, int]:
        """Bytes of a quiet report and of a naming one."""
        return symbol_bytes(self.cells + 1), symbol_bytes(self.domain_size)

    @property
    def bulletin_bytes(self) -> int:
        """What a client fetches before each report: the hot list, and whether a cell is about to be evicted."""
        return 0 if self.name == "bgr" else self.cells * symbol_bytes(self.domain_size) + (self.name != "cnr")
