"""The frontier that keeps every cell differs from ours in that alone, and leaves no trace."""

from benchmarks.frontier.width import every_cell, outcome
from hgldp.experiments.measuring.streams import Library
from hgldp.stores.frontier import store as frontier
from hgldp.stores.frontier.width import best_width


def test_a_small_domain_differs_and_a_long_tail_does_not() -> None:
    library = Library()
    for stream, epsilon, differs in (("uniform:n=20000,d=40", 6.0, True), ("zipf:n=20000,d=5000,s=0.8", 2.0, False)):
        drawn = library.draw(stream, 1)
        found = [outcome(width, drawn, 0.0, epsilon, 1) for width in (every_cell, best_width)]
        assert (found[0] != found[1]) == differs
    assert frontier.best_width is best_width
