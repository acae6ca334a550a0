"""An immutable description of what is asked. Its id is the hash of its canonical bytes."""

import json
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from hashlib import sha256

from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.domain import Domain, RangeDomain, Vocabulary
from hgldp.model.whole import check_whole


def default_cells(k: int, domain_size: int) -> int:
    """Twice k, as far as the domain goes: one item must stay cold.

    >>> default_cells(20, 1000), default_cells(20, 30)
    (40, 29)
    """
    return max(k, min(2 * k, domain_size - 1))


@dataclass(frozen=True)
class Task:
    """Scheme, budget, domain, k, cells and the epoch rule; what clients and the server must agree on.

    `cells` is how many items are tracked (twice k by default), `light_cells` how many nominees wait, `epoch` how many
    reports the first epoch takes; later ones are at least `growth` of all reports so far. `hot_share` is only for the
    printed split (`tight=False`): None estimates it online, which is unbiased.

    >>> task = Task("dsr", Budget(2.0), RangeDomain(1000), k=10)
    >>> task.cells, task.light_cells, task.id.hex()[:8]
    (20, 10, 'fc944344')
    """

    scheme: str
    budget: Budget
    domain: Domain
    k: int
    cells: int = None  # type: ignore[assignment]
    light_cells: int = None  # type: ignore[assignment]
    epoch: int = 250
    growth: float = 0.0025
    decay_base: float = 1.08
    tight: bool = True
    hot_share: Fraction | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.budget, Budget):
            raise InvalidField("budget", "must be a Budget", type(self.budget).__name__)
        _canonical_domain(self.domain)
        check_whole("k", self.k, 1)
        if self.cells is None:
            object.__setattr__(self, "cells", default_cells(self.k, self.domain.size))
        check_whole("cells", self.cells, 1)
        if self.cells < self.k:
            raise InvalidField("cells", f"must be at least k = {self.k}", self.cells)
        if self.cells >= self.domain.size:
            raise InvalidField("cells", f"must be fewer than the {self.domain.size} items of the domain", self.cells)
        if self.light_cells is None:
            object.__setattr__(self, "light_cells", max(8, self.cells - self.k))
        check_whole("light_cells", self.light_cells, 0, (1 << 16) - 1)
        check_whole("epoch", self.epoch, 1, (1 << 32) - 1)
        if not 0 <= self.growth < 1:
            raise InvalidField("growth", "must lie in [0, 1)", self.growth)
        if not 1 < self.decay_base <= 4:
            raise InvalidField("decay_base", "must lie in (1, 4]", self.decay_base)
        if self.hot_share is not None and (self.tight or not 0 <= self.hot_share <= 1):
            raise InvalidField("hot_share", "must lie in [0, 1], and only where the judge is not tight", self.hot_share)

    @cached_property
    def canonical(self) -> bytes:
        """The bytes that the id is the hash of: sorted JSON, with every number as an exact fraction."""
        budget = self.budget
        fields = {
            "scheme": self.scheme,
            "epsilon": str(Fraction(budget.epsilon)),
            "level": budget.level,
            "events": budget.events,
            "judge_share": str(Fraction(budget.judge_share)),
            "domain": _canonical_domain(self.domain),
            "k": self.k,
            "cells": self.cells,
            "light_cells": self.light_cells,
            "epoch": self.epoch,
            "growth": str(Fraction(self.growth)),
            "decay_base": str(Fraction(self.decay_base)),
            "tight": self.tight,
            "hot_share": None if self.hot_share is None else str(self.hot_share),
        }
        return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()

    @cached_property
    def id(self) -> bytes:
        """SHA-256 of the canonical bytes."""
        return sha256(b"hgldp task 1" + self.canonical).digest()


def _canonical_domain(domain: Domain) -> list[object]:
    if isinstance(domain, RangeDomain):
        return ["range", domain.start, domain.size]
    if isinstance(domain, Vocabulary):
        return ["vocabulary", list(domain.words)]
    raise InvalidField("domain", "must be a range or a vocabulary", type(domain).__name__)
