"""The draws that stay in a register are the draws of the Python client."""

from typing import Any

import numpy as np
import pytest

from hgldp.kernels.compile import kernel
from hgldp.kernels.words import draw, draw_below, first_kept
from hgldp.model.randomness import SeededWords


@kernel
def both_ways(bound: Any, state: Any, out: Any) -> None:
    kept = first_kept(bound)
    fixed = varying = state[0]
    for place in range(out.shape[1]):
        out[0, place], fixed = draw(fixed, bound, kept)
        out[1, place], varying = draw_below(varying, bound)
    state[0], state[1] = fixed, varying


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 2**32, 11674931554, 2**62 + 1, 2**63 // 3 * 2 + 1, 2**63 - 1, 2**63])
def test_a_kernel_draws_the_same_integers_as_the_client(bound: int) -> None:
    """Bounds just above a divisor of 2^64 are rejected up to half of the time, so that the loop is really entered."""
    words, out, state = SeededWords(3), np.empty((2, 500), np.uint64), np.array([3, 0], np.uint64)
    expected = [words.below(bound) for _ in range(500)]
    both_ways(np.uint64(bound), state, out)
    assert [row.tolist() for row in out] == [expected] * 2
    assert state.tolist() == [words.state] * 2
