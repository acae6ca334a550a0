"""Questions that take time: a bounded number of them, off the event loop, whichever way they are asked."""

import asyncio
import threading
from dataclasses import replace

import httpx
import pytest

from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.live.places import StreamPlaces
from hgldp.collector.http.documents import results as documents
from hgldp.collector.http.routes import results
from hgldp.collector.http.threads import AT_ONCE, MOST_WAITING, BoundedThreads
from hgldp.collector.views import Answer
from tests.collector.dashboard.test_routes import SEEN, next_regions, open_stream, path
from tests.collector.fake_collector import FakeCollector, fake_app, line, published, served
from tests.patience import PATIENCE, soon

ALLOWED = AT_ONCE + MOST_WAITING


class SlowCollector(FakeCollector):
    """Whose windows take as long as the door is shut."""

    def __init__(self) -> None:
        super().__init__(SEEN)
        self.door, self.lock, self.inside, self.most = threading.Event(), threading.Lock(), 0, 0

    def top(self, task_id: bytes, k: int, window: int | None) -> Answer:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        self.door.wait(PATIENCE)
        with self.lock:
            self.inside -= 1
        return super().top(task_id, k, window)


def test_many_windows_are_limited_and_everything_else_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    collector, questions, honest = SlowCollector(), list[object](), BoundedThreads.run

    async def noted(self: BoundedThreads, *work: object) -> object:
        questions.append(work)
        return await honest(self, *work)  # type: ignore[arg-type]

    monkeypatch.setattr(BoundedThreads, "run", noted)

    async def scene() -> None:
        transport = httpx.ASGITransport(fake_app(collector))
        async with httpx.AsyncClient(transport=transport, base_url="http://test", timeout=PATIENCE) as client:
            pages = [f"{path(SEEN)}?window={1000 + number}" for number in range(ALLOWED)]
            asking = [asyncio.create_task(client.get(each)) for each in pages]
            await soon(lambda: collector.inside == AT_ONCE and len(questions) == ALLOWED)
            for more in (f"{path(SEEN)}?window=9000", f"{path(SEEN)}/live?window=9001", f"/v1{path(SEEN)}/top?k=3"):
                async with asyncio.timeout(PATIENCE):
                    refused = await client.get(more)
                assert (refused.status_code, refused.headers["retry-after"]) == (503, "2"), more
            assert "Too busy" in (await client.get(pages[0][:-4] + "9000")).text
            async with asyncio.timeout(PATIENCE):
                assert (await client.get(path(SEEN))).status_code == 200
                assert (await client.get("/")).status_code == 200
            collector.door.set()
            assert {answer.status_code for answer in await asyncio.gather(*asking)} == {200}
        assert collector.most == AT_ONCE

    asyncio.run(scene())


def test_a_stream_of_a_window_outlives_a_busy_time() -> None:
    """It shows what it had, and goes on when there is room."""
    collector = SlowCollector()
    collector.door.set()
    with served(collector) as port, open_stream(port, f"{path(SEEN)}/live?window=5000") as response:
        assert ">900<" in next_regions(response)["ranking"]
        collector.door.clear()
        asking = [threading.Thread(target=_ask, args=(port, 6000 + number)) for number in range(AT_ONCE + 1)]
        for each in asking:
            each.start()
        while collector.inside < AT_ONCE:
            threading.Event().wait(0.01)
        collector.put(replace(SEEN, reports=30_001, top=(line(7, 950.0),)))
        threading.Event().wait(1.2)
        assert (5000 in {window for _, window in collector.asked[1:]}, collector.inside) == (False, AT_ONCE)
        collector.door.set()
        for each in asking:
            each.join()
        collector.put(replace(SEEN, reports=30_002, top=(line(7, 960.0),)))
        while ">960<" not in next_regions(response).get("ranking", ""):
            pass


def _ask(port: int, window: int) -> None:
    assert httpx.get(f"http://127.0.0.1:{port}{path(SEEN)}?window={window}", timeout=PATIENCE).status_code == 200


def test_nothing_is_computed_for_a_stream_that_gets_no_place() -> None:
    collector = FakeCollector(SEEN)

    async def scene() -> httpx.Response:
        live = Live(collector)
        live.places = StreamPlaces(0, 0)
        transport = httpx.ASGITransport(fake_app(collector, live))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.get(f"{path(SEEN)}/live?window=5000")

    answer = asyncio.run(scene())
    assert (answer.status_code, "too-many-streams" in answer.text) == (503, True)
    assert not collector.asked


@pytest.mark.parametrize("form", ["json", "csv"])
def test_the_history_is_written_off_the_event_loop(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    collector, threads = FakeCollector(SEEN), set()
    collector.epochs[SEEN.id] = [published(0, 9_000, [line(12, 500.0)])]
    for name in ("epoch_document", "in_utc"):
        real = getattr(documents, name)
        spy = lambda *given, real=real: threads.add(threading.get_ident()) or real(*given)  # noqa: E731
        for module in (documents, results):
            monkeypatch.setattr(module, name, spy, raising=False)

    async def scene() -> None:
        transport = httpx.ASGITransport(fake_app(collector, Live(collector)))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            answer = await client.get(f"/v1{path(SEEN)}/history?format={form}")
        assert (answer.status_code, "500" in answer.text) == (200, True)

    asyncio.run(scene())
    assert threads
    assert threading.get_ident() not in threads
