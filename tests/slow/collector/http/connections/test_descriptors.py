"""The descriptors decide how many connections there are room for."""

import subprocess
import sys

import pytest

from tests.patience import PATIENCE

PROGRAM = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
from hgldp.collector.http.connections.descriptors import places_for
print(places_for({wanted}), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(
    ("soft", "hard", "wanted", "found"),
    [(256, 4_096, 10_000, (3_904, 4_096)), (1_024, 1_024, 10_000, (832, 1_024)), (256, 4_096, 100, (100, 4_096)),
     (64, 64, 10_000, (16, 64))],
)  # fmt: skip
def test_the_soft_limit_is_raised_and_a_reserve_stays(
    soft: int, hard: int, wanted: int, found: tuple[int, int]
) -> None:
    program = PROGRAM.format(soft=soft, hard=hard, wanted=wanted)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert tuple(map(int, done.stdout.split())) == found
