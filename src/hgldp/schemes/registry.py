"""Every scheme by its name, and the scheme of a task."""

from hgldp.errors import InvalidField
from hgldp.model.task import FRONTIER, Task
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.dsr import DSR
from hgldp.schemes.hot_list import Scheme
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR

AnyScheme = Scheme | PFR | OpenPFR
SCHEMES: dict[str, type[Scheme]] = {scheme.name: scheme for scheme in (BGR, DSR, BDR, CNR)}
NAMES: tuple[str, ...] = (*SCHEMES, FRONTIER)


def scheme_of(task: Task) -> AnyScheme:
    """The scheme that a task names, with the budget of one report.

    >>> from hgldp.model.budget import Budget
    >>> from hgldp.model.domain import StringDomain
    >>> scheme_of(Task("pfr", Budget(1.0), StringDomain(), k=5)).report_bytes
    2
    """
    if task.scheme != FRONTIER:
        return build(task)
    epsilon = task.budget.per_report
    return OpenPFR(task.cells, epsilon) if task.is_open else PFR(task.domain_size, task.cells, epsilon)


def build(task: Task) -> Scheme:
    """The hot-list scheme that a task names.

    >>> from hgldp.model.budget import Budget
    >>> from hgldp.model.domain import RangeDomain
    >>> build(Task("cnr", Budget(1.0), RangeDomain(100), k=5)).name
    'cnr'
    """
    scheme = SCHEMES.get(task.scheme)
    if scheme is None:
        raise InvalidField("scheme", f"must be one of {', '.join(NAMES)}", task.scheme)
    size, epsilon = task.domain_size, task.budget.per_report
    if issubclass(scheme, BDR):
        share = task.budget.judge_share
        return scheme(size, task.cells, epsilon, tight=task.tight, judge_share=share, hot_share=task.hot_share)
    return scheme(size, task.cells, epsilon)
