"""What a study is made of: measurements, figures, tables, claims and findings about one topic."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from matplotlib.figure import Figure

from hgldp.errors import InvalidField
from hgldp.experiments.judging.claim import Claim, Finding
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale

ABSENT = "–"


class Topic(StrEnum):
    """What a study is about, in the order of the report."""

    ORDER = "Which scheme is more accurate"
    BASELINES = "Beside mechanisms that count every item"
    REAL = "On real streams"
    SPLIT = "How a budget is divided, and γ_h"
    START = "What the warm-up is worth"
    BOUNDS = "The theorems' bounds"
    MEMORY = "Memory"
    COSTS = "Bytes sent and time"
    DEFAULTS = "Our defaults"
    FRONTIER = "Beyond the paper: PFR"


@dataclass(frozen=True)
class Sweep:
    """Measurements that belong together, written to one CSV. Claims and tables read only `judged` sweeps."""

    name: str
    title: str
    measurements: Callable[[Scale], list[Measurement]]
    judged: bool = True


@dataclass(frozen=True)
class Picture:
    """A figure of the report. `draw` gets the results of its sweeps and nothing else."""

    name: str
    title: str
    caption: str
    sweeps: tuple[str, ...]
    draw: Callable[[Results], Figure]


@dataclass(frozen=True)
class Grid:
    """Headings, and rows of the same length; the first column names the row.

    >>> print(Grid(("scheme", "bytes"), (("dsr", "12"),)).markdown)
    | scheme | bytes |
    |---|---:|
    | dsr | 12 |
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if any(len(row) != len(self.headings) for row in self.rows):
            raise InvalidField("rows", f"must have {len(self.headings)} cells each", [len(row) for row in self.rows])

    @property
    def markdown(self) -> str:
        """As Markdown, with numbers aligned to the right."""
        ruler = "|---|" + "---:|" * (len(self.headings) - 1)
        lines = (self.headings, *self.rows)
        shown = ["| " + " | ".join(line) + " |" for line in lines]
        return "\n".join([shown[0], ruler, *shown[1:]])


@dataclass(frozen=True)
class Table:
    """A table of the report. `make` gets all results, and puts a dash where nothing was measured."""

    name: str
    title: str
    note: str
    make: Callable[[Results], Grid]


@dataclass(frozen=True)
class Study:
    """Everything about one topic. `for_claims` lists what its claims need measured beyond its sweeps."""

    name: str
    topic: Topic
    sweeps: tuple[Sweep, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    claims: tuple[Claim, ...] = ()
    findings: tuple[Finding, ...] = ()
    for_claims: Callable[[Scale], list[Measurement]] = lambda _: []
