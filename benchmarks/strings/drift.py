"""Strings that nobody listed, when they change: how many of the recent top 20 come back verbatim, step by step."""

import argparse

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.strings.made_up import words
from hgldp.model.domain import StringDomain
from hgldp.model.randomness import derive_seed
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.simulation.metrics import exact_top
from hgldp.simulation.strings import spell
from hgldp.stores.strings import OpenFrontier

K, SYMBOLS, STEPS, SIZE = 20, 1024, 10, 14_000
PARTS = (0, 4, 8, 16)
Items = NDArray[np.int32]


def replaced_half_way(n: int, seed: int) -> Items:
    """Zipf(1) over the words, whose most frequent twenty change places with others in the middle."""
    generator = np.random.default_rng(seed)
    shares = np.cumsum(1.0 / np.arange(1, SIZE + 1))
    ranks = np.minimum(np.searchsorted(shares / shares[-1], generator.random(n)), SIZE - 1)
    late = np.arange(n) >= n // 2
    names = np.arange(SIZE)
    names[:K], names[50 : 50 + K] = names[50 : 50 + K].copy(), names[:K].copy()
    return np.where(late, names[ranks], ranks).astype(np.int32)


def found_over_time(strings: list[str], stream: Items, epsilon: float, half_life: int, seed: int) -> list[int]:
    """After each tenth of the stream, how many of its own top 20 are in the answer, letter for letter."""
    domain, scheme = StringDomain(), OpenPFR(SYMBOLS, epsilon)
    store = OpenFrontier(scheme.mechanism, symbols=SYMBOLS, k=K, domain=domain, half_life=half_life)
    codes, found = [domain.code(text) for text in strings], []
    for step, part in enumerate(np.array_split(stream, STEPS)):
        spell(scheme, store, codes, part, derive_seed(seed, step))
        true = {strings[place] for place in exact_top(np.bincount(part, minlength=SIZE), K)}
        found.append(len(true & {text for text, _ in store.estimates(K)}))
    return found


def main() -> None:
    """One row a half-life, one column every tenth of the stream."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=4_000_000)
    parser.add_argument("--epsilon", type=float, default=4.0)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    n, strings = arguments.reports, words(SIZE, np.random.default_rng(1))
    rows: dict[int, list[list[int]]] = {part: [] for part in PARTS}
    for seed in track(range(arguments.repeats), "spelling", transient=True):
        stream = replaced_half_way(n, seed)
        for part, kept in rows.items():
            kept.append(found_over_time(strings, stream, arguments.epsilon, n // part if part else 0, seed))
    title = f"of the last tenth's top {K}, verbatim; ε = {arguments.epsilon:g}, {n:,} words, {arguments.repeats} seeds"
    table = Table(title=title)
    for heading in ("half-life", *(f"{100 * (step + 1) // STEPS} %" for step in range(STEPS))):
        table.add_column(heading, justify="left" if heading == "half-life" else "right")
    for part, kept in rows.items():
        table.add_row(f"n/{part}" if part else "none", *(f"{value:.1f}" for value in np.mean(kept, axis=0)))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
