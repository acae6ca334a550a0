"""One LDP library through its contest: clients, then the server, over as many reports as fit into its time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.field.contest import Answer, Contest, Showing
from benchmarks.field.entrants.base import Private
from benchmarks.field.timing import bincount_rate, rounds, spent

REHEARSAL = 200
SHARE_OF_TIME = 0.8


@dataclass(frozen=True)
class Round:
    """One whole pass."""

    client_seconds: float
    server_seconds: float
    answer: Answer
    state_bytes: int

    @property
    def seconds(self) -> float:
        """Clients and server together."""
        return self.client_seconds + self.server_seconds


def one_round(oracle: Private, items: list[int], k: int) -> Round:
    """Every client reports, then the server takes in all reports and answers."""
    reports: list[object] = []
    client = spent(lambda: reports.extend(map(oracle.privatise, items)))
    answer: Answer = []

    def serve() -> None:
        oracle.aggregate(reports)
        answer.extend(oracle.top(k))

    server = spent(serve)
    return Round(client, server, answer, oracle.state_bytes())


def affordable(make: type[Private], contest: Contest, items: list[int]) -> int:
    """How many reports one round may have: all, or what two rehearsals say will fit. The first one compiles."""
    few, more = items[:REHEARSAL], items[: 4 * REHEARSAL]
    for _ in range(2):
        short = one_round(make(contest), few, contest.k).seconds
    if short > contest.seconds or len(more) == len(few):
        return len(few)
    pace = max((one_round(make(contest), more, contest.k).seconds - short) / (len(more) - len(few)), 1e-9)
    return max(len(few), min(len(items), len(few) + int((SHARE_OF_TIME * contest.seconds - short) / pace)))


def run_private(make: type[Private], contest: Contest, items: NDArray[np.int64], version: str) -> Showing:
    """Everything that is measured of one LDP library."""
    whole = items.tolist()
    n = affordable(make, contest, whole)
    passes = [one_round(make(contest), whole[:n], contest.k) for _ in rounds(contest.seconds)]
    quickest = min(passes, key=lambda one: one.seconds)
    return Showing(
        n=n,
        rounds=len(passes),
        bincount_rate=bincount_rate(items, contest.domain_size),
        batch_rate=None,
        single_rate=n / quickest.seconds,
        client_rate=n / quickest.client_seconds,
        server_rate=n / quickest.server_seconds,
        answers=tuple(one.answer for one in passes),
        state_bytes=tuple(one.state_bytes for one in passes),
        measured=make.measured,
        upload_bytes=make(contest).upload_bytes,
        version=version,
    )
