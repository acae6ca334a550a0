"""Every level on one crowd's month, at the same ε per person: how good the answer is, and what it took."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.people.choices import (
    Choice,
    FirstOfEachDay,
    OfEachWindow,
    OfTheFirst,
    OneADay,
    OneAMonth,
    send,
    truths,
)
from benchmarks.people.crowd import Crowd, Month
from hgldp.model.budget import Budget, Division
from hgldp.model.weights import as_epsilon
from hgldp.simulation.metrics import ndcg, precision
from hgldp.simulation.run import Plan, run

K, ITEMS, DAYS, MEMORY = 20, 1000, 30, 16_384
EPSILON, OTHER_EPSILONS = 4.0, (1.0, 2.0, 8.0)
FEW, MONTHLY = 5, 60
MONTH, EVEN_SPLIT = "period: month", "period: day"
DIVISIONS: tuple[Division, Division] = ("population", "budget")
WINDOW, USER, SHORT = "window, N = busiest", f"user, N = {MONTHLY}", f"user, N = {FEW}"
DAILY = 10
EVENT = f"event, {DAILY} a day"
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


def contestants(epsilon: float, month: Month) -> dict[str, Choice]:
    """Every level. A window must be as long as the busiest person's month, or that person would spend more than ε."""
    whole = as_epsilon(epsilon)
    contest: dict[str, Choice] = {
        MONTH: OneAMonth(Budget(whole, "period", period="month")),
        EVEN_SPLIT: OneADay(Budget(whole / DAYS, "period", period="day")),
    }
    for division in DIVISIONS:
        contest[f"{USER}, {division}"] = OfTheFirst(Budget(whole, "user", MONTHLY, division=division))
    for division in DIVISIONS:
        contest[f"{SHORT}, {division}"] = OfTheFirst(Budget(whole, "user", FEW, division=division))
    for division in DIVISIONS:
        contest[f"{WINDOW}, {division}"] = OfEachWindow(Budget(whole, "window", month.most, division=division))
    contest[EVENT] = FirstOfEachDay(Budget(whole / (DAYS * DAILY)), DAILY)
    return contest


def run_piece(piece: Piece) -> list[Run]:
    """Every level, each judged by what it weighs, by people and by events."""
    month = Crowd(piece.people, DAYS, ITEMS, apart=piece.apart).draw(np.random.default_rng([piece.seed, piece.people]))
    by_people, by_events = truths(
        month, OneAMonth(Budget(EPSILON, "period", period="month")), OfEachWindow(Budget(EPSILON, "window", 1))
    )
    found = []
    for epsilon in piece.epsilons:
        for place, (level, choice) in enumerate(contestants(epsilon, month).items()):
            (own,) = truths(month, choice)
            sent = send(choice, month, np.random.default_rng([piece.seed, place]))
            plan = Plan("pfr", float(sent.per_report), K, memory=MEMORY)
            answer = run(plan, sent.items, ITEMS, 0, piece.seed).estimates
            values = {"reports": float(sent.items.size), "spent_mean": sent.mean_spent}
            values |= {"spent_most": float(sent.most_spent), "per_report": float(sent.per_report)}
            for name, truth in (("", own), ("_people", by_people), ("_events", by_events)):
                values[f"precision{name}"] = precision(answer, truth, K)
                values[f"ndcg{name}"] = ndcg(answer, truth, K)
            found.append(Run(piece.people, piece.apart, epsilon, level, choice.weighs, piece.seed, values))
    return found


def pieces(people: int, repeats: int, epsilons: tuple[float, ...], apart: float = 0.0) -> Iterator[Piece]:
    """Seed by seed."""
    return (Piece(people, seed, epsilons, apart) for seed in range(1, repeats + 1))
