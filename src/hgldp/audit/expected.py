"""The likelihood ratio of each symbol as the task has it, where it costs little to know."""

from functools import partial

import numpy as np

from hgldp.audit.bounds import Floats
from hgldp.audit.pairs import Events, Pair
from hgldp.audit.run import Expected
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
    try:
        one, other = (_supported(task, mechanism, bulletin, events) for events in (pair.one, pair.other))
    except OutsideDomain:
        return None
    return None if one is None or other is None else one - other


def _supported(task: Task, mechanism: CyclicResponse, bulletin: AnyBulletin, events: Events) -> Floats | None:
    """1 for each symbol that speaks for the one event of an input."""
    if len(events) != 1:
        return None
    symbol = bulletin.symbol(task.domain.encode(events[0]))  # type: ignore[attr-defined]
    return np.array([mechanism.support(report, symbol) for report in range(mechanism.modulus)], np.float64)
