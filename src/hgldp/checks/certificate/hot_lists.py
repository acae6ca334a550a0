"""The laws of bgr, dsr, bdr and cnr, made of the integers that their clients draw with.

The total of a law is the product of what the client's draws are bounded by, so a weight is the number of equally likely
outcomes of these draws that lead to the symbol.
"""

from math import lcm

from hgldp.checks.certificate.law import Law, Row, Weights, weights
from hgldp.mechanisms.grr import GRR
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.dsr import DSR, LOOKOUT
from hgldp.schemes.judges import SplitJudge, TwoRateJudge

ANY, QUIET, NOMINATING = "hot list", "hot list, quiet", "hot list, nominating"
SLOT, COLD, NAME = "slot", "cold", "name"
HOT_ITEM, COLD_ITEM, ANY_ITEM = "hot", "cold", "any"


def laws_of_bgr(scheme: BGR) -> tuple[Law, ...]:
    """GRR over all items, whatever the bulletin says.

    >>> [law.total for law in laws_of_bgr(BGR(3, 1, 1.0, scale=4))]
    [18]
    """
    full = scheme.full
    row = {NAME: weights((full.truth, 1), (full.scale, full.size - 1))}
    return (Law(ANY, full.total, {ANY_ITEM: row}),)


def laws_of_dsr(scheme: DSR) -> tuple[Law, ...]:
    """GRR over the slots and ⊥; while nominating, a coin first chooses between that and GRR over all items."""
    reduced, full = scheme.reduced, scheme.full
    quiet = _over_slots(scheme.cells, reduced)
    stay, leave = (LOOKOUT.denominator - LOOKOUT.numerator) * full.total, LOOKOUT.numerator * reduced.total
    named = weights((leave * full.truth, 1), (leave * full.scale, full.size - 1))
    items = {kind: _times(stay, row) | {NAME: named} for kind, row in quiet.items.items()}
    return quiet, Law(NOMINATING, LOOKOUT.denominator * reduced.total * full.total, items)


def laws_of_bdr(scheme: BDR) -> tuple[Law, ...]:
    """Tight or split, and with names of cold items only where the bulletin or the scheme asks for them."""
    naming = ANY if scheme.always_nominating else NOMINATING
    if scheme.tight:
        quiet, named = _over_slots(scheme.cells, scheme.quiet), _two_rates(scheme.naming, naming)
    else:
        quiet, named = _split_quiet(scheme.split), _split_naming(scheme.split, naming)
    return (named,) if scheme.always_nominating else (quiet, named)


def _over_slots(cells: int, reduced: GRR) -> Law:
    """A cold item becomes ⊥ first."""
    hot = {SLOT: weights((reduced.truth, 1), (reduced.scale, cells - 1)), COLD: weights((reduced.scale, 1))}
    cold = {SLOT: weights((reduced.scale, cells)), COLD: weights((reduced.truth, 1))}
    return Law(QUIET, reduced.total, {HOT_ITEM: hot, COLD_ITEM: cold})


def _times(factor: int, row: Row) -> dict[str, Weights]:
    return {at: weights(*((factor * weight, times) for weight, times in part)) for at, part in row.items()}


def _two_rates(judge: TwoRateJudge, bulletin: str) -> Law:
    """Draws below `total`, below `scale` and below the number of cold items."""
    cells, others = judge.cells, judge.domain_size - judge.cells
    unit = judge.scale * others
    cold_if_hot = judge.total - judge.own_weight - (cells - 1) * judge.noise_weight
    cold_if_cold = judge.total - cells * judge.noise_weight
    by_chance = cold_if_cold * (judge.scale - judge.keep)
    hot = {
        SLOT: weights((judge.own_weight * unit, 1), (judge.noise_weight * unit, cells - 1)),
        NAME: weights((cold_if_hot * judge.scale, others)),
    }
    cold = {
        SLOT: weights((judge.noise_weight * unit, cells)),
        NAME: weights((cold_if_cold * judge.keep * others + by_chance, 1), (by_chance, others - 1)),
    }
    return Law(bulletin, judge.total * unit, {HOT_ITEM: hot, COLD_ITEM: cold})


def _split_quiet(judge: SplitJudge) -> Law:
    """A draw for the flag; then one over the slots, by weight for a hot item and evenly for a cold one."""
    cells = judge.cells
    unit = lcm(judge.value_total(cells), cells)
    hot = {
        SLOT: _honest_value(judge, cells, unit),
        COLD: weights((judge.scale * unit, 1)),
    }
    cold = {
        SLOT: weights((judge.scale * unit // cells, cells)),
        COLD: weights((judge.judge_truth * unit, 1)),
    }
    return Law(QUIET, (judge.judge_truth + judge.scale) * unit, {HOT_ITEM: hot, COLD_ITEM: cold})


def _split_naming(judge: SplitJudge, bulletin: str) -> Law:
    """As quiet, but the cold side names an item: the honest one by weight, any if the flag is a lie."""
    cells, others = judge.cells, judge.domain_size - judge.cells
    unit = lcm(judge.value_total(cells), judge.value_total(others), cells, others)
    hot = {
        SLOT: _honest_value(judge, cells, unit),
        NAME: weights((judge.scale * unit // others, others)),
    }
    cold = {
        SLOT: weights((judge.scale * unit // cells, cells)),
        NAME: _honest_value(judge, others, unit),
    }
    return Law(bulletin, (judge.judge_truth + judge.scale) * unit, {HOT_ITEM: hot, COLD_ITEM: cold})


def _honest_value(judge: SplitJudge, size: int, unit: int) -> Weights:
    """After an honest flag: the own value by its weight against the `size` − 1 others of its side."""
    share = judge.judge_truth * unit // judge.value_total(size)
    return weights((share * judge.value_truth, 1), (share * judge.scale, size - 1))
