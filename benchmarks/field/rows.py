"""From what an entrant handed back to a row of the table: scored here, by one judge for all."""

from dataclasses import asdict, dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from benchmarks.field.contest import Answer, Contest, Showing
from benchmarks.field.entrants.registry import Entrant
from benchmarks.field.launch import Failure
from hgldp.experiments.experiment import mean_scores
from hgldp.model.estimate import Estimate
from hgldp.simulation.metrics import Scores, sample_answer, score

Items = NDArray[np.int32]


@dataclass(frozen=True)
class Quality:
    """How good an answer was, and the bytes it took. `aae` is None where the library gives no counts."""

    precision: float
    ndcg: float
    aae: float | None
    state_bytes: int | None
    budget: int | None = None

    @property
    def over_budget(self) -> bool:
        """Whether it took more bytes than it was given."""
        return self.budget is not None and self.state_bytes is not None and self.state_bytes > self.budget


@dataclass(frozen=True)
class Row:
    """One entrant in one contest: a measurement, or the reason why there is none."""

    contest: str
    library: str
    title: str
    ours: bool
    remark: str
    showing: Showing | None
    quality: tuple[Quality, ...]
    error: str = ""

    @property
    def rate(self) -> float | None:
        """Items or reports a second at its best."""
        if self.showing is None:
            return None
        return self.showing.batch_rate or self.showing.single_rate

    @property
    def times_bincount(self) -> float | None:
        """How many times as long as NumPy's exact count it takes, at its best."""
        return None if self.showing is None or self.rate is None else self.showing.bincount_rate / self.rate

    def to_dict(self) -> dict[str, object]:
        """For JSON: without the answers themselves."""
        fields = asdict(self)
        if self.showing is not None:
            del fields["showing"]["answers"]
        return fields | {"times_bincount": self.times_bincount}


def judge(entrant: Entrant, contest: Contest, items: Items, result: Showing | Failure, refused: dict[str, str]) -> Row:
    """Score what came back; a library that was not installed is shown with the installer's error."""
    known = (contest.name, entrant.library, entrant.title, entrant.home == "ours", entrant.remark)
    if isinstance(result, Failure):
        why = refused.get(entrant.library)
        return Row(*known, None, (), f"not installed: {why}" if why else result.error)
    truth = np.bincount(items[: result.n], minlength=contest.domain_size)
    try:
        scores = [_score(answer, truth, contest.k) for answer in result.answers]
    except IndexError:
        return Row(*known, None, (), "answered with an item outside the domain")
    counted = not any(isnan(count) for answer in result.answers for _, count in answer)
    if contest.kind == "private":
        return Row(*known, result, (_quality(mean_scores(scores), max(result.state_bytes, key=_size), counted),))
    pairs = zip(scores, result.state_bytes, contest.budgets, strict=True)
    return Row(*known, result, tuple(_quality(one, size, counted, budget) for one, size, budget in pairs))


def raw_sample(contest: Contest, items: Items, size: int) -> Scores:
    """What the raw start of the hot lists says by itself."""
    sample = np.bincount(items[:size], minlength=contest.domain_size)
    answer = sample_answer(sample, contest.k, items.size)
    return score(answer, np.bincount(items, minlength=contest.domain_size), contest.k)


def _score(answer: Answer, truth: NDArray[np.int64], k: int) -> Scores:
    if any(not 0 <= item < truth.size for item, _ in answer):
        raise IndexError
    return score([Estimate(item, 0.0 if isnan(count) else count, 0.0) for item, count in answer], truth, k)


def _quality(scores: Scores, size: int | None, counted: bool, budget: int | None = None) -> Quality:
    return Quality(scores.precision, scores.ndcg, scores.aae if counted else None, size, budget)


def _size(size: int | None) -> int:
    return -1 if size is None else size
