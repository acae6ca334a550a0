"""Collectors that share a database read a list of strings when a task comes that names it, and never again."""

from typing import Any

import pytest

from hgldp.collector.log.postgres.reading import DatabaseReading
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.task import Task
from tests.collector.fakes import HOT, SEARCH, create, now
from tests.collector.shared.conftest import Pair

HINTS = Hints.of(f"string number {number}" for number in range(30_000))
LISTED, LISTED_TOO = (Task("pfr", epsilon=2.0, domain=StringDomain(32, HINTS), k=k) for k in (3, 5))


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes each read of the database brought."""
    sizes: list[int] = []
    honest = DatabaseReading._read

    def read(reading: DatabaseReading, sql: str, *values: object) -> list[Any]:
        found = honest(reading, sql, *values)
        sizes.append(sum(len(each) for row in found for each in row if isinstance(each, bytes)))
        return found

    monkeypatch.setattr(DatabaseReading, "_read", read)
    return sizes


def test_a_change_of_tasks_reads_no_list_again(pair: Pair, fetched: list[int]) -> None:
    first, second = pair
    (listed,) = create(first, LISTED)
    second.step()
    assert sum(fetched) >= len(HINTS.data), "the second reads what the first has created"
    fetched.clear()
    (other,) = create(first, SEARCH)
    second.step()
    first.change_task(listed.id, name="renamed")
    second.step()
    first.delete_task(other.id)
    second.step()
    assert now(second, listed).terms.name == "renamed"
    assert [view.id for view in second.tasks()] == [listed.id]
    assert sum(fetched) < len(HINTS.data)


def test_tasks_that_name_one_list_share_it(pair: Pair) -> None:
    first, second = pair
    create(first, LISTED)
    create(second, LISTED_TOO)
    create(first, HOT)
    first.step()
    second.step()
    lists = [view.task.hints for each in pair for view in each.tasks() if view.task.hints is not None]
    assert len(lists) == 4
    assert {id(each) for each in lists} == {id(HINTS)}
    assert [row.document for row in first.storage.tasks()] == [LISTED.canonical, LISTED_TOO.canonical, HOT.canonical]
