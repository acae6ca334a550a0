"""`hgldp.simulate`: one call that runs a scheme over items you hold, and says how good its answer is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, did_you_mean
from hgldp.model.estimate import Answer, half_life_in_words, raw_items
from hgldp.model.validate import check_whole
from hgldp.simulation.metrics import Scores, score
from hgldp.simulation.outcome import Outcome
from hgldp.simulation.run import Plan, run
from hgldp.simulation.truth import true_counts
from hgldp.tracker.family import plain

LONGEST_SHOWN = 40


@dataclass(frozen=True)
class Simulation:
    """What a scheme found in a stream, beside the truth. It prints as a few lines and a table, in a notebook too."""

    scheme: str
    epsilon: float
    k: int
    top: Answer
    true_counts: dict[object, float] = field(repr=False)
    scores: Scores
    outcome: Outcome = field(repr=False)
    donated: int = 0

    def _summary(self) -> str:
        found, state = 100 * self.scores.precision, self.outcome.state_bytes
        start = f"after {raw_items(self.donated)}" if self.donated else "with no raw items"
        return (
            f"{self.scheme}, ε = {self.epsilon:g}: {found:.0f} % of the true top {self.k} found in "
            f"{self.outcome.reports:,} reports {start}, counts off by {self.scores.aae:,.0f} on average; "
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
    With a half-life, the truth fades as the estimates do.

    >>> result = simulate(list("abacabadabacabae") * 500, "pfr", epsilon=4.0, k=2)
    >>> [item for item, _ in result.top], result.scores.precision
    (['a', 'b'], 1.0)
    """
    labels, items = numbered(stream)
    if not isinstance(scheme, str):
        raise InvalidField("scheme", "must be the name of one scheme, for example 'pfr'", type(scheme).__name__)
    is_share = isinstance(warmup, float) and 0 <= warmup < 1
    if not is_share and type(warmup) is not int:
        rule = "must be a share of the stream below 1, such as 0.01, or a whole number of first items"
        raise InvalidField("warmup", rule, repr(warmup)[:LONGEST_SHOWN])
    raw = round(warmup * items.size) if is_share else check_whole("warmup", int(warmup), 0, items.size - 1)
    check_whole("k", k, 1, len(labels))
    known = tuple(each.name for each in fields(Plan) if each.name not in ("scheme", "epsilon", "k"))
    for name in settings:
        if name not in known:
            raise InvalidField("setting", f"must be one of {', '.join(known)}", name, did_you_mean(name, known))
    outcome = run(Plan(scheme.strip().lower(), epsilon, k, **settings), items, len(labels), raw, seed)
    half_life = settings.get("half_life") or 0
    truth = true_counts(items, len(labels), half_life, raw)
    top = Answer((labels[line.item], line) for line in outcome.estimates)
    top.note = half_life_in_words(half_life)
    counts = {label: truth[number].item() for number, label in enumerate(labels)}
    return Simulation(
        scheme.lower(),
        epsilon,
        k,
        top,
        counts,
        score(outcome.estimates, truth, k),
        outcome,
        items.size - outcome.reports,
    )


def numbered(stream: Iterable[object]) -> tuple[Sequence[Any], NDArray[np.int32]]:
    """The different items of a stream in order, and the stream as numbers among them."""
    if isinstance(stream, str | bytes | Mapping) or hasattr(stream, "columns"):
        rule = "must be a list, an array or a column of items; for a file use the command hgldp simulate FILE"
        raise InvalidField("stream", rule, type(stream).__name__)
    items: list[Any] = plain(stream, "stream")
    if not items:
        raise InvalidField("stream", "must hold at least one item", "none")
    try:
        different = set(items)
        labels = sorted(different)
    except TypeError:
        kinds = ", ".join(sorted({type(item).__name__ for item in items}))
        raise InvalidField("stream", "must hold items of one kind, numbers or texts, and none missing", kinds) from None
    if any(label != label for label in labels):  # noqa: PLR0124 - what is not a number is not itself
        raise InvalidField("stream", "must have no missing items", "NaN")
    if len(labels) < 2:
        raise InvalidField("stream", "must hold at least two different items", "one")
    place = {label: number for number, label in enumerate(labels)}
    return labels, np.fromiter((place[item] for item in items), np.int32, len(items))
