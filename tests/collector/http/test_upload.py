"""The upload path, message by message as ASGI hands it over: what it takes, what it refuses, and how it says so."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.http.hosts import Hosts
from hgldp.collector.http.turns import Turns
from hgldp.collector.http.upload import Uploads
from hgldp.collector.problems import MEDIA_TYPE
from hgldp.collector.settings import Limits, Settings
from hgldp.collector.views import NewTask, TaskTerms, TaskView
from hgldp.collector.writer import Intake
from tests.collector.fakes import HOT, FakeClock, FaultyStorage, now, upload
from tests.collector.writer.quotas.crowd import MIDNIGHT
from tests.patience import PATIENCE, soon

HERE, THERE = "https://here.example", "https://there.example"
Headers = dict[str, str]


class Site:
    """A collector with one task, its uploads, and the messages of one request."""

    def __init__(self, folder: Path, clock: FakeClock | None = None, **terms: Any) -> None:
        limits = Limits(body_seconds=1, queue_uploads=50, refresh_milliseconds=10)
        self.collector = Collector.open(folder, clock=clock, limits=limits, storage=FaultyStorage)
        self.made: NewTask = self.collector.create_task(HOT, TaskTerms("site", origins=(HERE,), **terms))
        self.uploads = Uploads(self.collector, Hosts(Settings()))

    @property
    def view(self) -> TaskView:
        found = self.collector.view(self.made.id)
        assert found is not None
        return found

    async def ask(
        self,
        *parts: bytes,
        key: str = "",
        method: str = "POST",
        headers: Headers | None = None,
        ends: bool = True,
        client: str = "192.0.2.1",
    ) -> tuple[int, Headers, bytes]:
        """The body in parts; without an end, the client falls silent after the last one."""
        waiting = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
        if ends and waiting:
            waiting[-1]["more_body"] = False
        sent: list[Any] = []

        async def receive() -> Any:
            if waiting:
                return waiting.pop(0)
            return {"type": "http.disconnect"} if ends else await asyncio.sleep(60)

        async def send(message: Any) -> None:
            sent.append(message)

        named = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
        path = f"/v1/in/{key or self.made.write_key}"
        scope = {"type": "http", "method": method, "path": path, "headers": named, "client": (client, 4711)}
        await self.uploads(scope, receive, send)
        if not sent:
            return 0, {}, b""
        found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return sent[0]["status"], found, sent[1]["body"]

    def once(self, *parts: bytes, **how: Any) -> tuple[int, Headers, bytes]:
        return asyncio.run(self.ask(*parts, **how))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    found = Site(tmp_path)
    yield found
    found.collector.close()


def slug(answer: tuple[int, Headers, bytes]) -> tuple[int, str]:
    status, headers, body = answer
    document = json.loads(body)
    assert headers["content-type"] == MEDIA_TYPE
    assert document["status"] == status
    assert int(headers["content-length"]) == len(body)
    return status, document["type"].rpartition(":")[2]


def test_an_upload_is_counted_when_the_answer_comes_and_a_resend_gets_the_same_answer(site: Site) -> None:
    body = upload(site.view, 5)
    first = site.once(body)
    assert (first[0], first[2]) == (200, b'{"accepted":5}')
    assert site.view.reports == 5
    assert site.once(body) == first
    assert site.view.reports == 5


@pytest.mark.parametrize("kind", ["application/octet-stream", "text/plain;charset=UTF-8", "Text/Plain"])
def test_a_body_may_arrive_in_parts_and_as_either_type(site: Site, kind: str) -> None:
    body = upload(site.view, 40)
    parts = [body[at : at + 10] for at in range(0, len(body), 10)]
    assert site.once(*parts, headers={"content-type": kind})[0] == 200


def test_what_is_wrong_is_refused_by_name(site: Site) -> None:
    body = upload(site.view, 1)
    assert slug(site.once(body[:-1])) == (400, "malformed-upload")
    assert slug(site.once(b"")) == (400, "malformed-upload")
    assert slug(site.once(body[:20] + bytes(32) + body[52:])) == (410, "bulletin-too-old")
    assert slug(site.once(body, key="unknown")) == (404, "unknown-key")
    assert slug(site.once(body, key="\udcff/../é")) == (404, "unknown-key")
    assert slug(site.once(body, headers={"content-type": "application/json"})) == (415, "wrong-media-type")
    assert slug(site.once(method="GET")) == (405, "method-not-allowed")
    assert site.once(method="GET")[1]["allow"] == "POST, OPTIONS"
    assert site.view.reports == 0


def test_keys_that_belong_to_no_task_leave_no_trace(site: Site) -> None:
    body = upload(site.view, 1)
    assert site.once(body)[0] == 200
    for number in range(50):
        assert slug(site.once(body, key=f"guess{number}")) == (404, "unknown-key")
    assert {key: intake.view.number for key, intake in site.collector._directory._by_key.items()} == {
        site.made.write_key: site.view.number
    }


def test_too_much_is_refused_before_it_has_arrived(site: Site) -> None:
    """A client that promises too much is refused at its word; one that just goes on, at the limit."""
    much = bytes(site.collector.limits.body_bytes)
    promised = {"content-length": str(len(much) + 1)}
    assert slug(site.once(b"", headers=promised, ends=False)) == (413, "too-large")
    assert slug(site.once(b"", headers={"content-length": "9" * 5000}, ends=False)) == (413, "too-large")
    assert slug(site.once(much, b"x", ends=False)) == (413, "too-large")
    assert slug(site.once(much + b"x")) == (413, "too-large")


def test_a_slow_client_is_told_and_one_that_left_is_not(site: Site) -> None:
    body = upload(site.view, 1)
    assert slug(site.once(body[:10], ends=False)) == (408, "upload-timeout")
    assert site.once()[0] == 0
    assert site.view.reports == 0


def test_a_closed_task_and_a_full_store_have_their_own_answers(site: Site) -> None:
    assert isinstance(site.collector.storage, FaultyStorage)
    body = upload(site.view, 1)
    site.collector.storage.fault = "full"
    answer = site.once(body)
    assert slug(answer) == (503, "storage-full")
    assert int(answer[1]["retry-after"]) > 0
    assert site.once(body)[0] == 200
    site.collector.close_task(site.made.id)
    assert slug(site.once(upload(site.view, 1))) == (409, "task-closed")


def test_a_full_queue_and_the_end_of_the_server_are_503(site: Site) -> None:
    """The writer is kept from committing."""
    assert isinstance(site.collector.storage, FaultyStorage)
    busy = site.collector.storage.busy

    async def flood() -> list[tuple[int, Headers, bytes]]:
        with busy:
            sent = [asyncio.create_task(site.ask(upload(site.view, 1))) for _ in range(120)]
            await soon(lambda: site.uploads.counts.under_way + sum(each.done() for each in sent) == len(sent))
        return await asyncio.gather(*sent)

    answers = asyncio.run(flood())
    refused = [answer for answer in answers if answer[0] != 200]
    assert {slug(answer) for answer in refused} == {(503, "queue-full")}
    assert all(int(answer[1]["retry-after"]) > 0 for answer in refused)
    assert site.view.reports == len(answers) - len(refused) >= 50
    site.collector.close()
    assert slug(site.once(upload(site.view, 1))) == (503, "shutting-down")


def at_midnight() -> FakeClock:
    clock = FakeClock()
    clock.wall = MIDNIGHT
    return clock


def test_rates_and_caps_are_429(tmp_path: Path) -> None:
    site = Site(tmp_path, at_midnight(), reports_per_day=1_000, reports_per_second=500)
    answer = site.once(upload(site.view, 300))
    assert slug(answer) == (429, "too-many-reports")
    assert b"share of the day" in answer[2]
    assert int(answer[1]["retry-after"]) > 0
    assert site.once(upload(site.view, 100))[0] == 200
    assert site.once(upload(site.view, 2), client="192.0.2.2")[0] == 200
    site.collector.offer(site.view, upload(site.view, 898))
    assert slug(site.once(upload(site.view, 1), client="192.0.2.3")) == (429, "daily-cap-reached")
    assert site.view.reports == 1_000
    site.collector.close()


def test_ten_a_second_are_not_65_522_at_once_nor_again_after_a_restart(tmp_path: Path) -> None:
    site = Site(tmp_path, at_midnight(), reports_per_second=10)
    assert slug(site.once(upload(site.view, 65_522))) == (429, "too-many-reports")
    assert site.once(upload(site.view, 10), client="192.0.2.2")[0] == 200
    site.collector.close()
    again = Collector.open(tmp_path, clock=at_midnight(), storage=FaultyStorage)
    site.collector, site.uploads = again, Uploads(again, Hosts(Settings()))
    answer = site.once(upload(site.view, 1))
    assert slug(answer) == (429, "too-many-reports")
    assert 1 <= int(answer[1]["retry-after"]) <= 3
    assert site.view.reports == 10
    again.close()


def test_an_upload_sent_again_costs_no_share(tmp_path: Path) -> None:
    site = Site(tmp_path, at_midnight(), reports_per_day=1_000)
    body = upload(site.view, 60)
    for _ in range(20):
        assert site.once(body)[0] == 200
    assert slug(site.once(upload(site.view, 100))) == (429, "too-many-reports")
    assert site.once(upload(site.view, 60))[0] == 200
    site.collector.close()


def test_only_pages_of_the_tasks_origins_may_read_answers_but_any_may_read_that_its_key_is_wrong(site: Site) -> None:
    body = upload(site.view, 1)
    _, allowed, _ = site.once(body, headers={"origin": HERE})
    assert (allowed["access-control-allow-origin"], allowed["vary"]) == (HERE, "origin")
    _, denied, _ = site.once(body, headers={"origin": THERE})
    assert "access-control-allow-origin" not in denied
    _, unknown, _ = site.once(body, key="unknown", headers={"origin": THERE})
    assert unknown["access-control-allow-origin"] == "*"
    _, wrong, _ = site.once(b"", headers={"origin": HERE})
    assert wrong["access-control-allow-origin"] == HERE
    assert allowed["access-control-expose-headers"] == wrong["access-control-expose-headers"] == "retry-after"
    assert "access-control-expose-headers" not in denied
    status, asked, _ = site.once(method="OPTIONS", headers={"origin": HERE})
    assert (status, asked["access-control-allow-methods"]) == (204, "POST")
    assert slug(site.once(method="OPTIONS", key="unknown"))[0] == 404


def test_an_error_of_our_own_is_a_500_without_a_word_about_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Intake, "submit", lambda *_: 1 / 0)
    answer = site.once(upload(site.view, 1))
    assert slug(answer) == (500, "internal")
    assert b"division" not in answer[2]


def test_listeners_hear_of_each_change_on_their_loop(site: Site) -> None:
    async def listen() -> list[int]:
        heard, others = list[int](), list[TaskView]()
        loop = asyncio.get_running_loop()

        def callback(view: TaskView) -> None:
            assert asyncio.get_running_loop() is loop
            heard.append(view.reports)

        site.collector.listen(callback)
        await site.ask(upload(site.view, 2))
        await site.ask(upload(site.view, 2))
        await soon(lambda: 4 in heard)
        site.collector.unlisten(callback)
        site.collector.listen(others.append)
        await site.ask(upload(site.view, 1))
        await soon(lambda: any(view.reports == 5 for view in others))
        return heard

    heard = asyncio.run(listen())
    assert heard == sorted(heard)
    assert set(heard) - {0} == {2, 4}, "the first top of a new task may come late, with 0"


def test_the_live_top_catches_up_when_it_is_quiet(site: Site) -> None:
    async def report() -> TaskView:
        for _ in range(5):
            await site.ask(upload(site.view, 1))
        async with asyncio.timeout(PATIENCE):
            while site.view.top != site.collector.top(site.made.id).top:
                await asyncio.sleep(0.01)
        return site.view

    view = asyncio.run(report())
    assert view.reports == 5
    assert now(site.collector, view) == view


def test_an_upload_that_is_refused_waits_for_its_turn_and_one_that_is_not_does_not(site: Site) -> None:
    async def scene() -> tuple[int, bool, int]:
        door = asyncio.Event()

        class Shut(Turns):
            async def wait(self) -> None:
                await door.wait()

        site.uploads._turns = Shut()
        refused = asyncio.create_task(site.ask(b"nonsense"))
        accepted = await site.ask(upload(site.view, 1))
        waits = not refused.done() and site.uploads.counts.under_way == 0
        door.set()
        return accepted[0], waits, (await refused)[0]

    assert asyncio.run(scene()) == (200, True, 400)


@pytest.mark.parametrize(("sent", "ends", "status"), [(b"half", False, 503), (b"nonsense", True, 400)])
def test_when_the_server_stops_no_refusal_waits_for_a_turn(site: Site, sent: bytes, ends: bool, status: int) -> None:
    """uvicorn cancels what is under way, and a traceback would be in the log."""

    async def scene() -> int:
        class Shut(Turns):
            async def wait(self) -> None:
                waits.set()
                await asyncio.sleep(2 * PATIENCE)

        site.uploads._turns, waits = Shut(), asyncio.Event()
        slow = asyncio.create_task(site.ask(sent, ends=ends))
        await soon(lambda: waits.is_set() if ends else site.uploads.counts.under_way)
        slow.cancel()
        return (await asyncio.wait_for(slow, PATIENCE))[0]

    assert asyncio.run(scene()) == status


def test_when_the_server_stops_an_upload_whose_commit_takes_long_is_told_to_come_again(site: Site) -> None:
    """Its reports may become durable all the same, and then the retry counts nothing."""
    assert isinstance(site.collector.storage, FaultyStorage)
    busy = site.collector.storage.busy

    async def scene() -> tuple[int, int, int]:
        sent = upload(site.view, 1)
        with busy:
            waiting = asyncio.create_task(site.ask(sent))
            await soon(lambda: site.uploads.counts.under_way)
            waiting.cancel()
            told = (await asyncio.wait_for(waiting, PATIENCE))[0]
        return told, (await site.ask(sent))[0], site.view.reports

    assert asyncio.run(scene()) == (503, 200, 1)
