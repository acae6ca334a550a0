"""Ours is the store itself, each other choice changes what it names, and none leaves a trace."""

import numpy as np

from benchmarks.strings.choices import CHOICES, MODULES, Choice
from benchmarks.strings.made_up import recall, words


def constants() -> dict[str, object]:
    """The constants that any choice changes."""
    named = {name for choice in CHOICES for name in choice.changed}
    return {name: getattr(MODULES[name.split(".")[0]], name.split(".")[1]) for name in named}


def test_ours_is_the_store_itself_and_a_choice_leaves_no_trace() -> None:
    strings, shares, before = words(500, np.random.default_rng(1)), 1.0 / np.arange(1, 501), constants()
    ours = recall(strings, shares, 20_000, 4.0, 1)
    for choice in CHOICES[1:]:
        assert 0 <= choice.found(strings, shares, 5_000, 4.0, 1) <= 20
    assert constants() == before
    assert CHOICES[0] == Choice("ours")
    assert CHOICES[0].found(strings, shares, 20_000, 4.0, 1) == ours > 0


def test_every_choice_differs_from_ours() -> None:
    now = constants()
    assert all(now[name] != value for choice in CHOICES for name, value in choice.changed.items())
