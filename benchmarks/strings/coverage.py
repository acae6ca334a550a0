"""Strings that nobody listed: how often the published intervals and ranks hold the truth, and what stands out."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.coverage.row import percent, share
from benchmarks.coverage.truth import Items, judge, judge_since, whole_counts
from benchmarks.strings.made_up import SYMBOLS, K, Shares, kinds_of_strings
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import Answer
from hgldp.model.forgery import STRING_REACH
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.simulation.strings import spell
from hgldp.stores.strings import OpenFrontier
from hgldp.stores.strings import lines as published

PIECES, TOP = 60, 10
Stream = Callable[[Shares, int, np.random.Generator], Items]


def steady(shares: Shares, n: int, generator: np.random.Generator) -> Items:
    """Nothing changes."""
    return generator.choice(shares.size, n, p=shares / shares.sum()).astype(np.int32)


def flat(shares: Shares, n: int, generator: np.random.Generator) -> Items:
    """The first thousand strings are equally frequent."""
    return steady(np.ones_like(shares[:1_000]), n, generator)


def sudden(shares: Shares, n: int, generator: np.random.Generator) -> Items:
    """Halfway the top 20 change places with others."""
    ranks, names = steady(shares, n, generator), np.arange(shares.size)
    names[:20], names[50:70] = names[50:70].copy(), names[:20].copy()
    return np.where(np.arange(n) >= n // 2, names[ranks], ranks).astype(np.int32)


def drifting(shares: Shares, n: int, generator: np.random.Generator) -> Items:
    """Every share takes a random walk; over the stream its logarithm changes by about 1."""
    logs, parts = np.log(shares), []
    for part in np.array_split(np.arange(n), PIECES):
        now = np.exp(logs)
        parts.append(generator.choice(shares.size, part.size, p=now / now.sum()))
        logs = logs + generator.normal(0, PIECES**-0.5, shares.size)
    return np.concatenate(parts).astype(np.int32)


ROWS: tuple[tuple[str, Stream, int, float], ...] = (
    ("words", steady, 300_000, 2.0),
    ("words", steady, 1_000_000, 2.0),
    ("words", steady, 100_000, 4.0),
    ("words", steady, 300_000, 4.0),
    ("words", steady, 100_000, 6.0),
    ("words", steady, 300_000, 6.0),
    ("URLs", steady, 2_000_000, 2.0),
    ("URLs", steady, 1_000_000, 4.0),
    ("URLs", steady, 300_000, 6.0),
    ("words", drifting, 300_000, 4.0),
    ("words", sudden, 300_000, 4.0),
    ("words", flat, 300_000, 6.0),
    ("words", flat, 1_000_000, 6.0),
)


class Held(NamedTuple):
    """For each published line whether its intervals and its ranks hold the truth; no ranks are told for noise."""

    whole: list[bool]
    since: list[bool]
    ranks: list[bool]
    errors: list[float]
    stands_out: int
    has_clear_top: bool


def held(answer: Answer, strings: list[str], stream: Items) -> Held:
    """What an answer says against what was sent."""
    counts = np.append(whole_counts(stream, len(strings)), 0.0)  # the last one is for strings that nobody sent
    place_of = {text: place for place, text in enumerate(strings)}
    stand_out = sum(not line.may_be_noise for _, line in answer)
    found = Held([], [], [], [], stand_out, answer.has_clear_top)
    for text, shown in answer:
        line = replace(shown, item=place_of.get(str(text), len(strings)))
        whole, since = judge(line, counts), judge_since(line, stream)
        found.whole.append(whole.held)
        found.errors.append(abs(line.count - float(counts[line.item])))
        if since is not None:
            found.since.append(since.held)
        if whole.rank_held is not None:
            found.ranks.append(whole.rank_held)
    return found


def answered(strings: list[str], stream: Items, epsilon: float, seed: int) -> Answer:
    """The published top 20."""
    domain, scheme = StringDomain(), OpenPFR(SYMBOLS, epsilon)
    store = OpenFrontier(scheme.mechanism, symbols=SYMBOLS, k=K, domain=domain)
    spell(scheme, store, [domain.code(text) for text in strings], stream, seed)
    return Answer(store.estimates(K))


def main() -> None:
    """One row a setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--times", type=float, default=STRING_REACH, help="a count is at most so many × measured")
    arguments, kinds = parser.parse_args(), kinds_of_strings(None)
    repeats, vars(published)["STRING_REACH"] = arguments.repeats, arguments.times
    table = Table(title=f"published top {K}, {SYMBOLS} symbols, {repeats} seeds")
    headings = (
        "reports",
        "ε",
        "lines",
        "mean error",
        "whole stream",
        f"all of the first {TOP}",
        "since tracked",
        "ranks",
    )
    for heading in ("strings", "stream", *headings, "stand out", "clear top"):
        table.add_column(heading, justify="left" if heading in ("strings", "stream") else "right")
    for kind, drawn, n, epsilon in ROWS:
        strings, shares = kinds[kind]
        found = []
        for seed in track(range(1_000, 1_000 + repeats), transient=True):
            stream = drawn(shares, n, np.random.default_rng(seed))
            found.append(held(answered(strings, stream, epsilon, seed), strings, stream))
        table.add_row(kind, drawn.__name__, f"{n:,}", f"{epsilon:g}", *told(found))
    Console(width=160).print(table)


def told(found: list[Held]) -> tuple[str, ...]:
    """Many answers as one row."""
    whole = [flag for each in found for flag in each.whole]
    since = [flag for each in found for flag in each.since]
    ranks = [flag for each in found for flag in each.ranks]
    tops = [all(each.whole[:TOP]) for each in found if len(each.whole) >= TOP]
    parts = [percent(share(flags, bool)) for flags in (whole, tops, since, ranks)]
    error = np.mean([each for some in found for each in some.errors])
    out = sum(each.stands_out for each in found) / max(1, len(whole))
    return (
        f"{len(whole)}",
        f"{error:,.0f}",
        *parts,
        f"{100 * out:.0f} %",
        f"{100 * np.mean([each.has_clear_top for each in found]):.0f} %",
    )


if __name__ == "__main__":
    main()
