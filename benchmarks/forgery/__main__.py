"""`python -m benchmarks.forgery`: how far forged reports push an item of rank 401, beside what the schemes state."""

import argparse

import numpy as np
from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

from benchmarks.forgery.attack import ATTACKS, STREAM, Attack, K, Result, attacked

SCHEMES = ("bgr", "dsr", "bdr", "cnr", "pfr")
EPSILONS = (1.0, 2.0, 4.0)
ALLOWED = 3.0
HEADINGS = ("scheme", "ε", "attack", "forged", "worth", "mean", "worst", "published", "certain")


def row(scheme: str, epsilon: float, attack: Attack, found: list[Result]) -> tuple[str, ...]:
    """Mean and worst published count over (true count + worth × forged), how often published, and how often certain."""
    over = [each.over_statement for each in found]
    published, certain = np.mean([each.count is not None for each in found]), np.mean([each.certain for each in found])
    sent, worth = np.mean([each.sent for each in found]), max(each.worth for each in found)
    figures = f"{np.mean(over):.2f}", f"{max(over):.2f}", f"{published:.0%}", f"{certain:.0%}"
    return (scheme, f"{epsilon:g}", attack.name, f"{sent:.0f}", f"{worth:,.1f}", *figures)


def main() -> None:
    """One row a scheme, ε and attack."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forgery", description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--schemes", nargs="+", default=SCHEMES, metavar="NAME")
    parser.add_argument("--epsilons", nargs="+", type=float, default=EPSILONS, metavar="E")
    chosen = parser.parse_args()
    table = Table(title=f"{STREAM}, cold, k = {K}, {chosen.repeats} runs: count / (true count + worth × forged)")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading in ("scheme", "attack") else "right")
    cases = [
        (scheme, epsilon, attack) for scheme in chosen.schemes for epsilon in chosen.epsilons for attack in ATTACKS
    ]
    broken = []
    for scheme, epsilon, attack in shown(cases, "attacking", transient=True):
        found = [attacked(scheme, epsilon, attack, seed) for seed in range(chosen.repeats)]
        table.add_row(*row(scheme, epsilon, attack, found))
        if max(each.over_statement for each in found) > ALLOWED:
            broken.append(f"{scheme} at ε = {epsilon:g}: {attack.name}")
    Console(width=130).print(table)
    print("\n".join(f"above {ALLOWED:g} times what is stated: {each}" for each in broken) or "every statement holds")


if __name__ == "__main__":
    main()
