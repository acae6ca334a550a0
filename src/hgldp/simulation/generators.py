"""Synthetic streams, described by a short text: `normal:n=100000,d=1000,sigma=5`.

A stream of n items over the domain 0 … d − 1 is drawn in blocks into one int32 array, so that hundreds of millions
of items need little more than their own four bytes each.
"""

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.model.domain import MAX_SIZE
from hgldp.simulation.drift import DRIFTS, MAX_DRIFT_SIZE, fill_drifting, zipf_weights

BLOCK = 1 << 18
MAX_LENGTH = 1 << 33
MAX_ZIPF_SIZE = 1 << 27
SHAPES: dict[str, str | None] = {
    "normal": "sigma",
    "exponential": "scale",
    "zipf": "s",
    "uniform": None,
    "fading": "sigma",
    **{kind: drift.parameter for kind, drift in DRIFTS.items()},
}
EXAMPLES = (
    "normal:n=100000,d=1000,sigma=5",
    "exponential:n=100000,d=1000,scale=10",
    "zipf:n=8000000,d=41270,s=1.1",
    "uniform:n=100000,d=1000",
    "fading:n=100000,d=1000,sigma=5",
    *(f"{kind}:n={drift.n},d={drift.d},{drift.parameter}={drift.shape:g}" for kind, drift in DRIFTS.items()),
)

Items = NDArray[np.int32]


@dataclass(frozen=True)
class Synthetic:
    """A distribution over 0 … d − 1 and how many items to draw from it.

    `normal`: the nearest integer to N(d/2, sigma). `exponential`: the integer part of Exp(mean = scale). Both redraw
    what falls outside. `zipf`: the r-th most likely item has probability ∝ r^−s; which item that is, is shuffled.
    `fading`: normal in the first half and uniform in the second. `turnover`, `seasons`, `bursts`, `sudden` and `births`
    change along the stream, each in its own way (`hgldp.simulation.drift`).

    >>> Synthetic("normal", n=8, d=1000, shape=5.0).draw(np.random.default_rng(1))
    array([502, 504, 502, 493, 505, 502, 497, 503], dtype=int32)
    """

    kind: str
    n: int
    d: int
    shape: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in SHAPES:
            raise InvalidField("generator", f"must be one of {', '.join(SHAPES)}", self.kind)
        drift = DRIFTS.get(self.kind)
        largest = MAX_DRIFT_SIZE if drift else MAX_ZIPF_SIZE if self.kind == "zipf" else MAX_SIZE
        if not 1 <= self.n <= MAX_LENGTH:
            raise InvalidField("n", f"must be a whole number in 1 … {MAX_LENGTH}", self.n)
        if not 2 <= self.d <= largest:
            raise InvalidField("d", f"must be a whole number in 2 … {largest}", self.d)
        if self.kind in {"normal", "exponential", "fading"} and not 0 < self.shape <= 10 * self.d:
            raise InvalidField(str(SHAPES[self.kind]), "must be above 0 and at most 10·d", self.shape)
        if self.kind == "zipf" and not 0 <= self.shape <= 100:
            raise InvalidField("s", "must lie in 0 … 100", self.shape)
        if drift and not drift.least <= self.shape <= drift.most:
            raise InvalidField(drift.parameter, f"must lie in {drift.least:g} … {drift.most:g}", self.shape)

    def draw(self, rng: np.random.Generator) -> Items:
        """A fresh stream."""
        stream = np.empty(self.n, dtype=np.int32)
        if self.kind in DRIFTS:
            fill_drifting(stream, DRIFTS[self.kind].law(self.d, self.shape, rng), rng, BLOCK)
            return stream
        table = self._zipf_table() if self.kind == "zipf" else None
        names = rng.permutation(np.arange(self.d, dtype=np.int32)) if table is not None else None
        for start in range(0, self.n, BLOCK):
            block = stream[start : start + BLOCK]
            if table is not None and names is not None:
                block[:] = names[np.minimum(table.searchsorted(rng.random(block.size), side="right"), self.d - 1)]
            elif self.kind == "uniform":
                block[:] = rng.integers(self.d, size=block.size, dtype=np.int32)
            else:
                self._fill(block, rng)
        if self.kind == "fading":
            stream[self.n // 2 :] = rng.integers(self.d, size=self.n - self.n // 2, dtype=np.int32)
        return stream

    def _fill(self, block: Items, rng: np.random.Generator) -> None:
        """Draw, keep what lies inside, draw again for the rest."""
        filled = 0
        while filled < block.size:
            wanted = block.size - filled
            if self.kind in {"normal", "fading"}:
                values = np.rint(rng.normal(self.d / 2, self.shape, wanted))
            else:
                values = np.floor(rng.exponential(self.shape, wanted))
            values = values[(values >= 0) & (values < self.d)]
            block[filled : filled + values.size] = values
            filled += values.size

    def _zipf_table(self) -> NDArray[np.float64]:
        table = zipf_weights(self.d, self.shape)
        np.cumsum(table, out=table)
        table /= table[-1]
        return table


def is_generator(text: str) -> bool:
    """Whether a text names a generator, rather than a file.

    >>> is_generator("zipf:n=10,d=5,s=1"), is_generator("retail.dat.gz"), is_generator("uniform")
    (True, False, False)
    """
    kind, colon, _ = text.partition(":")
    return bool(colon) and kind in SHAPES


def parse_generator(text: str) -> Synthetic:
    """The generator that a text describes: `kind:n=…,d=…` and the one parameter of the kind.

    Only the kinds that drift have defaults, for whatever is left out.

    >>> parse_generator("exponential:n=1e5,d=1000,scale=10")
    Synthetic(kind='exponential', n=100000, d=1000, shape=10.0)
    >>> parse_generator("seasons:d=1000")
    Synthetic(kind='seasons', n=500000, d=1000, shape=1.1)
    >>> parse_generator("normal:n=10,d=5,width=3")
    Traceback (most recent call last):
    hgldp.errors.InvalidField: normal takes n, d and sigma, got width=3
    """
    kind, _, rest = text.partition(":")
    if kind not in SHAPES:
        raise InvalidField("generator", f"must be one of {', '.join(SHAPES)}", kind)
    shape = SHAPES[kind]
    known = ["n", "d"] + ([shape] if shape else [])
    numbers: dict[str, float] = {}
    for part in rest.split(",") if rest else []:
        name, _, value = part.partition("=")
        if name not in known:
            raise InvalidField(kind, f"takes {', '.join(known[:-1])} and {known[-1]}", part or "nothing between commas")
        if name in numbers:
            raise InvalidField(name, "must be given once", part)
        numbers[name] = _number(name, value)
    drift = DRIFTS.get(kind)
    if drift:
        numbers = {"n": drift.n, "d": drift.d, drift.parameter: drift.shape} | numbers
    for name in known:
        if name not in numbers:
            raise InvalidField(name, f"must be given for {kind}", text)
    for name in ("n", "d"):
        if not float(numbers[name]).is_integer():
            raise InvalidField(name, "must be a whole number", numbers[name])
    return Synthetic(kind, int(numbers["n"]), int(numbers["d"]), numbers[shape] if shape else 0.0)


def _number(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise InvalidField(name, "must be a finite number", value or "nothing")
    return number
