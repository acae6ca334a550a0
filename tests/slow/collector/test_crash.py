"""SIGKILL under load over real HTTP: what was acknowledged is counted once, and everything published follows again."""

from tests.slow.collector.crash_loop import check, crash_loop

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


FORGET_IDS = """
from hgldp.collector.log.upload_ids import UploadIds
UploadIds.known = lambda *_: set()
"""


def test_two_kills_lose_nothing_and_count_nothing_twice() -> None:
    check(crash_loop(kills=2, seed=1, load_seconds=0.6))


def test_kills_while_reports_are_deleted_and_backups_are_made() -> None:
    outcome = crash_loop(kills=2, seed=3, load_seconds=0.6, folding=True)
    check(outcome)
    assert outcome.folded > 0


def test_a_server_that_forgets_ids_is_found_out_by_its_numbers() -> None:
    assert crash_loop(kills=1, seed=5, load_seconds=0.4, plant=FORGET_IDS, folding=True).twice > 0


def test_a_server_that_acknowledges_first_is_found_out() -> None:
    assert crash_loop(kills=1, seed=2, load_seconds=0.6, plant=ACKNOWLEDGE_FIRST).lost > 0
