"""A short run of `make load`: nothing acknowledged is missing, and the figures are of the right order.

The thresholds are half of what `make load` asks for: the machine is shared with the other tests here.
"""

import uvloop
from benchmarks.load import run


def test_a_short_load() -> None:
    found = uvloop.run(run(seconds=1.0, rounds=1, memory_seconds=2.0, connections=256))
    assert found["ratio"] > 0.25
    assert found["batch_reports_per_second"] > 1e6
    assert found["memory_growth"] < 0.2
    assert found["single_p99_ms"] < 5_000
