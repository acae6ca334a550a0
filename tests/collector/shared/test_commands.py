"""What an admin asks for while the database fails: a key that is durable is told, and nobody is told where it is."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from hgldp.collector.app import build_app
from hgldp.collector.collector import Collector
from hgldp.collector.log.postgres.store import PostgresStorage
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.collector.shared.keeper import Keeper
from hgldp.collector.tokens import digest
from hgldp.collector.views import TaskTerms
from hgldp.errors import StorageFailed
from tests.collector.fakes import SEARCH, create
from tests.collector.live_service import NUMBERS
from tests.collector.shared.conftest import Pair

LOST = 'connection to server at "db.internal" (10.0.0.9), port 5432 failed'


def lost(*_: Any, **__: Any) -> None:
    raise StorageFailed(LOST)


def then_lost(honest: Callable[..., object]) -> Callable[..., None]:
    """It is committed, and the connection breaks before anybody hears of it."""

    def committed(*given: Any) -> None:
        honest(*given)
        raise StorageFailed(LOST)

    return committed


def ask(collector: Collector, path: str, body: object) -> httpx.Response:
    """As a new admin, over HTTP."""
    assert collector.office is not None
    headers = {"authorization": f"Bearer {collector.office.add('ann')}"}
    app = build_app(collector, Settings(store="postgresql://db/x"))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)

    async def answer() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://collector") as http:
            return await http.post(path, json=body, headers=headers)

    return asyncio.run(answer())


@pytest.mark.parametrize("what", ["last_number", "write_tasks"])
def test_a_new_task_without_a_database_is_no_fault_of_the_task(
    pair: Pair, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresStorage, what, lost)
    answer = ask(pair[0], "/v1/tasks", NUMBERS)
    assert (answer.status_code, answer.json()["type"]) == (503, Problem.STORAGE_FULL.type)
    assert answer.headers["retry-after"]
    assert "db.internal" not in answer.text


@pytest.mark.parametrize(
    ("path", "body", "what"),
    [
        ("rename", {"name": "other"}, "change_task"),
        ("rotate-key", {}, "change_task"),
        ("rotate-token", {}, "change_task"),
        ("delete", {"name": "pfr"}, "write_tasks"),
        ("seal", {}, "request"),
        ("close", {}, "request"),
    ],
)
def test_no_command_is_refused_for_another_reason(
    pair: Pair, path: str, body: object, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (view,) = create(pair[0], SEARCH)
    monkeypatch.setattr(PostgresStorage, what, lost)
    answer = ask(pair[0], f"/v1/tasks/{view.id.hex()}/{path}", body)
    assert (answer.status_code, answer.json()["type"]) == (503, Problem.STORAGE_FULL.type), answer.text
    assert "db.internal" not in answer.text


def test_a_key_whose_commit_nobody_heard_of_is_told(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = pair
    with monkeypatch.context() as planted:
        planted.setattr(PostgresStorage, "write_tasks", then_lost(PostgresStorage.write_tasks))
        made = first.create_task(SEARCH, TaskTerms("ours"))
    second.step()
    assert second.find_key(made.write_key) is not None


def test_a_task_that_another_has_just_created_keeps_its_key(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = pair
    made = first.create_task(SEARCH, TaskTerms("ours"))
    monkeypatch.setattr(PostgresStorage, "write_tasks", lost)
    with pytest.raises(Refused) as refused:
        second.create_task(SEARCH, TaskTerms("theirs"))
    assert refused.value.problem is Problem.TASK_EXISTS
    assert first.find_key(made.write_key) is not None


def test_a_task_that_was_not_written_is_not_told(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PostgresStorage, "write_tasks", lost)
    with pytest.raises(Refused) as refused:
        pair[0].create_task(SEARCH, TaskTerms("ours"))
    assert refused.value.problem is Problem.STORAGE_FULL
    assert LOST not in str(refused.value)


def test_a_rotation_whose_commit_nobody_heard_of_is_told(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = pair
    (view,) = create(first, SEARCH)
    with monkeypatch.context() as planted:
        planted.setattr(PostgresStorage, "change_task", then_lost(PostgresStorage.change_task))
        first.change_task(view.id, write_digest=digest("the new key"))
    second.step()
    assert second.find_key("the new key") is not None


def test_a_rotation_that_was_not_written_is_not_told(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    (view,) = create(pair[0], SEARCH)
    monkeypatch.setattr(PostgresStorage, "change_task", lost)
    with pytest.raises(Refused) as refused:
        pair[0].change_task(view.id, write_digest=digest("the new key"))
    assert refused.value.problem is Problem.STORAGE_FULL


def test_a_new_key_is_told_even_if_the_views_come_later(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = pair
    (view,) = create(first, SEARCH)
    with monkeypatch.context() as planted:
        planted.setattr(Keeper, "catch_up", lambda *_: False)
        answer = ask(first, f"/v1/tasks/{view.id.hex()}/rotate-key", {})
    assert answer.status_code == 200, answer.text
    second.step()
    assert second.find_key(answer.json()["write_key"]) is not None
