"""The metrics of collectors that share a store: who seals, and how much waits."""

import asyncio
from pathlib import Path

import httpx
import psycopg

from hgldp.collector.app import build_app
from hgldp.collector.collector import Collector
from hgldp.collector.settings import Settings
from tests.collector.fakes import HOT, SEARCH, FakeClock, create, now, open_by_hand, upload
from tests.collector.http.monitoring.test_metrics import OF_A_STORE
from tests.collector.shared.conftest import Pair

STORE = "postgresql://somewhere/else"


def numbers(collector: Collector) -> dict[str, float]:
    """Those without labels."""

    async def ask() -> str:
        transport = httpx.ASGITransport(build_app(collector, Settings(store=STORE)))
        async with httpx.AsyncClient(transport=transport, base_url="http://collector") as http:
            return (await http.get("/metrics")).text

    lines = [line.split(" ") for line in asyncio.run(ask()).splitlines() if line[0] != "#"]
    return {line[0]: float(line[1]) for line in lines if "{" not in line[0]}


def keep_the_sealer(url: str) -> None:
    """On a slow machine too nobody takes over, as another would after five seconds."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE sealer SET until = clock_timestamp() + interval '1 hour'")


def test_one_of_them_says_that_it_seals_and_whoever_takes_over_says_so(postgres_url: str, clock: FakeClock) -> None:
    first, second = (Collector.join(postgres_url, clock=clock, threaded=False) for _ in range(2))
    first.step()
    keep_the_sealer(postgres_url)
    second.step()
    assert [numbers(each)["hgldp_sealing"] for each in (first, second)] == [1, 0]
    assert numbers(second).keys() >= OF_A_STORE
    first.close()
    assert numbers(second)["hgldp_sealing"] == 0
    clock.advance(2)
    second.step()
    assert numbers(second)["hgldp_sealing"] == 1
    second.close()


def test_all_say_how_much_waits(pair: Pair, clock: FakeClock, postgres_url: str) -> None:
    first, second = pair
    (view,) = create(first, HOT)
    keep_the_sealer(postgres_url)
    clock.advance(2)
    second.step()
    assert numbers(second)["hgldp_inbox_bytes"] == 0
    second.offer(now(second, view), upload(view, 5))
    second.step()
    clock.advance(2)
    second.step()
    assert numbers(second)["hgldp_inbox_bytes"] > 16
    first.step()
    clock.advance(2)
    second.step()
    assert numbers(second)["hgldp_inbox_bytes"] == 0


def test_a_collector_with_a_folder_does_not_have_these_numbers(tmp_path: Path) -> None:
    alone = open_by_hand(tmp_path, FakeClock())
    assert not OF_A_STORE & numbers(alone).keys()
    alone.close()


def test_what_makes_an_upload_durable_is_timed_wherever_it_comes_in(pair: Pair) -> None:
    first, second = pair
    (view,) = create(first, SEARCH)
    second.step()
    before = second.timings.commit.last
    second.offer(now(second, view), upload(view, 3))
    second.step(), first.step()
    assert before == 0.0
    assert second.timings.commit.last > 0
    assert sum(second.timings.commit.counts) == second.commits == 1
    assert sum(first.timings.commit.counts) == first.commits == 0, "it has put them into the log, and took none"
