import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from hgldp.collector.dashboard import live as live_module
from hgldp.collector.dashboard.live import Live, Meter, changed_parts, event, event_stream, full_state
from hgldp.collector.problems import Problem, Refused
from tests.collector.fake_collector import FakeCollector, numbers_task, view


def test_the_rate_is_that_of_the_last_ten_seconds() -> None:
    meter = Meter()
    for second in range(30):
        meter.note(float(second), 1000 if second < 15 else 1000 + 7 * (second - 15))
    assert meter.rate == 7.0


def test_the_rate_falls_to_nothing_when_nothing_comes() -> None:
    meter = Meter()
    meter.note(0.0, 0)
    assert meter.rate is None
    for second in range(1, 12):
        meter.note(float(second), 500)
    assert meter.rate == 0


def test_many_commits_make_few_turns() -> None:
    found = view(numbers_task())
    collector = FakeCollector(found)

    async def watch() -> int:
        collector.loop, turns = asyncio.get_running_loop(), 0
        live = Live(collector, pause=0.05)
        with live.watched():
            ends = asyncio.get_running_loop().time() + 0.5
            turn = live.next_turn
            while asyncio.get_running_loop().time() < ends:
                found_now = collector.views[found.id]
                collector.put(replace(found_now, reports=found_now.reports + 1))
                await asyncio.sleep(0.001)
                if turn.is_set():
                    turns, turn = turns + 1, live.next_turn
            assert (live.rate(found.id) or 0) > 0
            assert live.changed(found) is not None
        return turns

    assert 2 <= asyncio.run(watch()) <= 11


def test_it_listens_only_while_somebody_watches() -> None:
    collector = FakeCollector(view(numbers_task()))

    async def watch() -> None:
        live = Live(collector)
        assert not collector.listeners
        with live.watched(), live.watched():
            assert len(collector.listeners) == 1
        assert not collector.listeners
        with live.watched():
            assert len(collector.listeners) == 1

    asyncio.run(watch())


def test_nobody_is_woken_when_nothing_happens() -> None:
    collector = FakeCollector(view(numbers_task()))

    async def watch() -> bool:
        live = Live(collector, pause=0.01)
        with live.watched():
            await asyncio.sleep(0.2)
            turn = live.next_turn
            await asyncio.sleep(0.1)
            return turn.is_set()

    assert not asyncio.run(watch())


def test_no_item_can_end_an_event_early() -> None:
    sent = event("state", {"item": "tea\n\ndata: forged\r\n\u2028", "bad": float("nan")})
    assert sent.count(b"\n") == 3
    assert json.loads(sent.split(b"data: ", 1)[1]) == {"item": "tea\n\ndata: forged\r\n\u2028", "bad": None}


def test_news_are_what_is_new() -> None:
    before, now = {"a": 1, "b": 2}, {"a": 1, "b": 3}
    assert changed_parts(before, now) == {"b": 3}
    assert changed_parts(now, now) == {}
    assert full_state(before, now) == now
    assert full_state(now, now) == {}


async def parts_of(response: live_module.EventStream) -> AsyncIterator[bytes]:
    """What a client gets, as it comes; whoever takes no more has gone away."""
    parts: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def receive() -> dict[str, str]:
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message.get("body"):
            parts.put_nowait(message["body"])

    async def answer() -> None:
        try:
            await response({"type": "http", "asgi": {"spec_version": "2.3"}}, receive, send)  # type: ignore[arg-type]
        finally:
            parts.put_nowait(None)

    answering = asyncio.create_task(answer())
    try:
        while (part := await parts.get()) is not None:
            yield part
    finally:
        answering.cancel()
        await answering


def events_of(states: list[dict[str, int] | None], news: Callable[..., live_module.State]) -> list[bytes]:
    """All that a stream sends while it looks at these states, one after the other."""

    async def run() -> list[bytes]:
        collector = FakeCollector(view(numbers_task()))
        collector.loop = asyncio.get_running_loop()
        live, left = Live(collector, pause=0.001), list(states)

        async def look() -> live_module.State | None:
            collector.put(view(numbers_task()))
            await asyncio.sleep(0.01)
            return left.pop(0)

        response = event_stream(live, look, name="state", news=news, beat=live_module.COMMENT)
        async with asyncio.timeout(5):
            return [part async for part in parts_of(response)]

    return asyncio.run(run())


def test_what_happens_while_one_looks_is_not_missed() -> None:
    """Each look takes longer than a turn: a stream that began to wait afterwards would wait for a beat."""
    assert events_of([{"n": 1}, {"n": 2}, {"n": 3}, None], full_state) == [
        event("state", {"n": number}) for number in (1, 2, 3)
    ]


def test_the_same_state_is_sent_once() -> None:
    assert events_of([{"n": 1}, {"n": 1}, {"n": 2}, None], changed_parts) == [
        event("state", {"n": 1}),
        event("state", {"n": 2}),
    ]


def test_a_beat_comes_while_nothing_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "BEAT", 0.01)

    async def run() -> list[bytes]:
        live = Live(FakeCollector(view(numbers_task())), pause=0.001)

        async def look() -> live_module.State:
            return {"n": 1}

        found = []
        async with asyncio.timeout(5):
            response = event_stream(live, look, name="state", news=full_state, beat=live_module.COMMENT)
            sent = parts_of(response)
            async for part in sent:
                found.append(part)
                if len(found) == 3:
                    break
            await sent.aclose()
        assert live.watchers == 0
        return found

    assert asyncio.run(run()) == [event("state", {"n": 1}), b": beat\n\n", b": beat\n\n"]


def test_too_many_watchers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if all of them come in one turn of the loop, before any of them has begun."""
    monkeypatch.setattr(live_module, "MOST_STREAMS", 3)

    async def run() -> list[object]:
        live = Live(FakeCollector(view(numbers_task())), pause=0.001)

        async def look() -> live_module.State:
            return {"n": 1}

        async def first_part() -> bytes:
            async for part in parts_of(made.pop()):
                await asyncio.sleep(0.1)
                return part
            return b""

        made = [event_stream(live, look, name="state", news=full_state, beat=b"") for _ in range(10)]
        return await asyncio.gather(*(first_part() for _ in range(10)), return_exceptions=True)

    found = asyncio.run(run())
    assert found.count(event("state", {"n": 1})) == 3
    assert [each.problem for each in found if isinstance(each, Refused)] == [Problem.TOO_MANY_STREAMS] * 7


def test_all_streams_end_when_the_server_stops() -> None:
    async def run() -> None:
        live = Live(FakeCollector(view(numbers_task())), pause=0.001)

        async def look() -> live_module.State:
            return {"n": 1}

        async def watch() -> list[bytes]:
            response = event_stream(live, look, name="state", news=full_state, beat=live_module.COMMENT)
            return [part async for part in parts_of(response)]

        watching = [asyncio.create_task(watch()) for _ in range(5)]
        await asyncio.sleep(0.05)
        assert live.watchers == 5
        live.end()
        async with asyncio.timeout(10):
            assert await asyncio.gather(*watching) == [[event("state", {"n": 1})]] * 5
        assert live.watchers == 0
        with pytest.raises(Refused) as refused:
            await watch()
        assert refused.value.problem is Problem.SHUTTING_DOWN

    asyncio.run(run())
