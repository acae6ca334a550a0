"""The likelihood ratio of each symbol as the task has it, where it costs little to know."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from hgldp.audit.pairs import Pair
from hgldp.audit.sampled.bounds import Floats
from hgldp.audit.sampled.run import Expected
from hgldp.errors import OutsideDomain
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import scheme_of

SymbolOf = Callable[[Any], int]


def expected_ratios(task: Task, bulletin: AnyBulletin) -> Expected | None:
    """For `audit`. Cyclic response has many symbols that are alike in threes, which few draws would not show.

    >>> from hgldp.audit.bulletins import made_bulletins
    >>> task = Task("pfr", epsilon=1.0, domain=64, k=5)
    >>> ratios = expected_ratios(task, made_bulletins(task)[0])(Pair("leaf/leaf", ("tea",), ("coffee",)))
    >>> sorted(set(ratios.tolist()))
    [-1.0, 0.0, 1.0]
    """
    scheme = scheme_of(task)
    if isinstance(scheme, PFR):
        shown = scheme.checked(bulletin)
        return partial(_ratio, task, scheme.mechanism_over(shown.cells), shown.symbol)
    if isinstance(scheme, OpenPFR):
        return partial(_ratio, task, scheme.mechanism, scheme.checked(bulletin).symbol)
    if isinstance(scheme, HintedPFR):
        return partial(_ratio, task, scheme.mechanism, partial(scheme.symbol, bulletin=scheme.checked(bulletin)))
    return None


def _ratio(task: Task, mechanism: CyclicResponse, symbol_of: SymbolOf, pair: Pair) -> Floats | None:
    """Of the first symbol, which stands for the first event if the client keeps their order."""
    if len(pair.one) > 1 and not pair.same_events:
        return None
    try:
        one, other = (_supported(mechanism, symbol_of(task.encode(events[0]))) for events in (pair.one, pair.other))
    except OutsideDomain:
        return None
    return one - other


def _supported(mechanism: CyclicResponse, symbol: int) -> Floats:
    """1 for each report that speaks for a symbol."""
    return np.array([mechanism.support(report, symbol) for report in range(mechanism.modulus)], np.float64)
