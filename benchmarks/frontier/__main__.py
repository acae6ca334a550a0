"""PFR beside the oracle with unlimited memory, without and with a warm-up: precision / NDCG / AAE at k = 20."""

import argparse
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from hgldp.experiments.experiment import conduct, mean_scores
from hgldp.simulation.run import Plan
from hgldp.sources.find import find_source

STREAMS = ("normal:n=100000,d=1000,sigma=5", "retail.dat.gz", "kosarak-first100k.dat.gz")
EPSILONS = (0.5, 1.0, 2.0, 4.0)
ROWS: dict[str, tuple[float, str, dict[str, int]]] = {
    "pfr, 16 kB": (0.0, "pfr", {"cells": 1_024, "memory": 16_384}),
    "pfr, 48 kB": (0.0, "pfr", {"cells": 1_024, "memory": 49_152}),
    "olh, unlimited memory": (0.0, "olh", {}),
    "hr, unlimited memory": (0.0, "hr", {}),
    "pfr, 16 kB, 1 % warm-up": (0.01, "pfr", {"cells": 1_024, "memory": 16_384}),
    "cnr, 40 cells, 1 % warm-up": (0.01, "cnr", {}),
}


def main() -> None:
    """One table a stream."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with retail.dat.gz and kosarak-first100k.dat.gz")
    parser.add_argument("--repeats", type=int, default=10)
    arguments = parser.parse_args()
    for name in STREAMS:
        stream = name if ":" in name else str(arguments.data / name) if arguments.data else ""
        if ":" not in name and not Path(stream).is_file():
            print(f"{name}: not found; give its folder with --data")
            continue
        source, seeds = find_source(stream), range(1, arguments.repeats + 1)
        table = Table(title=f"{name}, mean of {arguments.repeats} seeds")
        table.add_column("precision / NDCG / AAE (events)")
        for epsilon in EPSILONS:
            table.add_column(f"ε = {epsilon:g}", justify="right")
        table.add_column("state", justify="right")
        with Progress(transient=True) as progress:
            bar = progress.add_task(name, total=len(ROWS))
            for title, (warmup, scheme, terms) in ROWS.items():
                plans = [Plan(scheme, epsilon, 20, **terms) for epsilon in EPSILONS]  # type: ignore[arg-type]
                found = conduct(source, plans, warmup, seeds, lambda done, total: None)  # noqa: ARG005
                cells = [
                    f"{one.scores.precision:.2f} / {one.scores.ndcg:.2f} / {one.scores.aae:,.0f}"
                    for one in found.results
                ]
                table.add_row(title, *cells, f"{found.results[-1].mean('state_bytes'):,.0f} B")
                if found.alone and scheme == "cnr":
                    alone = mean_scores(found.alone)
                    text = f"{alone.precision:.2f} / {alone.ndcg:.2f} / {alone.aae:,.0f}"
                    table.add_row("the warm-up alone", *[text] * len(EPSILONS), "")
                progress.advance(bar)
        Console(width=130).print(table)


if __name__ == "__main__":
    main()
