"""Every level on one crowd's month, at the same ε per person: how good the answer is, and what it took."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hgldp.simulation.metrics import ndcg, precision
from hgldp.simulation.people.crowd import Crowd, Month
from hgldp.simulation.people.levels import Division, Event, Level, Period, User, Window, send, truths
from hgldp.simulation.run import Plan, run

K, ITEMS, DAYS, MEMORY = 20, 1000, 30, 16_384
EPSILON, OTHER_EPSILONS = 4.0, (1.0, 2.0, 8.0)
FEW, MONTHLY = 5, 60
MONTH, EVEN_SPLIT = "period: month", "period: day"
DIVISIONS: tuple[Division, Division] = ("population", "budget")
WINDOW, USER, SHORT = "window, N = busiest", f"user, N = {MONTHLY}", f"user, N = {FEW}"
EVENT = "event, 10 a day"
DIVIDED = (USER, SHORT, WINDOW)
METRICS = (
    "precision", "ndcg", "precision_people", "ndcg_people", "precision_events", "ndcg_events",
    "reports", "spent_mean", "spent_most", "per_report",
)  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """One crowd of one seed, at some values of ε; `apart` is the share of busy people with a taste of their own."""

    people: int
    seed: int
    epsilons: tuple[float, ...] = (EPSILON,)
    apart: float = 0.0


@dataclass(frozen=True)
class Run:
    """One level on one crowd."""

    people: int
    apart: float
    epsilon: float
    level: str
    weighs: str
    seed: int
    values: dict[str, float]


def levels(epsilon: float, month: Month) -> dict[str, Level]:
    """Every contestant. A window must be as long as the busiest person's month, or that person would spend more."""
    contest: dict[str, Level] = {MONTH: Period(epsilon), EVEN_SPLIT: Period(epsilon, DAYS)}
    for division in DIVISIONS:
        contest[f"{USER}, {division}"] = User(epsilon, MONTHLY, division)
    for division in DIVISIONS:
        contest[f"{SHORT}, {division}"] = User(epsilon, FEW, division)
    for division in DIVISIONS:
        contest[f"{WINDOW}, {division}"] = Window(epsilon, month.most, division)
    contest[EVENT] = Event(epsilon, DAYS)
    return contest


def run_piece(piece: Piece) -> list[Run]:
    """Every level, each judged by what it weighs, by people and by events."""
    month = Crowd(piece.people, DAYS, ITEMS, apart=piece.apart).draw(np.random.default_rng([piece.seed, piece.people]))
    by_people, by_events = truths(month, Period(EPSILON), Window(EPSILON))
    found = []
    for epsilon in piece.epsilons:
        contest = levels(epsilon, month)
        for place, (title, level) in enumerate(contest.items()):
            (own,) = truths(month, level)
            sent = send(level, month, np.random.default_rng([piece.seed, place]))
            plan = Plan("pfr", float(level.per_report), K, memory=MEMORY)
            answer = run(plan, sent.items, ITEMS, 0, piece.seed).estimates
            values = {"reports": float(sent.items.size), "spent_mean": sent.mean_spent}
            values |= {"spent_most": float(sent.most_spent), "per_report": float(level.per_report)}
            for name, truth in (("", own), ("_people", by_people), ("_events", by_events)):
                values[f"precision{name}"] = precision(answer, truth, K)
                values[f"ndcg{name}"] = ndcg(answer, truth, K)
            found.append(Run(piece.people, piece.apart, epsilon, title, level.weighs, piece.seed, values))
    return found


def pieces(people: int, repeats: int, epsilons: tuple[float, ...], apart: float = 0.0) -> Iterator[Piece]:
    """Seed by seed."""
    return (Piece(people, seed, epsilons, apart) for seed in range(1, repeats + 1))
