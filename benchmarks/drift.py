"""What is hot right now, when it changes: precision@20 of the last tenth of the stream, step by step."""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

from hgldp.model.randomness import derive_seed
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import build
from hgldp.simulate.frontier import follow
from hgldp.simulate.hot_list import SERVER, track
from hgldp.simulate.metrics import exact_top
from hgldp.simulate.run import Plan
from hgldp.sources.find import find_source
from hgldp.stores.frontier import Frontier
from hgldp.stores.hot_list import HotList

K, STEPS, CELLS, MEMORY = 20, 20, 256, 16_384
Items = NDArray[np.int32]
Feed = Callable[[Items, int], set[int]]


def replaced_half_way(n: int, d: int, seed: int) -> Items:
    """Zipf(1.1), whose whole top changes places in the middle."""
    generator = np.random.default_rng(seed)
    shares = np.cumsum(np.arange(1, d + 1) ** -1.1)
    ranks = np.minimum(np.searchsorted(shares / shares[-1], generator.random(n)), d - 1)
    first = generator.permutation(d).astype(np.int32)
    return np.where(np.arange(n) < n // 2, first[ranks], np.roll(first, d // 20)[ranks]).astype(np.int32)


def frontier(domain_size: int, epsilon: float, half_life: int, seed: int) -> Feed:
    """PFR with a half-life."""
    scheme = PFR(domain_size, CELLS, epsilon)
    store = Frontier(scheme, memory=MEMORY, seed=derive_seed(seed, SERVER), half_life=half_life)

    def feed(items: Items, step: int) -> set[int]:
        follow(scheme, store, items, derive_seed(seed, step))
        return {line.item for line in store.estimates(K)}

    return feed


def hot_list(name: str, domain_size: int, epsilon: float, warmup: Items, seed: int) -> Feed:
    """One of the paper's schemes, repaired, after a warm-up."""
    task = Plan(name, epsilon, K).task(domain_size, warmup)
    scheme = build(task)
    always = scheme.always_nominating
    store = HotList.of(task, always_nominating=always, seed=derive_seed(seed, SERVER), warmup=warmup)

    def feed(items: Items, step: int) -> set[int]:
        track(scheme, store, items, derive_seed(seed, step))
        return {line.item for line in store.estimates(K)}

    return feed


def precision_over_time(stream: Items, domain_size: int, feed: Feed) -> list[float]:
    """After each step, the share of the recent top 20 that is in the answer."""
    cuts, recent = np.linspace(0, stream.size, STEPS + 1).astype(int), stream.size // 10
    found = []
    for step in range(STEPS):
        answer = feed(stream[cuts[step] : cuts[step + 1]], step)
        counts = np.bincount(stream[max(0, cuts[step + 1] - recent) : cuts[step + 1]], minlength=domain_size)
        found.append(len(answer & set(exact_top(counts, K))) / K)
    return found


def main() -> None:
    """One row a contestant, one column every tenth of the stream."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stream", type=Path, help="a real stream instead, such as online-retail.dat.gz")
    parser.add_argument("--epsilon", type=float, default=4.0)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    rows: dict[str, list[list[float]]] = {}
    for seed in shown(range(arguments.repeats), "measuring", transient=True):
        if arguments.stream:
            source = find_source(str(arguments.stream))
            stream, size = source.stream(seed).items, source.domain_size
        else:
            stream, size = replaced_half_way(1_000_000, 10_000, seed), 10_000
        warmup, epsilon, n = stream[: stream.size // 100], arguments.epsilon, stream.size
        contestants = {f"pfr, half-life n/{part}": frontier(size, epsilon, n // part, seed) for part in (4, 8, 16)}
        contestants |= {f"{name}, 1 % warm-up": hot_list(name, size, epsilon, warmup, seed) for name in ("dsr", "cnr")}
        for title, feed in contestants.items():
            rows.setdefault(title, []).append(precision_over_time(stream, size, feed))
    name = arguments.stream.name if arguments.stream else "zipf, all replaced at 50 %"
    table = Table(
        title=f"{name}, ε = {arguments.epsilon:g}: precision@{K} of the last tenth, by the share of the stream seen"
    )
    table.add_column("")
    for step in range(1, STEPS, 2):
        table.add_column(f"{(step + 1) / STEPS:.0%}", justify="right")
    for title, runs in rows.items():
        table.add_row(title, *(f"{value:.2f}" for value in np.mean(runs, axis=0)[1::2]))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
