"""What a list is worth: the lists are as the page says, and a bar that is missed is told."""

import numpy as np

from benchmarks.strings.contest.populations import Strings, top
from benchmarks.strings.hints.lists import Kind, list_of
from benchmarks.strings.hints.rows import ON, Row, Run, failures

NAMES = Strings(
    tuple(f"{start}{end}" for start in range(100, 160) for end in "abcdefghijklmnopqrst"), np.arange(1_200.0), None
)


def row(none: float, good: float, wrong: float, title: str = ON, more: float = 0.0) -> Row:
    values: dict[Kind, float] = {
        "no list": none,
        "no list, 2,048 symbols": more,
        "good list": good,
        "wrong list": wrong,
    }
    return Row(title, 2.0, {kind: [Run(value, 1), Run(value, 2)] for kind, value in values.items()})


def test_a_good_list_has_most_of_the_frequent_ones_and_a_wrong_one_none() -> None:
    good, wrong = list_of("good list", NAMES, 64, 1), list_of("wrong list", NAMES, 64, 1)
    assert good is not None
    assert wrong is not None
    assert (good.size, wrong.size, list_of("no list", NAMES, 64, 1)) == (20_800, 20_000, None)
    frequent = {NAMES.texts[place] for place in top(NAMES.weights, 1_000)}
    assert len(frequent & set(good.strings)) == len(set(NAMES.texts) & set(good.strings)) == 800
    assert not set(NAMES.texts) & set(wrong.strings)


def test_bars_that_are_missed_are_told() -> None:
    assert failures([row(0.5, 0.75, 0.47), row(0.5, 0.1, 0.5, "words")]) == []
    assert "at least 0.75" in failures([row(0.5, 0.74, 0.5)])[0]
    assert "at most 0.03" in failures([row(0.5, 0.8, 0.46, "words")])[0]
    shown = row(0.5, 0.8, 0.6, "words", more=0.64)
    assert failures([shown]) == []
    assert "-0.04" in shown.cells()[-2]
