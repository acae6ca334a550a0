"""Strings that nobody listed, under attack: what forged reports make of a string that nobody sends.

The attacker sees every bulletin. In the last third of the stream it lifts the cell that holds its string by eight
standard deviations an epoch, until the string has a cell of its own, and spends all that is left on that.
"""

import argparse
from dataclasses import dataclass
from math import ceil

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.strings.made_up import words
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import Estimate
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.simulation.strings import spell
from hgldp.stores.strings import OpenFrontier

K, SYMBOLS, SIZE, TARGET, LIFT = 20, 256, 3_000, "eas", 8.0
SETTINGS = ((100_000, 4.0), (100_000, 6.0), (1_000_000, 2.0))
PARTS = (0.001, 0.005)


@dataclass
class Attacker:
    """So many forged reports, spent where the bulletin says they count."""

    scheme: OpenPFR
    store: OpenFrontier
    start: int
    budget: int
    spent: int = 0

    def __call__(self, honest: int) -> None:
        """Before the epoch of these honest reports is sealed."""
        if self.store.reports < self.start or self.spent == self.budget:
            return
        code, mechanism = TARGET.encode() + b"\0", self.scheme.mechanism
        symbol = self.store.bulletin.symbol(code)
        named = symbol < len(self.store.bulletin.cells) and self.store.bulletin.cells[symbol].is_leaf
        lift = ceil(LIFT * (mechanism.variance * honest) ** 0.5 / mechanism.leverage)
        spent = self.budget - self.spent if named else min(lift, self.budget - self.spent)
        self.spent += spent
        self.store.insert([(symbol - mechanism.members[0]) % mechanism.modulus] * spent)


def attacked(n: int, epsilon: float, forged: int, seed: int, start: float = 2 / 3) -> tuple[Estimate | None, float]:
    """The published line of the string, if there is one, and what the forged reports are worth by what we say."""
    strings, domain, scheme = words(SIZE, np.random.default_rng(1)), StringDomain(), OpenPFR(SYMBOLS, epsilon)
    chances = 1.0 / np.arange(1, SIZE + 1)
    stream = np.random.default_rng(seed).choice(SIZE, n, p=chances / chances.sum()).astype(np.int32)
    store = OpenFrontier(scheme.mechanism, symbols=SYMBOLS, k=K, domain=domain)
    attacker = Attacker(scheme, store, int(start * n), forged)
    spell(scheme, store, [domain.code(text) for text in strings if text != TARGET], stream, seed, attacker)
    return dict(store.estimates(K)).get(TARGET), forged * scheme.worth_of_forgery(store.bulletin)


def main() -> None:
    """One row a setting and a part of forged reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    repeats = parser.parse_args().repeats
    table = Table(title=f"a string that nobody sends, {SYMBOLS} symbols, {repeats} seeds")
    for heading in ("reports", "ε", "forged", "published", "mean count", "most", "worth at most", "stands out"):
        table.add_column(heading, justify="right")
    for n, epsilon in SETTINGS:
        for part in PARTS:
            forged, found = int(part * n), []
            for seed in track(range(repeats), transient=True):
                line, worth = attacked(n, epsilon, forged, seed)
                found += [line] if line else []
            counts = [line.count for line in found] or [0.0]
            sure = sum(not line.may_be_noise for line in found)
            numbers = f"{np.mean(counts):,.0f}", f"{max(counts):,.0f}", f"{worth:,.0f}"
            table.add_row(
                f"{n:,}", f"{epsilon:g}", f"{forged:,}", f"{len(found)}/{repeats}", *numbers, f"{sure}/{repeats}"
            )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
