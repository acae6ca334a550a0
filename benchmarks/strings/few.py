"""Few strings, and strings that nobody sent: how often intervals hold of lines that stand out, and of marked ones."""

import argparse
from collections import Counter
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.coverage.row import percent
from benchmarks.coverage.truth import Items, judge, judge_since, whole_counts
from benchmarks.strings.made_up import SYMBOLS, Shares, kinds_of_strings
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import Answer
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.simulation.strings import spell
from hgldp.stores.strings import OpenFrontier

SIX = ["mat", "mate", "maté", "☕", "🍵", "👩‍👩‍👧"]
SEARCHES = ["weather", "news", "train times", "maté", "https://www.example.com/articles/tea"]


class Setting(NamedTuple):
    """A stream, and what is asked of it."""

    name: str
    strings: list[str]
    shares: Shares
    reports: int
    epsilon: float
    k: int


def settings() -> list[Setting]:
    """From one string to a long tail; of the fifty words, each has 0.8 times the share of the last."""
    words, zipf = kinds_of_strings(None)["words"]
    six, rare = np.array([9.0, 9, 14, 22, 27, 18]), [f"question {number}" for number in range(1, 2_001)]
    searches, asked = SEARCHES + rare, np.array([6.0, 5, 4, 3, 2, *[0.01] * 2_000])
    return [
        Setting("one string", ["tea"], np.ones(1), 60_000, 4.0, 20),
        Setting("two strings", ["tea", "coffee"], np.array([0.9, 0.1]), 200_000, 2.0, 20),
        Setting("six strings", SIX, six, 60_000, 4.0, 60),
        Setting("six strings", SIX, six, 60_000, 4.0, 8),
        Setting("searches", searches, asked, 100_000, 4.0, 10),
        Setting("searches", searches, asked, 400_000, 2.0, 10),
        Setting("fifty words", words[:50], np.array([0.8**place for place in range(50)]), 100_000, 6.0, 20),
        Setting("words", words, zipf, 100_000, 4.0, 20),
        Setting("words", words, zipf, 300_000, 2.0, 20),
    ]


def tally(answer: Answer, strings: list[str], stream: Items) -> Counter[str]:
    """How many lines stand out and how many are marked, how many of each hold, and what is said of unsent strings."""
    counts = np.append(whole_counts(stream, len(strings)), 0.0)  # the last one is for strings that nobody sent
    place_of, found = {text: place for place, text in enumerate(strings)}, Counter[str]()
    for text, shown in answer:
        line = replace(shown, item=place_of.get(str(text), len(strings)))
        kind, since = "marked" if line.may_be_noise else "out", judge_since(line, stream)
        found[kind] += 1
        found[f"{kind} whole"] += judge(line, counts).held
        found[f"{kind} since"] += since is not None and since.held
        if not counts[line.item]:
            found["unsent"] += 1
            found["unsent above 0"] += line.interval[0] > 0
    return found


def measured(setting: Setting, seeds: range) -> Counter[str]:
    """All runs of a setting together."""
    domain, scheme, found = StringDomain(), OpenPFR(SYMBOLS, setting.epsilon), Counter[str]()
    codes, chances = [domain.code(text) for text in setting.strings], setting.shares / setting.shares.sum()
    for seed in seeds:
        stream = np.random.default_rng(seed).choice(len(codes), setting.reports, p=chances).astype(np.int32)
        store = OpenFrontier(scheme.mechanism, symbols=SYMBOLS, k=setting.k, domain=domain)
        spell(scheme, store, codes, stream, seed)
        found += tally(Answer(store.estimates(setting.k)), setting.strings, stream)
    return found


def main() -> None:
    """One row a setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    repeats = parser.parse_args().repeats
    table = Table(title=f"{SYMBOLS} symbols, {repeats} seeds")
    headings = ("stand out", "whole stream", "since tracked", "may be noise", "whole stream", "since tracked")
    for heading in ("stream", "reports", "ε", "k", *headings, "never sent", "above 0"):
        table.add_column(heading, justify="left" if heading == "stream" else "right")
    for setting in settings():
        found = measured(setting, range(1_000, 1_000 + repeats))
        cells = [setting.name, f"{setting.reports:,}", f"{setting.epsilon:g}", f"{setting.k}"]
        for kind in ("out", "marked"):
            held = (found[f"{kind} {which}"] / max(1, found[kind]) for which in ("whole", "since"))
            cells += [f"{found[kind]}", *(percent(each) if found[kind] else "–" for each in held)]
        table.add_row(*cells, f"{found['unsent']}", f"{found['unsent above 0']}")
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
