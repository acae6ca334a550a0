"""A folder and a database that carry out the same transactions and deletions give the same answers to every read."""

import tempfile
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hgldp.collector.donation import Donation
from hgldp.collector.log.postgres.leftovers import OF_A_TASK
from hgldp.collector.log.postgres.store import PostgresStorage
from hgldp.collector.log.storage import Transaction
from hgldp.collector.log.takeover.era import ERA
from hgldp.collector.views import TaskTerms
from hgldp.errors import StorageFailed
from tests.collector.fakes import FaultyStorage
from tests.collector.homes import DatabaseHome
from tests.collector.log.sample_rows import BULLETIN, ENTRY, KEPT, MILESTONE, RESULT, SNAPSHOT, TAKEOVER, TASK
from tests.collector.log.test_stores import AnyStorage, everything

NUMBERS, EPOCHS = st.integers(1, 3), st.integers(0, 4)


@st.composite
def transactions(draw: Any) -> tuple[str, Any]:
    """A few rows of any kind, which may clash with those that are there; positions are given later."""

    def some(row: st.SearchStrategy[Any]) -> Any:
        return draw(st.lists(row, max_size=2))

    def task(number: int) -> Any:
        return replace(TASK, number=number, id=bytes([number]) * 32, write_digest=bytes([number]) * 32)

    floats, data = st.floats(0, 100), st.binary(max_size=9)
    bulletin = st.builds(
        lambda task, epoch, data: replace(BULLETIN, version=f"{task}{epoch}" * 32, task=task, epoch=epoch, data=data),
        NUMBERS, EPOCHS, data,
    )  # fmt: skip
    result = st.builds(
        lambda task, epoch: replace(RESULT, task=task, result=replace(RESULT.result, epoch=epoch)), NUMBERS, EPOCHS
    )
    kept = st.builds(
        lambda task, epoch, data: replace(KEPT, task=task, epoch=epoch, opened=data), NUMBERS, EPOCHS, data
    )
    milestone = st.builds(
        lambda task, epoch, at, time: replace(MILESTONE, task=task, epoch=epoch, position=at, time=time),
        NUMBERS, EPOCHS, st.integers(1, 9), floats,
    )  # fmt: skip
    renamed = st.builds(
        lambda number, name: replace(task(number), terms=TaskTerms(name)), NUMBERS, st.text("aé", min_size=1)
    )
    entry = st.builds(
        lambda task, time, data: replace(ENTRY, task=task, time=time, symbols=data), NUMBERS, floats, data
    )
    snapshot = st.builds(lambda task, opened: replace(SNAPSHOT, task=task, opened=opened), NUMBERS, data | st.none())
    takeover = st.builds(lambda task, epoch: replace(TAKEOVER, task=task, epoch=epoch), NUMBERS, EPOCHS)
    return "write", Transaction(
        tasks=some(NUMBERS.map(task)),
        entries=some(entry),
        bulletins=some(bulletin),
        results=some(result),
        kept=some(kept),
        milestones=some(milestone),
        snapshots={row.task: row for row in some(snapshot)},
        days=draw(st.dictionaries(st.tuples(NUMBERS, st.integers(0, 5)), st.integers(1, 9), max_size=2)),
        changed=list({row.number: row for row in some(renamed)}.values()),
        deleted=draw(st.lists(NUMBERS, max_size=1)),
        warmups=draw(st.dictionaries(NUMBERS, st.just(Donation(((1, 2),))), max_size=1)),
        takeovers=list({row.task: row for row in some(takeover)}.values()),
        era=draw(st.none() | st.integers(0, 5)),
    )


DELETIONS = st.one_of(
    st.tuples(st.just("prune"), st.tuples(NUMBERS, st.integers(0, 20), st.floats(0, 100))),
    st.tuples(st.just("expire"), st.tuples(NUMBERS, st.floats(0, 100))),
    st.tuples(st.just("tidy"), st.just(())),
)
STEPS = st.lists(st.one_of(transactions(), transactions(), DELETIONS), min_size=1, max_size=8)


def carried_out(storage: AnyStorage, verb: str, values: Any) -> bool:
    """To the end; False if it was refused."""
    try:
        if verb == "write":
            storage.write(values)
        else:
            while getattr(storage, verb)(*values):
                pass
    except StorageFailed:
        return False
    return True


def emptied(url: str) -> None:
    with psycopg.connect(url) as connection:
        for table in (*OF_A_TASK, "tasks"):  # TRUNCATE makes new files, and takes ten times as long
            connection.execute(f"DELETE FROM {table}".encode())  # noqa: S608
        connection.execute("UPDATE sealer SET position = 0, batch = 0")
        connection.execute("UPDATE service SET value = %s WHERE name = 'era'", (str(ERA),))


def check(url: str, steps: list[Any]) -> None:
    database = DatabaseHome(url).storage()
    emptied(url)
    with tempfile.TemporaryDirectory() as folder:
        both: list[AnyStorage] = [FaultyStorage(Path(folder)), database]
        positions = count(1)
        for batch, (verb, values) in enumerate(steps, start=1):
            if verb == "write":
                values.entries = [replace(row, position=next(positions), batch=batch) for row in values.entries]
            assert carried_out(both[0], verb, values) == carried_out(both[1], verb, values)
        assert everything(both[0], 3) == everything(both[1], 3)
        for each in both:
            each.close()


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_any_sequence_of_transactions_reads_the_same_in_both_stores(postgres_url: str, steps: list[Any]) -> None:
    check(postgres_url, steps)


def test_a_store_that_forgets_to_add_to_a_day_is_seen(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    twice = [("write", Transaction([TASK], days={(1, 3): 4})), ("write", Transaction(days={(1, 3): 5}))]
    check(postgres_url, twice)
    honest = PostgresStorage.write

    def forgetful(storage: PostgresStorage, transaction: Transaction) -> None:
        honest(storage, transaction if transaction.tasks else replace(transaction, days={}))

    monkeypatch.setattr(PostgresStorage, "write", forgetful)
    with pytest.raises(AssertionError):
        check(postgres_url, twice)
