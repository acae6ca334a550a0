"""A page says how old the last report is, by the server's clock, whoever watched when it came."""

import asyncio
import re
from dataclasses import replace
from datetime import datetime

import httpx
import pytest

from hgldp.collector.dashboard.live import Live
from tests.collector.fake_collector import FakeCollector, fake_app, line, numbers_task, view
from tests.collector.fakes import FakeClock

TASK = view(numbers_task(), [line(7, 900.0)], reports=20_000)


@pytest.mark.parametrize("path", ["/", f"/tasks/{TASK.id.hex()}"])
def test_a_report_is_as_old_as_it_is_though_nobody_watched_when_it_came(path: str) -> None:
    """Somebody watched before. The page used to say "just now" 79 seconds after the report."""
    collector, clock = FakeCollector(TASK), FakeClock()

    async def scene() -> str:
        collector.loop = asyncio.get_running_loop()
        live = Live(collector, clock=clock)
        live.start()
        transport = httpx.ASGITransport(fake_app(collector, live))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            await client.get(path)
            collector.put(replace(TASK, reports=20_001))
            await asyncio.sleep(0)
            clock.advance(79)
            return (await client.get(path)).text

    text = asyncio.run(scene())
    said = re.search(r'last one <time datetime="([^"]+)"', text)
    now = re.search(r'data-now="([^"]+)"', text)
    assert said is not None
    assert now is not None
    assert float(now[1]) - datetime.fromisoformat(said[1]).timestamp() == 79
