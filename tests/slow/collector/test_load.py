"""A short run of `make load`: every kind of request is answered, and what was acknowledged is counted once.

Speeds are not judged here, where the machine is shared with the other tests: `make load` does that.
"""

import uvloop

from benchmarks.load.__main__ import run


def test_a_short_load() -> None:
    found = uvloop.run(run(seconds=1.0, rounds=1, memory_seconds=2.0, connections=64))
    assert found["acknowledged"] > 0
    assert found["refused"] == 0
    assert found["miscounted"] == 0
    assert set(found) >= {"ratio", "batch_reports_per_second", "single_p99_ms", "memory_growth"}
