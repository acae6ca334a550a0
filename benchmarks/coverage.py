"""How honest the published intervals are when cells are evicted: survivors look luckier than they are."""

import argparse

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

from hgldp.model.estimate import Estimate
from hgldp.simulate.generators import parse_generator
from hgldp.simulate.run import Plan, run

STREAM = "normal:n=100000,d=1000,sigma=5"
SCHEMES = ("bgr", "dsr", "bdr", "cnr")


def since_admission(line: Estimate, stream: NDArray[np.int32]) -> tuple[float, bool]:
    """The error of the count since admission in its own standard errors, and whether its interval holds the truth."""
    truth = int(np.count_nonzero(stream[stream.size - line.since :] == line.item)) if line.since else 0
    low, high = line.tracked_interval
    return (line.tracked_count - truth) / max(line.tracked_error, 1e-9), low <= truth <= high


def whole_stream(line: Estimate, stream: NDArray[np.int32]) -> bool:
    """Whether the published interval of the whole count holds the truth."""
    low, high = line.interval
    return bool(low <= np.count_nonzero(stream == line.item) <= high)


def main() -> None:
    """One row a scheme, start and ε."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=50)
    repeats = parser.parse_args().repeats
    synthetic = parse_generator(STREAM)
    table = Table(title=f"{STREAM}, k = 20, 40 cells, {repeats} streams: the top 20 as published")
    for heading in (
        "scheme",
        "start",
        "ε",
        "mean error since admission (s.e.)",
        "95 % since admission",
        "95 % whole stream",
    ):
        table.add_column(heading, justify="left" if heading in ("scheme", "start") else "right")
    cases = [(s, w, e) for s in SCHEMES for w in (0.01, 0.0) for e in (0.5, 2.0, 4.0)]
    for scheme, warmup, epsilon in shown(cases, "measuring", transient=True):
        errors, inside, whole = [], [], []
        for seed in range(repeats):
            stream = synthetic.draw(np.random.default_rng(seed))
            outcome = run(Plan(scheme, epsilon, k=20), stream, synthetic.d, int(stream.size * warmup), seed)
            for line in outcome.estimates:
                error, covered = since_admission(line, stream)
                errors.append(error)
                inside.append(covered)
                whole.append(whole_stream(line, stream))
        start = "1 % warm-up" if warmup else "no warm-up"
        numbers = (f"{np.mean(errors):+.2f}", f"{np.mean(inside):.1%}", f"{np.mean(whole):.1%}")
        table.add_row(scheme, start, f"{epsilon:g}", *numbers)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
