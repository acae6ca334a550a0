"""The likelihood ratio of each symbol as the task has it, where it costs little to know."""

from functools import partial

import numpy as np

from hgldp.audit.pairs import Item, Pair
from hgldp.audit.sampled.bounds import Floats
from hgldp.audit.sampled.run import Expected
from hgldp.errors import OutsideDomain
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import scheme_of


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
        return partial(_ratio, task, scheme.mechanism_over(shown.cells), shown)
    if isinstance(scheme, OpenPFR):
        return partial(_ratio, task, scheme.mechanism, scheme.checked(bulletin))
    return None


def _ratio(task: Task, mechanism: CyclicResponse, bulletin: AnyBulletin, pair: Pair) -> Floats | None:
    """Of the first symbol, which stands for the first event if the client keeps their order."""
    if len(pair.one) > 1 and not pair.same_events:
        return None
    try:
        one, other = (_supported(task, mechanism, bulletin, events[0]) for events in (pair.one, pair.other))
    except OutsideDomain:
        return None
    return one - other


def _supported(task: Task, mechanism: CyclicResponse, bulletin: AnyBulletin, item: Item) -> Floats:
    """1 for each symbol that speaks for an item."""
    symbol = bulletin.symbol(task.encode(item))  # type: ignore[attr-defined]
    return np.array([mechanism.support(report, symbol) for report in range(mechanism.modulus)], np.float64)
