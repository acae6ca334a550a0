"""Who takes part, how each is set, and one run of one of them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks.strings.contest.answers import Found, f1
from benchmarks.strings.contest.levels import heaviest
from benchmarks.strings.contest.olh import OLH
from benchmarks.strings.contest.pem import COUNTER_BYTES, PEM
from benchmarks.strings.contest.populations import Items, Population, Strings, read, top
from benchmarks.strings.contest.prefixes import Prefixes
from benchmarks.strings.contest.treehist import TreeHist
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.simulation.strings import simulate_open
from hgldp.tracker.family import family_for

PEM_SETTINGS = ((16, 1), (12, 4), (8, 10))
TREE_SETTINGS = ((1, 2.0), (8, 2.0), (8, 3.0))
PFR, PEM_PADDED, PEM_TOLD, TREE_TOLD, LISTED = (
    "PFR",
    "PEM",
    "PEM, told the length",
    "TreeHist, told the length",
    "OLH, list",
)
METHODS = (PFR, PEM_PADDED, PEM_TOLD, TREE_TOLD, LISTED)


@dataclass(frozen=True)
class Entry:
    """One method with one setting."""

    method: str
    setting: str
    find: Callable[[Strings, Items, int, int], Found]


def pfr(
    strings: Strings,
    stream: Items,
    k: int,
    seed: int,
    *,
    epsilon: float,
    most_bytes: int,
    hints: Hints | None = None,
    cells: int | None = None,
) -> Found:
    """Ours, as a task has it that sets nothing else."""
    domain, rules = StringDomain(most_bytes, hints), dict[str, Any]({} if cells is None else {"cells": cells})
    task = Task("pfr", epsilon=epsilon, domain=domain, k=k, **rules)
    codes = [domain.code(text) for text in strings.texts]
    store = family_for(task).start(task, seed, ()).store
    outcome = simulate_open(scheme_of(task), store, codes, stream, k, seed)  # type: ignore[arg-type]
    places = [line.item if line.item < len(codes) else None for line in outcome.estimates]
    return Found(tuple(places), tuple(line.count for line in outcome.estimates), outcome.state_bytes)


def listed(strings: Strings, stream: Items, k: int, seed: int, *, epsilon: float) -> Found:
    """The ceiling: OLH over a list of all strings of the data, with a counter for each."""
    oracle, generator = OLH(epsilon), np.random.default_rng([seed, 1])
    holders = np.bincount(stream, minlength=len(strings.texts))
    estimates = oracle.estimates(oracle.supports(holders, stream.size, generator), stream.size)
    best = heaviest(estimates, k, generator)
    return Found(tuple(best.tolist()), tuple(estimates[best].tolist()), holders.size * COUNTER_BYTES)


def by_prefix(
    strings: Strings, stream: Items, k: int, seed: int, *, method: PEM | TreeHist, most_bytes: int | None
) -> Found:
    """PEM or TreeHist, told the longest string, or that of the true top k."""
    prefixes = Prefixes(strings.texts, most_bytes or strings.longest_of_top(k))
    return method.find(prefixes, stream, k, np.random.default_rng([seed, 1]))


def entries(epsilon: float, k: int, population: Population) -> list[Entry]:
    """All that take part. PEM keeps one prefix more than it needs: strings that are too long are one."""
    found = [Entry(PFR, "default", partial(pfr, epsilon=epsilon, most_bytes=population.most_bytes))]
    for name, length in ((PEM_PADDED, population.cut or population.longest), (PEM_TOLD, None)):
        for step, times in PEM_SETTINGS:
            method = PEM(epsilon, step, times * k + 1)
            entry = partial(by_prefix, method=method, most_bytes=length)
            found.append(Entry(name, f"{step} bits, {method.keep} kept", entry))
    for step, stand_out in TREE_SETTINGS:
        entry = partial(by_prefix, method=TreeHist(epsilon, step, stand_out), most_bytes=None)
        found.append(Entry(TREE_TOLD, f"{step} bits, {stand_out:g} deviations", entry))
    return [*found, Entry(LISTED, "all strings", partial(listed, epsilon=epsilon))]


@dataclass(frozen=True)
class Piece:
    """One stream, one ε and one seed, for all methods."""

    population: Population
    epsilon: float
    k: int
    seed: int
    methods: tuple[str, ...] = METHODS


@dataclass(frozen=True)
class Run:
    """How one method with one setting did on one stream."""

    data: str
    epsilon: float
    method: str
    setting: str
    seed: int
    f1: float
    state_bytes: int


def run_piece(piece: Piece) -> list[Run]:
    """Draw the stream, and let every method find its top k."""
    strings = read(piece.population)
    stream = strings.stream(piece.seed)
    truth = top(np.bincount(stream, minlength=len(strings.texts)), piece.k)
    runs = []
    for entry in entries(piece.epsilon, piece.k, piece.population):
        if entry.method in piece.methods:
            found = entry.find(strings, stream, piece.k, piece.seed)
            about = piece.population.title, piece.epsilon, entry.method, entry.setting, piece.seed
            runs.append(Run(*about, f1(found.places, truth), found.state_bytes))
    return runs
