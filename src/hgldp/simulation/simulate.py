"""`hgldp.simulate`: one call that runs a scheme over items you hold, and says how good its answer is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.model.estimate import Answer
from hgldp.model.validate import check_whole
from hgldp.simulation.metrics import Scores, score
from hgldp.simulation.outcome import Outcome
from hgldp.simulation.run import Plan, run
from hgldp.tracker.family import plain


@dataclass(frozen=True)
class Simulation:
    """What a scheme found in a stream, beside the truth. It prints as a few lines and a table, in a notebook too."""

    scheme: str
    epsilon: float
    k: int
    top: Answer
    true_counts: dict[object, int] = field(repr=False)
    scores: Scores
    outcome: Outcome = field(repr=False)

    def _summary(self) -> str:
        found, state = self.scores.precision, self.outcome.state_bytes
        return (
            f"{self.scheme}, ε = {self.epsilon:g}: {found:.0%} of the true top {self.k} found in "
            f"{self.outcome.reports:,} reports, counts off by {self.scores.aae:,.0f} on average; "
            f"the server keeps {state:,} bytes"
        )

    def __repr__(self) -> str:
        return f"{self._summary()}\n{self.top!r}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self._summary())}</p>{self.top._repr_html_()}"


def simulate(
    stream: Iterable[object],
    scheme: str = "pfr",
    *,
    epsilon: float = 1.0,
    k: int = 10,
    warmup: float = 0,
    seed: int = 1,
    **settings: Any,
) -> Simulation:
    """Let clients and a server run a scheme over a stream of items, numbers or texts, and compare with the truth.

    The domain is what occurs in the stream. `warmup` is a share (below 1) or a number of first items that are donated
    raw; 0 starts cold. `settings` are those of `Plan`: `cells`, `memory`, `half_life`, `level`, `events` and so on.

    >>> result = simulate("abacabadabacabae" * 500, "pfr", epsilon=4.0, k=2)
    >>> [item for item, _ in result.top], result.scores.precision
    (['a', 'b'], 1.0)
    """
    labels, items = numbered(stream)
    raw = round(warmup * items.size) if 0 <= warmup < 1 else check_whole("warmup", int(warmup), 0, items.size - 1)
    check_whole("k", k, 1, len(labels))
    outcome = run(Plan(scheme.strip().lower(), epsilon, k, **settings), items, len(labels), raw, seed)
    truth = np.bincount(items, minlength=len(labels))
    top = Answer((labels[line.item], line) for line in outcome.estimates)
    counts = {label: int(truth[number]) for number, label in enumerate(labels)}
    return Simulation(scheme.lower(), epsilon, k, top, counts, score(outcome.estimates, truth, k), outcome)


def numbered(stream: Iterable[object]) -> tuple[Sequence[Any], NDArray[np.int32]]:
    """The different items of a stream in order, and the stream as numbers among them."""
    items: list[Any] = plain(stream)
    if not items:
        raise InvalidField("stream", "must hold at least one item", "none")
    try:
        labels = sorted(set(items))
    except TypeError:
        raise InvalidField("stream", "must hold items of one kind, numbers or texts", "several kinds") from None
    if len(labels) < 2:
        raise InvalidField("stream", "must hold at least two different items", "one")
    place = {label: number for number, label in enumerate(labels)}
    return labels, np.fromiter((place[item] for item in items), np.int32, len(items))
