"""An immutable description of what is asked. Its id is the hash of its canonical bytes."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from hashlib import sha256

from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.domain import Domain, RangeDomain, StringDomain, Vocabulary
from hgldp.model.task_bytes import write_task
from hgldp.model.validate import check_whole

FRONTIER = "pfr"
LISTED_CELLS, STRING_CELLS, MOST_FRONTIER_CELLS = 256, 512, 4096
LISTED_CELLS_PER_K, STRING_CELLS_PER_K = 3, 8
LEAST_MEMORY, BYTES_PER_CELL = 16_384, 64
HOT_LIST_EPOCH = 250
_LARGEST = (1 << 32) - 1


def default_cells(k: int, domain_size: int) -> int:
    """Of a hot list: twice k, as far as the domain goes, since one item must stay cold.

    >>> default_cells(20, 1000), default_cells(20, 30)
    (40, 29)
    """
    return max(k, min(2 * k, domain_size - 1))


def default_memory(cells: int) -> int:
    """Bytes of a frontier: 64 a cell, and never less than 16 kB, which a small frontier gains more from than it costs.

    >>> default_memory(128), default_memory(512)
    (16384, 32768)
    """
    return max(LEAST_MEMORY, BYTES_PER_CELL * cells)


@dataclass(frozen=True)
class Task:
    """Scheme, budget, domain, k, cells and the epoch rule; what clients and the server must agree on.

    Hot lists (bgr dsr bdr cnr): `cells` is how many items are tracked (twice k by default), `light_cells` how many
    nominees wait, `epoch` how many reports the first epoch takes; later ones are at least `growth` of all reports so
    far. `hot_share` is only for the printed split (`tight=False`): None estimates it online, which is unbiased.

    pfr: `cells` is how many symbols the frontier has (256; 512 for strings), `memory` how many bytes of state the
    server keeps (64 a cell, at least 16 kB), `half_life` after how many reports the past counts half (0: never),
    `epoch` how long the first epoch is (0: as long as ε asks for).

    `epoch_seconds` ends an epoch by the clock too, and `daily_reports` is what one client may send in a day; 0 is no
    such rule.

    >>> task = Task("dsr", Budget(2.0), RangeDomain(1000), k=10)
    >>> task.cells, task.light_cells, task.id.hex()[:8]
    (20, 10, 'fc944344')
    >>> Task("pfr", Budget(2.0), StringDomain(), k=10).cells
    512
    """

    scheme: str
    budget: Budget
    domain: Domain | StringDomain
    k: int
    cells: int = None  # type: ignore[assignment]
    light_cells: int = None  # type: ignore[assignment]
    epoch: int = None  # type: ignore[assignment]
    growth: float = 0.0025
    decay_base: float = 1.08
    tight: bool = True
    hot_share: Fraction | None = field(default=None, kw_only=True)
    memory: int = field(default=None, kw_only=True)  # type: ignore[assignment]
    half_life: int = field(default=0, kw_only=True)
    epoch_seconds: int = field(default=0, kw_only=True)
    daily_reports: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.budget, Budget):
            raise InvalidField("budget", "must be a Budget", type(self.budget).__name__)
        if not isinstance(self.domain, RangeDomain | Vocabulary | StringDomain):
            raise InvalidField("domain", "must be a range, a vocabulary or strings", type(self.domain).__name__)
        check_whole("k", self.k, 1)
        check_whole("epoch_seconds", self.epoch_seconds, 0, _LARGEST)
        check_whole("daily_reports", self.daily_reports, 0, _LARGEST)
        if self.scheme == FRONTIER:
            self._settle_frontier()
        else:
            self._settle_hot_list()

    def _default(self, name: str, value: int) -> None:
        if getattr(self, name) is None:
            object.__setattr__(self, name, value)

    def _settle_frontier(self) -> None:
        cells, per_k = (STRING_CELLS, STRING_CELLS_PER_K) if self.is_open else (LISTED_CELLS, LISTED_CELLS_PER_K)
        self._default("cells", max(cells, per_k * self.k))
        check_whole("cells", self.cells, 1, MOST_FRONTIER_CELLS)
        if self.cells < per_k * self.k:
            raise InvalidField("cells", f"must be at least {per_k} times k = {self.k}", self.cells)
        self._default("memory", default_memory(self.cells))
        check_whole("memory", self.memory, 1, _LARGEST)
        check_whole("half_life", self.half_life, 0, (1 << 63) - 1)
        self._default("epoch", 0)
        check_whole("epoch", self.epoch, 0, _LARGEST)
        self._default("light_cells", 0)
        others = (self.light_cells, self.growth, self.decay_base, self.tight, self.hot_share)
        if others != (0, 0.0025, 1.08, True, None):
            raise InvalidField(
                "light_cells, growth, decay_base, tight and hot_share", "must be left to hot lists", FRONTIER
            )

    def _settle_hot_list(self) -> None:
        self._default("cells", default_cells(self.k, self.domain_size))
        check_whole("cells", self.cells, 1)
        if self.cells < self.k:
            raise InvalidField("cells", f"must be at least k = {self.k}", self.cells)
        if self.cells >= self.domain_size:
            raise InvalidField("cells", f"must be fewer than the {self.domain_size} items of the domain", self.cells)
        self._default("light_cells", max(8, self.cells - self.k))
        check_whole("light_cells", self.light_cells, 0, (1 << 16) - 1)
        self._default("epoch", HOT_LIST_EPOCH)
        check_whole("epoch", self.epoch, 1, _LARGEST)
        if not 0 <= self.growth < 1:
            raise InvalidField("growth", "must lie in [0, 1)", self.growth)
        if not 1 < self.decay_base <= 4:
            raise InvalidField("decay_base", "must lie in (1, 4]", self.decay_base)
        if self.hot_share is not None and (self.tight or not 0 <= self.hot_share <= 1):
            raise InvalidField("hot_share", "must lie in [0, 1], and only where the judge is not tight", self.hot_share)
        self._default("memory", 0)
        if (self.memory, self.half_life) != (0, 0):
            raise InvalidField("memory and half_life", f"must be left to {FRONTIER}", self.scheme)

    @property
    def is_open(self) -> bool:
        """Whether nobody lists the items."""
        return isinstance(self.domain, StringDomain)

    @property
    def domain_size(self) -> int:
        """How many items there are; strings that nobody listed have no number."""
        if isinstance(self.domain, StringDomain):
            raise InvalidField(
                "domain", f"must be listed for {self.scheme}; only {FRONTIER} serves open strings", "strings"
            )
        return self.domain.size

    @cached_property
    def canonical(self) -> bytes:
        """The bytes that the id is the hash of: sorted JSON, with every number as an exact fraction."""
        return write_task(self)

    @cached_property
    def id(self) -> bytes:
        """SHA-256 of the canonical bytes."""
        return sha256(b"hgldp task 1" + self.canonical).digest()
