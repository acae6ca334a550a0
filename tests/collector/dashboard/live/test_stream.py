import asyncio
from typing import Any

import pytest

from hgldp.collector.dashboard.live import stream as stream_module
from hgldp.collector.problems import Problem, Refused
from tests.collector.dashboard.live.watching import SCOPE, Shown, live_of, parts_of, state, stream_of
from tests.patience import PATIENCE, soon


def test_each_change_is_sent_once_and_the_end_is_told() -> None:
    async def run() -> list[bytes]:
        shown, found = Shown(1), []
        live, feed = live_of(shown)
        await live.fresh(feed)
        async for part in parts_of(stream_of(live, feed)):
            found.append(part)
            shown.value = {1: 2, 2: 3}.get(shown.value)
            live.stir()
            live.stir()
        return found

    expected = [state(1), state(2), state(3), b"event: gone\ndata:\n\n"]
    assert asyncio.run(asyncio.wait_for(run(), PATIENCE)) == expected


def test_a_beat_comes_while_nothing_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "BEAT_SECONDS", 0.01)

    async def run() -> list[bytes]:
        live, feed = live_of(Shown())
        await live.fresh(feed)
        found, sent = [], parts_of(stream_of(live, feed))
        async for part in sent:
            found.append(part)
            if len(found) == 3:
                break
        await sent.aclose()
        assert len(live.places) == 0
        assert not feed.watchers
        return found

    assert asyncio.run(asyncio.wait_for(run(), PATIENCE)) == [state(1), b": beat\n\n", b": beat\n\n"]


class SlowReader:
    """Takes what is sent only when told to; the server waits meanwhile, as it does when the buffers are full."""

    def __init__(self) -> None:
        self.ready, self.got = asyncio.Event(), []

    async def receive(self) -> dict[str, str]:
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        await self.ready.wait()
        if message.get("body"):
            self.got.append(message["body"])


def test_a_slow_reader_skips_events_and_gets_the_last() -> None:
    async def run() -> list[bytes]:
        shown, reader = Shown(0), SlowReader()
        live, feed = live_of(shown)
        await live.fresh(feed)
        reader.ready.set()
        streaming = asyncio.create_task(stream_of(live, feed)(SCOPE, reader.receive, reader.send))
        while not reader.got:
            await asyncio.sleep(0.001)
        reader.ready.clear()
        for number in range(1, 100):
            shown.value = number
            live.stir()
            await asyncio.sleep(0.003)
        reader.ready.set()
        while reader.got[-1] != state(99):
            await asyncio.sleep(0.001)
        live.end()
        await streaming
        return reader.got

    found = asyncio.run(asyncio.wait_for(run(), PATIENCE))
    assert found[0] == state(0)
    assert len(found) <= 3, "the first, the one that was under way, and the last"


def test_who_does_not_read_loses_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "STALLED_SECONDS", 0.05)

    async def run() -> None:
        live, feed = live_of(Shown())
        await live.fresh(feed)
        reader = SlowReader()
        await stream_of(live, feed)(SCOPE, reader.receive, reader.send)
        assert (reader.got, len(live.places), len(feed.watchers)) == ([], 0, 0)

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_too_many_are_refused_even_if_all_come_in_one_turn() -> None:
    async def run() -> list[object]:
        live, feed = live_of(Shown())
        live.places.__init__(5, 2)
        await live.fresh(feed)

        async def first_part() -> bytes:
            async for part in parts_of(stream_of(live, feed)):
                await asyncio.sleep(0.1)
                return part
            return b""

        return await asyncio.gather(*(first_part() for _ in range(10)), return_exceptions=True)

    found = asyncio.run(run())
    assert found.count(state(1)) == 3
    assert [each.problem for each in found if isinstance(each, Refused)] == [Problem.TOO_MANY_STREAMS] * 7


def test_who_is_pushed_out_gets_an_end() -> None:
    async def run() -> None:
        live, feed = live_of(Shown())
        live.places.__init__(2, 0)
        await live.fresh(feed)
        greedy = [parts_of(stream_of(live, feed, "greedy")) for _ in range(2)]
        for each in greedy:
            await anext(each)
        assert await anext(parts_of(stream_of(live, feed, "other"))) == state(1)
        with pytest.raises(StopAsyncIteration):
            await anext(greedy[0])
        live.end()
        with pytest.raises(StopAsyncIteration):
            await anext(greedy[1])

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_all_streams_end_when_the_server_stops() -> None:
    async def run() -> None:
        live, feed = live_of(Shown())
        await live.fresh(feed)

        async def watch() -> list[bytes]:
            return [part async for part in parts_of(stream_of(live, feed))]

        watching = [asyncio.create_task(watch()) for _ in range(5)]
        await soon(lambda: len(live.places) == 5)
        live.end()
        assert await asyncio.gather(*watching) == [[state(1)]] * 5
        assert len(live.places) == 0
        with pytest.raises(Refused) as refused:
            await watch()
        assert refused.value.problem is Problem.SHUTTING_DOWN

    asyncio.run(asyncio.wait_for(run(), PATIENCE))
