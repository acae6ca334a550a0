"""What a list is worth on one stream, as a line of a table; and the bars."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.people.tables import in_markdown
from benchmarks.strings.contest.tables import in_bytes
from benchmarks.strings.hints.lists import KINDS, Kind

LEAST, ON, AT, MOST_LOST = 0.75, "first names", 2.0, 0.03
WITHOUT: tuple[Kind, ...] = ("no list", "no list, 2,048 symbols")
HEADINGS = ["stream", "ε", *KINDS, *(f"wrong − {kind}" for kind in WITHOUT), "bytes of state"]


@dataclass(frozen=True)
class Run:
    """How well the top came back, and what the server kept."""

    f1: float
    state_bytes: int


@dataclass(frozen=True)
class Row:
    """One stream and ε: the runs of each kind of list by seed."""

    title: str
    epsilon: float
    runs: dict[Kind, list[Run]]

    def values(self, kind: Kind) -> np.ndarray:
        """F1 by seed."""
        return np.array([run.f1 for run in self.runs[kind]], np.float64)

    def lost(self, beside: Kind) -> np.ndarray:
        """What a wrong list costs, seed by seed: the streams are the same."""
        return np.asarray(self.values(beside) - self.values("wrong list"))

    def cells(self) -> list[str]:
        """As a table has them."""
        means = [shown(self.values(kind)) for kind in KINDS]
        states = [max(run.state_bytes for run in self.runs[kind]) for kind in KINDS]
        return [
            self.title,
            f"{self.epsilon:g}",
            *means,
            *(shown(-self.lost(kind), sign=True) for kind in WITHOUT),
            " / ".join(in_bytes(each) for each in states),
        ]


def shown(values: np.ndarray, *, sign: bool = False) -> str:
    """Mean ± standard error.

    >>> shown(np.array([0.5, 0.7])), shown(np.array([0.1]), sign=True)
    ('0.60 ± 0.10', '+0.10')
    """
    mean = f"{values.mean():+.2f}" if sign else f"{values.mean():.2f}"
    return mean if values.size < 2 else f"{mean} ± {values.std(ddof=1) / values.size**0.5:.2f}"


def failures(rows: Sequence[Row]) -> list[str]:
    """The bars that are missed: .75 on first names with a good list, and never more than .03 lost by a wrong one.

    Both are for tasks as they are by default. What a wrong list costs beside as many symbols is shown, and not judged.
    """
    found = []
    for row in rows:
        where = f"{row.title}, ε = {row.epsilon:g}"
        if row.title == ON and row.epsilon == AT and row.values("good list").mean() < LEAST - 1e-9:
            found.append(f"{where}: a good list must give at least {LEAST}")
        if row.lost("no list").mean() > MOST_LOST + 1e-9:
            found.append(f"{where}: a wrong list must cost at most {MOST_LOST}")
    return found


def as_page(rows: Sequence[Row], k: int, seeds: int) -> str:
    """For docs/strings.md."""
    said = f"{seeds} seed{'s' * (seeds != 1)}: mean ± standard error. The bytes are in the order of the columns."
    title = f"F1 of the top {k}, {said}"
    return in_markdown(title, HEADINGS, [row.cells() for row in rows])
