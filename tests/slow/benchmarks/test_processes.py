"""Pieces of work come back with what they gave, from one process or two."""

import os
from math import sqrt

import pytest

from benchmarks.processes import MOST_PROCESSES, spread


@pytest.mark.parametrize("processes", [1, 2])
def test_every_piece_comes_back_once_with_its_own_result(processes: int) -> None:
    numbers = [16.0, 1.0, 9.0, 4.0]
    assert dict(spread(sqrt, numbers, processes, "roots")) == {16.0: 4.0, 1.0: 1.0, 9.0: 3.0, 4.0: 2.0}


def test_nobody_takes_more_than_two_processes() -> None:
    found = {process for _, process in spread(_process, list(range(20)), 8, "processes")}
    assert os.getpid() not in found
    assert len(found) <= MOST_PROCESSES


@pytest.mark.parametrize("processes", [1, 2])
def test_a_failure_is_not_lost(processes: int) -> None:
    with pytest.raises(ValueError, match="math domain error"):
        list(spread(sqrt, [1.0, -1.0, 4.0], processes, "roots"))


def _process(_: int) -> int:
    return os.getpid()
