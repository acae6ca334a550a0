"""What it brings that a frontier gives up search cells it no longer needs, against the same one that keeps them all."""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

from hgldp.experiments.measuring.streams import Drawn, Library
from hgldp.model.frontier_size import LISTED_CELLS
from hgldp.schemes.pfr import PFR
from hgldp.simulation.metrics import score
from hgldp.simulation.run import Plan, run
from hgldp.stores.frontier import store as frontier
from hgldp.stores.frontier.width import best_width

K, EPSILONS, WIDTH = 20, (1.0, 2.0, 3.0, 4.0, 6.0), 150
STREAMS = (
    "normal:n=100000,d=1000,sigma=5",
    "exponential:n=100000,d=1000,scale=10",
    "zipf:n=100000,d=50,s=1.1",
    "retail",
    "kosarak-first100k",
)
STARTS = {"no warm-up": 0.0, "1 % warm-up": 0.01}
Width = Callable[..., int]


def every_cell(scheme: PFR, *_: object) -> int:
    """What it was before."""
    return scheme.cells


def outcome(width: Width, drawn: Drawn, warmup: float, epsilon: float, seed: int) -> tuple[float, float]:
    """Precision and AAE."""
    plan = Plan("pfr", epsilon=epsilon, k=K)
    with patch.object(frontier, "best_width", width):
        found = run(plan, drawn.items, drawn.domain_size, round(warmup * drawn.items.size), seed)
    scored = score(found.estimates, drawn.truth, K)
    return scored.precision, scored.aae


def cells_of(width: Width, start: str, stream: str, repeats: int, library: Library) -> Iterator[str]:
    """Precision, and AAE with its standard error, for each ε."""
    warmup = STARTS[start]
    for epsilon in EPSILONS:
        runs = [outcome(width, library.draw(stream, seed), warmup, epsilon, seed) for seed in range(1, repeats + 1)]
        precision, aae = np.mean(runs, axis=0)
        spread = np.std([run[1] for run in runs], ddof=1) / repeats**0.5
        yield f"{precision:.3f} / {aae:,.0f} ± {spread:,.0f}"


def main() -> None:
    """One table a start, two rows a stream; both rows see the same streams."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder with retail.dat.gz and kosarak-first100k.dat.gz")
    parser.add_argument("--repeats", type=int, default=40)
    arguments = parser.parse_args()
    library = Library(arguments.data)
    streams = [name for name in STREAMS if ":" in name or library.path(name)]
    for start in STARTS:
        table = Table(
            title=f"{start}, {LISTED_CELLS:,} cells, k = {K}, {arguments.repeats} seeds: precision / AAE ± s.e."
        )
        table.add_column("stream")
        table.add_column("cells")
        for epsilon in EPSILONS:
            table.add_column(f"ε = {epsilon:g}", justify="right")
        for stream in shown(streams, start, transient=True):
            for title, width in (("all", every_cell), ("as needed", best_width)):
                table.add_row(stream, title, *cells_of(width, start, stream, arguments.repeats, library))
        Console(width=WIDTH).print(table)


if __name__ == "__main__":
    main()
