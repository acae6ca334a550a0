"""What somebody gave as a warm-up is in no byte of the folder any more when its task is deleted."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.donation import Donation
from hgldp.collector.log.schema import FILE
from hgldp.collector.views import TaskTerms, TaskView
from hgldp.collector.writer import housekeeping
from hgldp.model.budget import Budget
from hgldp.model.domain import Vocabulary
from hgldp.model.task import Task
from tests.collector.fakes import SEARCH as ANOTHER
from tests.collector.fakes import FakeClock, create, now, open_by_hand, upload

MARKER = "Zaphod Beeblebrox of Betelgeuse Five"
PIECE = 24


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def donated(collector: Collector, items: int) -> tuple[TaskView, list[bytes]]:
    """A task that starts from raw items, and what to look for: the name of one, and how they are written."""
    draw = random.Random(items)
    given = Donation(tuple((number, draw.randrange(1, 100)) for number in range(items)))
    words = (MARKER, *(f"{draw.randbytes(8).hex()}" for _ in range(items)))
    task = Task("dsr", Budget(2.0), Vocabulary(words), k=2, cells=4, epoch=7, growth=0.0)
    made = collector.create_task(task, TaskTerms("given", warmup=given.size), given)
    view = collector.view(made.id)
    assert view is not None
    written = given.written()
    return view, [MARKER.encode(), *(written[at : at + PIECE] for at in range(0, len(written) - PIECE, PIECE))]


def left(folder: Path, traces: list[bytes]) -> set[str]:
    """The files that hold one of them."""
    found = {each.name: each.read_bytes() for each in folder.rglob("*") if each.is_file()}
    return {name for name, data in found.items() if any(trace in data for trace in traces)}


def keep_house(collector: Collector, clock: FakeClock) -> None:
    for _ in range(20):
        clock.advance(housekeeping.ROUND_SECONDS)
        collector.step()


@pytest.mark.parametrize("items", [10, 4_000], ids=["in a page", "over many pages"])
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside others"])
def test_a_deleted_warm_up_is_in_no_byte_of_the_folder(
    tmp_path: Path, clock: FakeClock, items: int, *, beside: bool
) -> None:
    """Before: it stayed in unused pages of the database, and in the write-ahead log."""
    with closing(open_by_hand(tmp_path, clock)) as collector:
        if beside:
            (other,) = create(collector, ANOTHER)
        view, traces = donated(collector, items)
        for _ in range(3):
            collector.offer(now(collector, view), upload(now(collector, view), 5))
            collector.step()
        keep_house(collector, clock)
        assert FILE in left(tmp_path, traces), "the test would see it"
        collector.delete_task(view.id)
        keep_house(collector, clock)
        assert left(tmp_path, traces) == set()
        if beside:
            assert now(collector, other).id == other.id
    assert left(tmp_path, traces) == set()


def test_a_reader_delays_that_and_keeps_nobody_waiting(tmp_path: Path, clock: FakeClock) -> None:
    with closing(open_by_hand(tmp_path, clock)) as collector:
        view, traces = donated(collector, 100)
        with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT COUNT(*) FROM warmups").fetchall()
            collector.delete_task(view.id)
            keep_house(collector, clock)
            assert left(tmp_path, traces), "the reader still sees it"
            assert collector.ready
        keep_house(collector, clock)
        assert left(tmp_path, traces) == set()


def test_a_process_that_was_killed_has_it_erased_by_the_next(tmp_path: Path, clock: FakeClock) -> None:
    """As its write-ahead log stays: here because of a reader, which keeps SQLite from deleting it."""
    collector = open_by_hand(tmp_path, clock)
    view, traces = donated(collector, 100)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM warmups").fetchall()
        collector.delete_task(view.id)
        collector.close()
        reader.execute("ROLLBACK")
        assert left(tmp_path, traces)
        with closing(open_by_hand(tmp_path, clock)) as second:
            keep_house(second, clock)
            assert left(tmp_path, traces) == set()
