"""Whole streams through unary encoding and subset selection: a report is a mask over all values.

All weights are uint64. Each kernel draws exactly as the Python client does.
"""

from typing import Any

import numpy as np

from hgldp.kernels.compile import kernel
from hgldp.kernels.words import draw, draw_below, first_kept

_1 = np.uint64(1)


@kernel
def add_unary(stream: Any, own_set: Any, own_bound: Any, set_weight: Any, bound: Any, scores: Any, state: Any) -> None:
    """Add the reports of a stream to the scores: one draw a bit."""
    kept_own, kept = first_kept(own_bound), first_kept(bound)
    counter = state[0]
    for value in stream:
        for bit in range(value):
            drawn, counter = draw(counter, bound, kept)
            scores[bit] += drawn < set_weight
        drawn, counter = draw(counter, own_bound, kept_own)
        scores[value] += drawn < own_set
        for bit in range(value + 1, scores.size):
            drawn, counter = draw(counter, bound, kept)
            scores[bit] += drawn < set_weight
    state[0] = counter


@kernel
def add_subset(stream: Any, chosen: Any, include: Any, exclude: Any, taken: Any, scores: Any, state: Any) -> None:
    """Add the reports of a stream to the scores; `taken` is work space, the number of the last report to hold each."""
    bound = include + exclude
    kept = first_kept(bound)
    others = np.uint64(scores.size - 1)
    counter = state[0]
    taken[:] = -1
    for report, value in enumerate(stream):
        drawn, counter = draw(counter, bound, kept)
        included = drawn < include
        own = np.uint64(value)
        first = others - chosen
        if included:
            scores[own] += 1
            first += _1
        for last in range(first, others):
            other, counter = draw_below(counter, np.uint64(last) + _1)
            if taken[other] == report:
                other = np.uint64(last)
            taken[other] = report
            scores[other + _1 if other >= own else other] += 1
    state[0] = counter
