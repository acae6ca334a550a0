"""PFR's choices put to the test: leaves, cells, retained epochs, drift, sweeps, who gets a leaf, and caution."""

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

from hgldp.experiments.measuring.streams import Drawn, Library
from hgldp.model.frontier_size import LISTED_CELLS
from hgldp.model.randomness import derive_seed
from hgldp.schemes.pfr import PFR, USUAL_LEAVES
from hgldp.simulation.frontier import follow
from hgldp.simulation.hot_list import SERVER
from hgldp.simulation.metrics import score
from hgldp.stores.frontier import store as frontier
from hgldp.stores.frontier.reading import decoding
from hgldp.stores.frontier.reading import leaves as reading_leaves
from hgldp.stores.frontier.reading.decoding import Decoded
from hgldp.stores.frontier.store import COVERED, Frontier

K, MEMORY = 20, 16_384
EPSILONS = (1.0, 2.0, 4.0)
WIDTH = 260
STREAMS = ("normal:n=100000,d=1000,sigma=5", "turnover:n=100000,d=1000", "sudden:n=100000,d=1000")
DATA_SETS = ("retail", "kosarak-first100k")
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Choice:
    """One way to do it; `covered` is by how much reports grow over all retained epochs, no `drift` is a fitted one."""

    question: str
    title: str
    leaves: int = USUAL_LEAVES
    cells: int = LISTED_CELLS
    covered: float = COVERED
    drift: float | None = None
    sweeps: int = decoding.SWEEPS
    some_by_newest: bool = True
    caution: float = reading_leaves.CAUTION


def by_all_alone(decoded: Decoded, shares: Reals, deviations: Reals, most: int) -> NDArray[np.int64]:
    """Every leaf for what is frequent over all that counts, none for what is frequent now."""
    best: NDArray[np.int64] = np.lexsort((decoded.items, -(shares - reading_leaves.CAUTION * deviations)))[:most]
    return best[np.argsort(-shares[best], kind="stable")]


LEAVES, CELLS, COVER = "most leaves", "cells", "reports now ÷ reports before the oldest epoch kept"
DRIFT, SWEEPS, NEWEST = "drift of shares", "sweeps over the candidates", "leaves for what is frequent in the last epoch"
CAUTION = "standard deviations off the mean, for a leaf"
CHOICES = (
    *(Choice(LEAVES, f"{most}", leaves=most) for most in (32, 64, 85)),
    *(Choice(CELLS, f"{cells:,}", cells=cells) for cells in (256, 512, 1_024)),
    *(Choice(COVER, f"{covered:g}", covered=covered) for covered in (8.0, 24.0, 96.0)),
    Choice(DRIFT, "fitted"),
    *(Choice(DRIFT, f"{drift:g}", drift=drift) for drift in (0.3, 1.0, 3.0)),
    *(Choice(SWEEPS, f"{sweeps}", sweeps=sweeps) for sweeps in (1, 3)),
    Choice(NEWEST, "half"),
    Choice(NEWEST, "none", some_by_newest=False),
    *(Choice(CAUTION, f"{caution:g}", caution=caution) for caution in (0.0, 1.25, 2.0)),
)


def outcome(choice: Choice, drawn: Drawn, epsilon: float, seed: int) -> tuple[float, float]:
    """NDCG and AAE."""
    scheme = PFR(drawn.domain_size, choice.cells, epsilon, choice.leaves)
    store = Frontier(scheme, memory=MEMORY, seed=derive_seed(seed, SERVER))
    store.growth = exp(log(choice.covered) / store.capacity) - 1
    with ExitStack() as patched:
        patched.enter_context(patch.object(decoding, "SWEEPS", choice.sweeps))
        patched.enter_context(patch.object(reading_leaves, "CAUTION", choice.caution))
        if (drift := choice.drift) is not None:
            patched.enter_context(patch.object(decoding, "_drift", lambda *_: drift))
        if not choice.some_by_newest:
            patched.enter_context(patch.object(frontier, "next_leaves", by_all_alone))
        follow(scheme, store, drawn.items, seed)
        found = score(store.estimates(K), drawn.truth, K)
    return found.ndcg, found.aae


def cells_of(choice: Choice, streams: list[str], repeats: int, library: Library) -> Iterator[str]:
    """NDCG with its standard error, and AAE, for each stream and ε."""
    for stream in streams:
        for epsilon in EPSILONS:
            runs = [outcome(choice, library.draw(stream, seed), epsilon, seed) for seed in range(1, repeats + 1)]
            ndcg, aae = np.mean(runs, axis=0)
            spread = np.std([run[0] for run in runs], ddof=1) / repeats**0.5
            yield f"{ndcg:.3f}±{spread:.3f} / {aae:,.0f}"


def main() -> None:
    """One table a question, one row a choice; all choices see the same streams."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder with retail.dat.gz and kosarak-first100k.dat.gz")
    parser.add_argument("--repeats", type=int, default=10)
    arguments = parser.parse_args()
    library = Library(arguments.data)
    streams = [*STREAMS, *(name for name in DATA_SETS if library.path(name))]
    heads = [f"{stream.partition(':')[0]} ε = {epsilon:g}" for stream in streams for epsilon in EPSILONS]
    for question in dict.fromkeys(choice.question for choice in CHOICES):
        table = Table(title=f"{question}; {MEMORY:,} bytes, no warm-up, k = {K}: NDCG ± s.e. / AAE")
        table.add_column("choice")
        for head in heads:
            table.add_column(head, justify="right")
        for choice in shown([one for one in CHOICES if one.question == question], question, transient=True):
            table.add_row(choice.title, *cells_of(choice, streams, arguments.repeats, library))
        Console(width=WIDTH).print(table)


if __name__ == "__main__":
    main()
