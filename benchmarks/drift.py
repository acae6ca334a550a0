"""Who follows a stream that changes: precision@20 of its last tenth along the way, and how long until it is back."""

import argparse
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

from hgldp.experiments.measuring.measure import measure
from hgldp.experiments.measuring.over_time import HALF_WAY, RECENT, REPLACED, at_step, replace_top
from hgldp.experiments.measuring.streams import Library
from hgldp.experiments.scale import FULL, TIMESTAMPED
from hgldp.experiments.studies.frontier.drift import (
    ASKED,
    EPSILONS,
    FOLLOWERS,
    back_after,
    measurements,
    steady_after_start,
    steady_before,
    time_below,
)
from hgldp.simulation.metrics import exact_top

CHANGE = 0.5
EVERY = ASKED // 10
HALF_LIVES = {f"exact counts, half-life 1/{part}": part for part in (4, 8, 16)}
Curve = NDArray[np.float64]


def exact_and_faded(items: NDArray[np.int32], half_lives: float, k: int) -> Curve:
    """What the best answer could be that counts the past by halves: exact counts, faded `half_lives` times in all."""
    cuts = np.linspace(0, items.size, ASKED + 1).astype(int)
    size, recent = int(items.max()) + 1, int(items.size * RECENT)
    faded, found = np.zeros(size), []
    for begin, end in pairwise(cuts.tolist()):
        faded = faded * 0.5 ** (half_lives / ASKED) + np.bincount(items[begin:end], minlength=size)
        last = np.bincount(items[max(0, end - recent) : end], minlength=size)
        found.append(len(set(np.argsort(-faded)[:k].tolist()) & set(exact_top(last, k))) / k)
    return np.array(found)


def back_from_change(curve: Curve) -> tuple[float, str]:
    """The steady value before the one change, and after which share of the stream nine tenths of it were back."""
    steady = steady_before(curve, CHANGE)
    back = back_after(curve, CHANGE, steady)
    return steady, "never" if back is None else f"{back:.1%}"


def back_from_seasons(curve: Curve) -> tuple[float, str]:
    """The median of the second half, and the longest stay below nine tenths of it there."""
    steady = steady_after_start(curve)
    stays = time_below(curve[ASKED // 2 :], steady)
    longest, ended = max(stays, default=(0.0, True))
    return steady, f"{longest / 2:.1%}{'' if ended else ', not over'}"


def main() -> None:
    """One table a stream and ε, one row a contestant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help=f"a folder with {TIMESTAMPED}.dat.gz")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    library = Library(arguments.data)
    scale = replace(FULL, repeats=arguments.repeats).with_data(library)
    if not scale.timestamped:
        print(f"{TIMESTAMPED}: not found, left out; give its folder with --data")
    curves: dict[tuple[str, float, str], list[Curve]] = {}
    names = list(FOLLOWERS) * (len(measurements(scale)) // len(FOLLOWERS))
    for name, one in shown(list(zip(names, measurements(scale), strict=True)), "measuring", transient=True):
        drawn, replaced = library.draw(one.stream, one.seed), one.get(REPLACED) == HALF_WAY
        values = measure(one, drawn)
        stream = f"{one.stream}{' top replaced half-way' if replaced else ''}"
        curve = np.array([values[at_step(step)] for step in range(1, ASKED + 1)])
        curves.setdefault((stream, one.epsilon, name), []).append(curve)
        if name == next(iter(FOLLOWERS)):
            items = replace_top(drawn.items, one.k) if replaced else drawn.items
            for exact, half_lives in HALF_LIVES.items():
                curves.setdefault((stream, one.epsilon, exact), []).append(exact_and_faded(items, half_lives, one.k))
    for stream in dict.fromkeys(stream for stream, _, _ in curves):
        for epsilon in EPSILONS:
            rows = (*FOLLOWERS, *HALF_LIVES)
            show(stream, epsilon, {name: np.mean(curves[stream, epsilon, name], axis=0) for name in rows})


def show(stream: str, epsilon: float, rows: dict[str, Curve]) -> None:
    """Every tenth of the stream."""
    changes = "half-way" in stream
    table = Table(title=f"{stream}, ε = {epsilon:g}: precision@20 of the last tenth, by the share of the stream seen")
    table.add_column("")
    for tenth in range(1, 11):
        table.add_column(f"{tenth / 10:.0%}", justify="right")
    table.add_column("steady", justify="right")
    table.add_column("back after" if changes else "longest below 90 %", justify="right")
    for name, curve in rows.items():
        steady, back = back_from_change(curve) if changes else back_from_seasons(curve)
        table.add_row(name, *(f"{value:.2f}" for value in curve[EVERY - 1 :: EVERY]), f"{steady:.2f}", back)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
