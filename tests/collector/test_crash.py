"""SIGKILL under load over real HTTP: what was acknowledged is counted once, and everything published follows again."""

from tests.collector.crash_loop import check, crash_loop

ACKNOWLEDGE_FIRST = """
from hgldp.collector.log.sqlite import SQLiteStorage
honest, held = SQLiteStorage.write, []
def write(self, batch):
    held.append(batch)
    if batch.tasks or len(held) > 30:
        for each in held:
            honest(self, each)
        held.clear()
SQLiteStorage.write = write
"""


def test_three_kills_lose_nothing_and_count_nothing_twice() -> None:
    check(crash_loop(kills=3, seed=1, load_seconds=0.4))


def test_a_server_that_acknowledges_first_is_found_out() -> None:
    assert crash_loop(kills=1, seed=2, load_seconds=0.6, plant=ACKNOWLEDGE_FIRST).lost > 0
