"""However many ask for it, a page is written once a second."""

import asyncio
import threading

import pytest

from hgldp.collector.http.monitoring.shared_page import SharedPage
from tests.collector.fakes import FakeClock


class Written:
    """Writes a number that grows; fails when told to."""

    def __init__(self) -> None:
        self.times, self.fails = 0, False
        self.threads: set[threading.Thread] = set()

    def __call__(self) -> str:
        self.times += 1
        self.threads.add(threading.current_thread())
        if self.fails:
            raise LookupError
        return f"{self.times}"


def test_all_who_ask_within_a_second_get_the_same_page() -> None:
    clock, write = FakeClock(), Written()
    page = SharedPage(write, clock)

    async def ask(number: int) -> list[bytes]:
        return await asyncio.gather(*(page.get() for _ in range(number)))

    assert asyncio.run(ask(50)) == [b"1"] * 50
    clock.advance(0.9)
    assert asyncio.run(ask(2)) == [b"1"] * 2
    clock.advance(0.2)
    assert asyncio.run(ask(50)) == [b"2"] * 50
    assert threading.main_thread() not in write.threads


def test_a_failure_is_told_and_not_kept() -> None:
    write = Written()
    page, write.fails = SharedPage(write, FakeClock()), True
    with pytest.raises(LookupError):
        asyncio.run(page.get())
    write.fails = False
    assert asyncio.run(page.get()) == b"2"
