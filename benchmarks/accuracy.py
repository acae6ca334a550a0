"""Every scheme beside its own warm-up and the authors' figures: precision / NDCG / AAE at k = 20, 40 cells."""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from hgldp.experiments.experiment import Experiment, conduct, mean_scores
from hgldp.simulation.metrics import Scores
from hgldp.simulation.run import Plan
from hgldp.sources.find import find_source

EPSILONS = (0.5, 1.0, 2.0, 4.0)
SCHEMES = ("bgr", "dsr", "bdr", "cnr")
REPAIRED = ("dsr", "bdr", "cnr")
NORMAL = "normal:n=100000,d=1000,sigma=5"


@dataclass(frozen=True)
class Authors:
    """Precision@20 of the authors' code (mpc4j 1.1.5, 1 % warm-up) at the four ε, and what ours must reach."""

    precision: dict[str, tuple[float, ...]]
    cnr_aae: tuple[int, ...]
    least_precision: float
    most_aae: float


AUTHORS = {
    NORMAL: Authors(
        {
            "bgr": (0.09, 0.11, 0.30, 0.80),
            "dsr": (0.05, 0.06, 0.63, 0.83),
            "bdr": (0.36, 0.64, 0.83, 0.80),
            "cnr": (0.56, 0.69, 0.81, 0.83),
        },
        (4724, 2937, 962, 466),
        0.97,
        330,
    ),
    "retail.dat.gz": Authors(
        {
            "bgr": (0.03, 0.02, 0.02, 0.12),
            "dsr": (0.0, 0.0, 0.0, 0.15),
            "bdr": (0.28, 0.28, 0.45, 0.33),
            "cnr": (0.28, 0.33, 0.42, 0.35),
        },
        (5176, 4507, 3011, 2183),
        0.88,
        1080,
    ),
    "kosarak-first100k.dat.gz": Authors(
        {
            "bgr": (0.0, 0.0, 0.04, 0.03),
            "dsr": (0.0, 0.0, 0.0, 0.03),
            "bdr": (0.38, 0.45, 0.51, 0.59),
            "cnr": (0.38, 0.45, 0.53, 0.61),
        },
        (5862, 4080, 3331, 1947),
        0.90,
        900,
    ),
}


def measure(stream: str, warmup: float, repeats: int) -> Experiment:
    """All schemes at all ε on one stream."""
    plans = [Plan(scheme, epsilon, k=20, cells=40) for scheme in SCHEMES for epsilon in EPSILONS]
    with Progress(transient=True) as progress:
        bar = progress.add_task(f"{Path(stream).name}, warm-up {warmup:.0%}", total=None)
        return conduct(
            find_source(stream),
            plans,
            warmup,
            range(1, repeats + 1),
            lambda done, total: progress.update(bar, completed=done, total=total),
        )


def text(scores: Scores) -> str:
    """Precision / NDCG / AAE."""
    return f"{scores.precision:.2f} / {scores.ndcg:.2f} / {scores.aae:,.0f}"


def show(name: str, experiment: Experiment) -> None:
    """One table a stream: the warm-up alone, the authors, ours."""
    authors, found = AUTHORS[name], {(r.plan.scheme, r.plan.epsilon): r.scores for r in experiment.results}
    start = f"{experiment.warmup:,} items of warm-up" if experiment.warmup else "no warm-up"
    table = Table(title=f"{name}: {experiment.items:,} items over {experiment.domain_size:,} values, {start}")
    table.add_column("precision / NDCG / AAE (events)")
    for epsilon in EPSILONS:
        table.add_column(f"ε = {epsilon:g}", justify="right")
    if experiment.alone:
        table.add_row("warm-up alone", *[text(mean_scores(experiment.alone))] * len(EPSILONS))
    for scheme in SCHEMES:
        if experiment.warmup:
            aae = authors.cnr_aae if scheme == "cnr" else (None,) * len(EPSILONS)
            row = [
                f"{p:.2f} / – / {'–' if a is None else f'{a:,}'}"
                for p, a in zip(authors.precision[scheme], aae, strict=True)
            ]
            table.add_row(f"{scheme}, authors' code", *row, style="dim")
        table.add_row(f"{scheme}, ours", *(text(found[scheme, epsilon]) for epsilon in EPSILONS))
    Console(width=130).print(table)


def missed(name: str, experiment: Experiment) -> list[str]:
    """The bars that are not reached, as sentences."""
    authors, found = AUTHORS[name], {(r.plan.scheme, r.plan.epsilon): r.scores for r in experiment.results}
    misses = []
    if experiment.alone:
        alone = mean_scores(experiment.alone).precision
        for scheme in REPAIRED:
            for place, epsilon in enumerate(EPSILONS):
                ours = found[scheme, epsilon].precision
                if ours < alone - 0.02:
                    misses.append(f"{name}: {scheme} at ε = {epsilon:g} has {ours:.3f}, the warm-up alone {alone:.3f}")
                if ours <= authors.precision[scheme][place]:
                    misses.append(f"{name}: {scheme} at ε = {epsilon:g} has {ours:.3f}, not above the authors' code")
            if found[scheme, 4.0].precision < authors.least_precision:
                misses.append(
                    f"{name}: {scheme} at ε = 4 has {found[scheme, 4.0].precision:.3f} < {authors.least_precision}"
                )
            if found[scheme, 2.0].aae > authors.most_aae:
                misses.append(
                    f"{name}: {scheme} at ε = 2 has AAE {found[scheme, 2.0].aae:.0f} > {authors.most_aae:.0f}"
                )
    elif name == NORMAL:
        for epsilon, least in ((2.0, 0.58), (4.0, 0.93)):
            if found["dsr", epsilon].precision < least:
                misses.append(
                    f"{name}, no warm-up: dsr at ε = {epsilon:g} has {found['dsr', epsilon].precision:.3f} < {least}"
                )
    return misses


def main() -> None:
    """Print the tables; exit 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with retail.dat.gz and kosarak-first100k.dat.gz")
    parser.add_argument("--repeats", type=int, default=10)
    arguments = parser.parse_args()
    misses = []
    for name in AUTHORS:
        stream = name if name == NORMAL else str(arguments.data / name) if arguments.data else ""
        if stream != NORMAL and not Path(stream).is_file():
            print(f"{name}: not found; give its folder with --data")
            continue
        for warmup in (0.01, 0.0):
            experiment = measure(stream, warmup, arguments.repeats)
            show(name, experiment)
            misses += missed(name, experiment)
    print("\n".join(misses) or "every bar is reached")
    sys.exit(bool(misses))


if __name__ == "__main__":
    main()
