"""Strings that nobody listed: how often the published 95 % intervals hold the true count."""

import argparse

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.strings.made_up import words
from hgldp.model.domain import StringDomain
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.simulation.strings import simulate_open
from hgldp.stores.strings import OpenFrontier

K, SYMBOLS, SIZE = 20, 256, 3_000
SETTINGS = ((300_000, 4.0), (1_000_000, 2.0))


def errors(strings: list[str], n: int, epsilon: float, seed: int) -> list[float]:
    """The error of each published count, in its own standard errors."""
    chances = 1.0 / np.arange(1, SIZE + 1)
    stream = np.random.default_rng(seed).choice(SIZE, n, p=chances / chances.sum()).astype(np.int32)
    domain, scheme = StringDomain(), OpenPFR(SYMBOLS, epsilon)
    store = OpenFrontier(scheme.mechanism, symbols=SYMBOLS, k=K, domain=domain)
    outcome = simulate_open(scheme, store, [domain.code(text) for text in strings], stream, K, seed)
    truth = np.append(np.bincount(stream, minlength=SIZE), np.zeros(len(outcome.unsaid), np.int64))
    return [(line.count - float(truth[line.item])) / line.standard_error for line in outcome.estimates]


def main() -> None:
    """One row a setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    repeats, strings = parser.parse_args().repeats, words(SIZE, np.random.default_rng(1))
    table = Table(title=f"top {K} of {SIZE:,} words, Zipf(1), {SYMBOLS} symbols, {repeats} seeds")
    for heading in ("reports", "ε", "strings published", "in the 95 % interval", "mean error", "its spread"):
        table.add_column(heading, justify="right")
    for n, epsilon in SETTINGS:
        found = np.array(
            [z for seed in track(range(repeats), transient=True) for z in errors(strings, n, epsilon, seed)]
        )
        held = f"{100 * np.mean(np.abs(found) < 1.959964):.1f} %"
        table.add_row(f"{n:,}", f"{epsilon:g}", str(found.size), held, f"{found.mean():+.2f}", f"{found.std():.2f}")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
