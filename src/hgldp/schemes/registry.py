"""Every scheme by its name, and the scheme of a task."""

from hgldp.errors import InvalidField
from hgldp.model.task import Task
from hgldp.schemes.base import Scheme
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.dsr import DSR

SCHEMES: dict[str, type[Scheme]] = {scheme.name: scheme for scheme in (BGR, DSR, BDR, CNR)}


def build(task: Task) -> Scheme:
    """The scheme that a task names, with the budget of one report.

    >>> from hgldp.model.budget import Budget
    >>> from hgldp.model.domain import RangeDomain
    >>> build(Task("cnr", Budget(1.0), RangeDomain(100), k=5)).name
    'cnr'
    """
    scheme = SCHEMES.get(task.scheme)
    if scheme is None:
        raise InvalidField("scheme", f"must be one of {', '.join(SCHEMES)}", task.scheme)
    size, epsilon = task.domain.size, task.budget.per_report
    if issubclass(scheme, BDR):
        share = task.budget.judge_share
        return scheme(size, task.cells, epsilon, tight=task.tight, judge_share=share, hot_share=task.hot_share)
    return scheme(size, task.cells, epsilon)
