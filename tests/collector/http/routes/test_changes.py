"""A task that runs gets another name, key or token, and goes with all it has; and every deed is in the admin log."""

import asyncio
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest

from hgldp.collector.admin_log import read_admin_log
from hgldp.collector.admins import add_admin, remove_admin, rotate_admin
from hgldp.collector.app import build_app
from hgldp.collector.dashboard.live import stream
from hgldp.collector.http.documents.schema import in_utc
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.collector.tokens import kept
from hgldp.collector.views import Receipt, TaskTerms
from tests.collector.fakes import SEARCH, FakeClock, create, now, open_by_hand, upload
from tests.collector.live_service import ADMIN, NUMBERS, WORDS, Made, Service, live_service
from tests.patience import PATIENCE


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with live_service(tmp_path / "data") as running:
        yield running


@pytest.fixture
def made(service: Service) -> Made:
    found = service.create(**WORDS)
    assert service.upload(found, ["tea"] * 150).status_code == 200
    return found


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def change(service: Service, made: Made, action: str, **fields: Any) -> httpx.Response:
    return service.http.post(f"{made.path}/{action}", json=fields, headers=service.admin)


def status_of(service: Service, made: Made, key: str, body: bytes) -> int:
    return service.http.post(f"/v1/in/{key}", content=body).status_code


@pytest.mark.parametrize("path", ["/tasks/{id}/live", "/v1/tasks/{id}/events", "/live"])
def test_streams_that_an_old_token_opened_end_when_there_is_a_new_one(
    service: Service, made: Made, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BEAT_SECONDS", 0.1)
    cookie = httpx.post(f"{service.url}/sign-in", data={"token": made.token, "task": made.id}, trust_env=False).cookies
    held = {"cookie": "; ".join(f"{name}={value}" for name, value in cookie.items())}
    with service.http.stream("GET", path.format(id=made.id), headers=held, timeout=PATIENCE) as answer:
        lines = answer.iter_lines()
        while "Drinks" not in next(lines):
            pass
        assert change(service, made, "rotate-token").status_code == 200
        assert len(list(islice(lines, 100))) < 100


def test_a_new_name_is_all_that_changes(service: Service, made: Made) -> None:
    before = service.http.get(made.path, headers=service.admin).json()
    after = change(service, made, "rename", name="Hot drinks").json()
    assert after == before | {"name": "Hot drinks"}
    for name in ("", "x" * 201, "a\x1b[2Jb", 7, None):
        answer = change(service, made, "rename", name=name)
        assert (answer.status_code, answer.json()["type"]) == (400, "urn:hgldp:problem:malformed-task")
    assert service.http.get(made.path, headers=service.admin).json()["name"] == "Hot drinks"


def test_a_new_key_replaces_the_old_one_at_once_unless_it_is_kept(service: Service, made: Made) -> None:
    body = service.draw(made, ["tea"])
    told = change(service, made, "rotate-key").json()
    assert set(told) == {"id", "write_key", "upload", "old_until"}
    assert status_of(service, made, made.key, body) == 404
    assert service.http.get(f"{made.path}/bulletin", headers=bearer(made.key)).status_code == 404
    assert status_of(service, made, told["write_key"], body) == 200
    again = change(service, made, "rotate-key", keep_old_hours=2).json()
    for key in (told["write_key"], again["write_key"]):
        assert status_of(service, made, key, body) == 200
        assert service.http.get(f"{made.path}/document", headers=bearer(key)).status_code == 200
    assert status_of(service, made, made.key, body) == 404
    for hours in (-1, 1.5, "1", 24 * 365 + 1):
        assert change(service, made, "rotate-key", keep_old_hours=hours).status_code == 400


def test_an_old_key_ends_when_its_time_is_over(service: Service, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    change(service, made, "rotate-key", keep_old_hours=1)
    assert service.collector.find_key(made.key) is not None
    now = time.time()
    monkeypatch.setattr(service.collector._clock, "now", lambda: now + 3_599)
    assert service.collector.find_key(made.key) is not None
    monkeypatch.setattr(service.collector._clock, "now", lambda: now + 3_601)
    assert service.collector.find_key(made.key) is None


def test_changes_survive_a_restart(tmp_path: Path) -> None:
    with live_service(tmp_path / "data") as service:
        made = service.create(**WORDS)
        change(service, made, "rename", name="Renamed")
        told = change(service, made, "rotate-key", keep_old_hours=1).json()
        token = service.http.post(f"{made.path}/rotate-token", headers=service.admin).json()["read_token"]
        other = service.create(**NUMBERS)
        assert change(service, other, "delete", name="Pages").status_code == 200
    with live_service(tmp_path / "data") as service:
        (only,) = service.http.get("/v1/tasks", headers=service.admin).json()["tasks"]
        assert (only["id"], only["name"]) == (made.id, "Renamed")
        assert service.http.get(f"{made.path}/top", headers=bearer(token)).status_code == 200
        assert service.http.get(f"{made.path}/top", headers=bearer(made.token)).status_code == 401
        for key in (made.key, told["write_key"]):
            assert service.collector.find_key(key) is not None
        assert service.create(**NUMBERS).id == other.id


def test_a_new_read_token_shuts_out_the_old_one_and_its_cookies(service: Service, made: Made) -> None:
    with httpx.Client(base_url=service.url, trust_env=False) as browser:
        assert browser.post("/sign-in", data={"task": made.id, "token": made.token}).status_code == 303
        assert browser.get(f"/tasks/{made.id}").status_code == 200
        told = service.http.post(f"{made.path}/rotate-token", headers=service.admin).json()
        assert browser.get(f"/tasks/{made.id}").status_code == 401
    assert service.http.get(f"{made.path}/top", headers=bearer(made.token)).status_code == 401
    assert service.http.get(f"{made.path}/top", headers=bearer(told["read_token"])).status_code == 200


def test_a_deleted_task_is_gone_with_all_it_had(service: Service, made: Made) -> None:
    other = service.create(**NUMBERS)
    body, version = service.draw(made, ["tea"]), service.collector.view(bytes.fromhex(made.id)).bulletin.version  # type: ignore[union-attr]
    for wrong in ({}, {"name": "drinks"}, {"name": "Drinks", "yes": True}):
        assert change(service, made, "delete", **wrong).status_code == 400
    assert change(service, made, "delete", name="Drinks").json() == {"id": made.id, "reports": 150}
    assert service.http.get(made.path, headers=service.admin).status_code == 404
    assert service.http.get(f"/v1/bulletins/{version}", headers=service.admin).status_code == 404
    assert status_of(service, made, made.key, body) == 404
    assert service.upload(other, [7] * 10).status_code == 200
    found = service.collector.storage
    assert (list(found.entries(1)), found.bulletins(1), found.results(1), found.snapshot(1)) == ([], [], [], None)


def test_an_upload_that_waits_while_its_task_is_deleted_is_refused(tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path / "data", FakeClock())
    (view,) = create(collector, SEARCH)
    door = collector._directory.by_id[view.id]
    before = collector.offer(view, upload(view))
    collector.delete_task(view.id)
    after = door.offer(view, upload(view))
    collector.step()
    assert before.outcome == Receipt(1)
    assert isinstance(after.outcome, Refused)
    assert after.outcome.problem is Problem.UNKNOWN_KEY
    assert collector.tasks() == ()
    assert collector.ready
    collector.close()


@pytest.mark.parametrize("action", ["rename", "rotate-key", "rotate-token", "delete"])
def test_only_an_admin_changes_a_task(service: Service, made: Made, action: str) -> None:
    for headers in ({}, bearer(made.key), bearer(made.token), bearer("wrong")):
        assert service.http.post(f"{made.path}/{action}", json={}, headers=headers).status_code == 401
    with httpx.Client(base_url=service.url, trust_env=False) as browser:
        browser.post("/sign-in", data={"token": service.admin["authorization"].removeprefix("Bearer ")})
        assert browser.post(f"{made.path}/{action}", json={"name": "Drinks"}).status_code == 401
    missing = f"/v1/tasks/{'0' * 64}/{action}"
    assert service.http.post(missing, json={}, headers=service.admin).status_code == 404


def test_admins_come_and_go_while_the_collector_runs(service: Service) -> None:
    def status(token: str) -> int:
        return service.http.get("/v1/tasks", headers=bearer(token)).status_code

    anna, ben = add_admin(service.folder, "anna"), add_admin(service.folder, "ben")
    assert (status(anna), status(ben)) == (200, 200)
    new = rotate_admin(service.folder, "anna")
    assert (status(anna), status(new), status(ben)) == (401, 200, 200)
    remove_admin(service.folder, "ben")
    assert (status(new), status(ben)) == (200, 401)


def test_every_deed_is_in_the_admin_log_and_no_secret_is(service: Service, made: Made) -> None:
    anna = bearer(add_admin(service.folder, "anna"))
    service.http.post(f"{made.path}/seal", headers=anna)
    change(service, made, "rename", name="Secret name")
    told = service.http.post(f"{made.path}/rotate-key", json={"keep_old_hours": 3}, headers=anna).json()
    token = service.http.post(f"{made.path}/rotate-token", headers=anna).json()["read_token"]
    service.http.post(f"{made.path}/close", headers=service.admin)
    change(service, made, "rename", name="")
    change(service, made, "delete", name="Secret name")
    deeds = read_admin_log(service.folder)
    assert [(deed.who, deed.what) for deed in deeds] == [
        ("environment", "task created"),
        ("anna", "epoch ended"),
        ("environment", "task renamed"),
        ("anna", "write key rotated"),
        ("anna", "read token rotated"),
        ("environment", "task closed"),
        ("environment", "task deleted"),
    ]
    assert {deed.task for deed in deeds} == {made.id}
    text = (service.folder / "admin-log.jsonl").read_text()
    for secret in (made.key, made.token, told["write_key"], token, "Secret name", "Drinks", "127.0.0.1"):
        assert secret not in text


def test_an_old_key_is_accepted_by_the_clock_of_the_collector(tmp_path: Path) -> None:
    """That of the machine may be wrong: with a store, the database's date is the collector's."""
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    made = collector.create_task(SEARCH, TaskTerms("Words", "token"))
    view = now(collector, made)
    app = build_app(collector, Settings(data=tmp_path, admin_digest=kept(ADMIN)))

    async def ask(method: str, path: str, token: str, **fields: Any) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://collector") as http:
            return await http.request(method, f"/v1/tasks/{view.id.hex()}/{path}", headers=bearer(token), **fields)

    rotated = asyncio.run(ask("POST", "rotate-key", ADMIN, json={"keep_old_hours": 2})).json()
    assert rotated["old_until"] == in_utc(clock.now() + 2 * 3_600)
    for hours, status in ((1.9, 200), (0.2, 404)):
        clock.advance(3_600 * hours)
        assert asyncio.run(ask("GET", "document", made.write_key)).status_code == status
        assert asyncio.run(ask("GET", "document", rotated["write_key"])).status_code == 200
    collector.close()
