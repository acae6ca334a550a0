"""A task as canonical bytes: sorted JSON without spaces, every number exact, nothing that the scheme does not have."""

import json
from fractions import Fraction
from typing import TYPE_CHECKING

from hgldp.model.domain import Domain, RangeDomain, StringDomain, Vocabulary

if TYPE_CHECKING:
    from hgldp.model.task import Task

BOTH = ("k", "cells", "epoch")
HOT_LIST = ("light_cells", "tight")
FRONTIER = ("memory", "half_life")
OPTIONAL = ("epoch_seconds", "daily_reports")


def write_task(task: "Task") -> bytes:
    """The canonical bytes. What is 0 among the optional rules is left out."""
    budget, names = task.budget, [*BOTH, *(name for name in OPTIONAL if getattr(task, name))]
    fields: dict[str, object] = {
        "scheme": task.scheme,
        "epsilon": str(Fraction(budget.epsilon)),
        "level": budget.level,
        "events": budget.events,
        "domain": _domain_fields(task.domain),
    }
    if task.scheme == "pfr":
        names += FRONTIER
    else:
        names += HOT_LIST
        fields |= {
            "judge_share": str(Fraction(budget.judge_share)),
            "growth": str(Fraction(task.growth)),
            "decay_base": str(Fraction(task.decay_base)),
            "hot_share": None if task.hot_share is None else str(task.hot_share),
        }
    fields |= {name: getattr(task, name) for name in names}
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def _domain_fields(domain: Domain | StringDomain) -> list[object]:
    if isinstance(domain, StringDomain):
        return ["strings", domain.most_bytes]
    if isinstance(domain, RangeDomain):
        return ["range", domain.start, domain.size]
    return ["vocabulary", *([list(domain.words)] if isinstance(domain, Vocabulary) else [])]
