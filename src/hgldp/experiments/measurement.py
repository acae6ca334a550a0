"""One measurement: everything that its result depends on, and nothing else."""

import json
import re
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import isfinite

from hgldp.errors import InvalidField
from hgldp.experiments.code_version import code_version
from hgldp.model.validate import check_whole
from hgldp.schemes import registry
from hgldp.simulation.run import HEAVY_GUARDIAN, SCHEMES

Setting = str | int | float
Settings = tuple[tuple[str, Setting], ...]
HOT_LISTS = tuple(registry.HOT_LISTS)  # the paper's schemes, in its order
ORACLES = ("grr", "hr", "olh")
ONE_PERCENT = "1%"
COLD = "0"
OURS = "default"
PUBLISHED = "as-published"
AUTHORS_CODE: Settings = (("variant", PUBLISHED), ("cells", 20))  # as many cells as answers, as printed
WARMUP = "warmup"
NO_BUDGET = 0.0
WITHOUT_BUDGET = (WARMUP, HEAVY_GUARDIAN)
KNOWN = (*SCHEMES, WARMUP)
_START = re.compile(r"0|\d+(\.\d+)?%|(uniform|skewed|true) [1-9]\d*")


@dataclass(frozen=True)
class Measurement:
    """A scheme on a stream under a seed. `warmup` and `heavyguardian` spend no budget: their ε is `NO_BUDGET`.

    `settings` are fields of `Plan`, sorted by name; what is not there is the scheme's own choice.

    >>> one = Measurement("retail", "bdr", epsilon=2.0, seed=1, settings=(("variant", "as-published"), ("cells", 20)))
    >>> one.get("cells"), one.get("variant"), one.get("judge_share"), one.get("k")
    (20, 'as-published', None, 20)
    """

    stream: str
    scheme: str
    epsilon: float
    seed: int
    k: int = 20
    warmup: str = ONE_PERCENT
    settings: Settings = ()

    def __post_init__(self) -> None:
        if self.scheme not in KNOWN:
            raise InvalidField("scheme", f"must be one of {', '.join(KNOWN)}", self.scheme)
        if not isfinite(self.epsilon) or (self.epsilon > 0) == (self.scheme in WITHOUT_BUDGET):
            raise InvalidField("epsilon", f"must be above 0, and 0 for {', '.join(WITHOUT_BUDGET)}", self.epsilon)
        check_whole("seed", self.seed, 0)
        check_whole("k", self.k, 1)
        if _START.fullmatch(self.warmup) is None:
            rule = "must be 0, a percentage, or uniform, skewed or true with a number of items"
            raise InvalidField("warmup", rule, self.warmup)
        names = [name for name, _ in self.settings]
        if len(set(names)) < len(names):
            raise InvalidField("settings", "must name each field once", ", ".join(names))
        object.__setattr__(self, "settings", tuple(sorted((name, value) for name, value in self.settings)))

    @property
    def key(self) -> str:
        """The name of the result: the same settings, seed and code give the same one."""
        text = json.dumps([asdict(self), code_version()], sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()

    def get(self, name: str) -> Setting | None:
        """A field or a setting; None for a setting left to the scheme, but `default` for the variant."""
        if name in self.__dataclass_fields__ and name != "settings":
            value: Setting = getattr(self, name)
            return value
        return dict(self.settings).get(name, OURS if name == "variant" else None)
