"""How much to measure: the whole reproduction, or a quick look at it."""

from dataclasses import dataclass, replace

from hgldp.errors import InvalidField
from hgldp.experiments.measuring.streams import Library
from hgldp.model.validate import check_whole

SHAPES = {"normal": "sigma=5", "exponential": "scale=10"}
DOMAINS = (500, 1000, 2000)
PREFERRED = (("retail",), ("kosarak", "kosarak-first100k"))
WEBDOCS = "webdocs"
TIMESTAMPED = "online-retail"


@dataclass(frozen=True)
class Scale:
    """Repeats, the length of synthetic streams, the budgets, and which data sets are there."""

    name: str
    repeats: int
    items: int
    epsilons: tuple[float, ...]
    few_epsilons: tuple[float, ...]
    webdocs: str
    webdocs_epsilons: tuple[float, ...]
    webdocs_repeats: int
    data: tuple[str, ...] = ()
    timestamped: str = ""

    def __post_init__(self) -> None:
        check_whole("repeats", self.repeats, 1)
        check_whole("items", self.items, 1000)
        if not self.epsilons or min(self.epsilons) <= 0:
            raise InvalidField("epsilons", "must be above 0, and at least one", self.epsilons)

    @property
    def seeds(self) -> range:
        """As many as repeats, from 1."""
        return range(1, self.repeats + 1)

    @property
    def webdocs_seeds(self) -> range:
        """Fewer for the largest stream."""
        return range(1, min(self.repeats, self.webdocs_repeats) + 1)

    def synthetic(self, kind: str, domain: int) -> str:
        """The paper's normal or exponential stream over a domain."""
        return f"{kind}:n={self.items},d={domain},{SHAPES[kind]}"

    @property
    def synthetics(self) -> tuple[str, ...]:
        """All six of them."""
        return tuple(self.synthetic(kind, domain) for kind in SHAPES for domain in DOMAINS)

    def with_data(self, library: Library) -> "Scale":
        """The same scale with the data sets that are in a folder; of each, the first copy that is there."""
        has = [next((name for name in names if library.path(name)), None) for names in PREFERRED]
        webdocs = WEBDOCS if library.path(WEBDOCS) else self.webdocs
        timestamped = TIMESTAMPED if library.path(TIMESTAMPED) else ""
        data = tuple(name for name in has if name is not None)
        return replace(self, data=data, webdocs=webdocs, timestamped=timestamped)

    @property
    def missing(self) -> tuple[str, ...]:
        """The paper's data sets that are missing, or replaced by a part or a stand-in."""
        whole = [names[0] for names in PREFERRED if names[0] not in self.data]
        return tuple(whole) + ((WEBDOCS,) if self.webdocs != WEBDOCS else ())


FULL = Scale(
    "full",
    repeats=20,
    items=100_000,
    epsilons=(0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0),
    few_epsilons=(0.5, 1.0, 2.0, 4.0),
    webdocs="zipf:n=300000000,d=5260000,s=1.1",
    webdocs_epsilons=(0.5, 1.0, 2.0, 4.0),
    webdocs_repeats=1,
)
QUICK = Scale(
    "quick",
    repeats=3,
    items=30_000,
    epsilons=(0.5, 1.0, 2.0, 3.0, 4.0, 5.0),
    few_epsilons=(0.5, 2.0, 4.0),
    webdocs="zipf:n=1000000,d=50000,s=1.1",
    webdocs_epsilons=(1.0, 4.0),
    webdocs_repeats=1,
)
