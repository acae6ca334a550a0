"""Long answers: in pieces that wait for the client, few at once, and with an end."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.app import answer_to
from hgldp.collector.http.answers import long_answer
from hgldp.collector.http.answers.long_answer import AT_ONCE, FOR_THE_ADMIN, PER_ADDRESS, LongAnswers, in_pieces
from hgldp.collector.http.connections.client_address import networks_of
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Refused
from tests.patience import PATIENCE

PART = "x" * 10_000


def parts(number: int, made: list[int] | None = None) -> Iterator[str]:
    for each in range(number):
        if made is not None:
            made.append(each)
        yield PART


async def begun(answers: LongAnswers, number: int, address: str, admin: bool = False, **more: Any) -> Response:
    headers = [(b"x-forwarded-for", address.encode())]
    scope = {"type": "http", "client": ("10.0.0.1", 5), "headers": headers, "method": "GET", "path": "/"}
    return await answers.begin(Request(scope), parts(number, **more), {"x": "y"}, "text/csv", admin=admin)


class Reader:
    """An ASGI client that takes each message only when told to."""

    def __init__(self, answer: Response) -> None:
        self.taken, self._allowed, self.ended = 0, asyncio.Semaphore(0), False
        scope = {"type": "http", "asgi": {"spec_version": "2.3"}, "method": "GET", "path": "/", "headers": []}
        self.task = asyncio.create_task(answer(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await asyncio.Event().wait()
        return {}

    async def _send(self, message: Any) -> None:
        await self._allowed.acquire()
        self.taken += len(message.get("body", b""))
        self.ended = message["type"] == "http.response.body" and not message.get("more_body", False)

    async def take(self, messages: int = 10_000) -> None:
        for _ in range(messages):
            self._allowed.release()
        await asyncio.sleep(0.1)


def answers() -> LongAnswers:
    return LongAnswers(BoundedThreads(), networks_of(["10.0.0.1"]))


def test_a_short_answer_goes_out_whole_with_its_length() -> None:
    found = asyncio.run(begun(answers(), 3, "192.0.2.1"))
    assert (found.headers["content-length"], found.headers["x"]) == ("30000", "y")


def test_nothing_is_made_that_the_client_has_not_asked_for() -> None:
    async def scene() -> None:
        made: list[int] = []
        reader = Reader(await begun(answers(), 10_000, "192.0.2.1", made=made))
        await reader.take(3)
        assert len(made) * len(PART) < 10 * long_answer.PIECE_BYTES
        reader.task.cancel()

    asyncio.run(scene())


def test_all_of_it_arrives() -> None:
    async def scene() -> None:
        reader = Reader(await begun(answers(), 321, "192.0.2.1"))
        await reader.take()
        await reader.task
        assert (reader.taken, reader.ended) == (3_210_000, True)

    asyncio.run(scene())


def test_few_at_once_fewer_for_one_address_and_some_for_the_admin() -> None:
    async def scene() -> None:
        site = answers()

        async def refused(address: str, admin: bool = False) -> bool:
            reader = Reader(await begun(site, 1_000, address, admin))
            readers.append(reader)
            await asyncio.sleep(0.02)
            if reader.task.done():
                wrong = reader.task.exception()
                assert isinstance(wrong, Refused)
                assert wrong.retry_after == long_answer.RETRY_SECONDS
                return True
            return False

        readers: list[Reader] = []
        assert [await refused("192.0.2.1") for _ in range(PER_ADDRESS + 1)] == [False] * PER_ADDRESS + [True]
        others = [await refused(f"198.51.100.{n}") for n in range(AT_ONCE - PER_ADDRESS + 2)]
        assert others == [False] * (AT_ONCE - PER_ADDRESS) + [True] * 2
        assert [await refused("192.0.2.9", admin=True) for _ in range(FOR_THE_ADMIN + 1)][-2:] == [False, True]
        readers[0].task.cancel()
        await asyncio.sleep(0.02)
        assert not await refused("192.0.2.3")
        for reader in readers:
            reader.task.cancel()
        await asyncio.gather(*(reader.task for reader in readers), return_exceptions=True)
        assert not site._taken

    asyncio.run(scene())


@pytest.mark.parametrize(("name", "limit"), [("MOST_BYTES", 500_000), ("MOST_SECONDS", 0.2)])
def test_an_answer_has_an_end_in_bytes_and_in_seconds(name: str, limit: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_answer, name, limit)

    async def scene() -> None:
        reader = Reader(await begun(answers(), 100_000, "192.0.2.1"))
        await reader.take(30 if name == "MOST_BYTES" else 3)
        await asyncio.wait_for(reader.task, PATIENCE)
        assert not reader.ended
        assert reader.taken < 700_000

    asyncio.run(scene())


def test_a_failure_in_the_first_piece_is_a_problem_and_no_broken_answer() -> None:
    site = answers()

    def wrong() -> Iterator[str]:
        raise ZeroDivisionError
        yield ""

    async def ask(request: Request) -> Response:
        try:
            return await site.begin(request, wrong(), {}, "text/csv", admin=False)
        except ZeroDivisionError:
            return answer_to(Refused(long_answer.Problem.INTERNAL))

    async def scene() -> int:
        app = Starlette(routes=[Route("/", ask)])
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as http:
            return (await http.get("/")).status_code

    assert asyncio.run(scene()) == 500


def test_pieces_are_made_off_the_event_loop() -> None:
    threads = set()

    def noting() -> Iterator[str]:
        for _ in range(50):
            threads.add(threading.current_thread())
            yield PART

    async def scene() -> None:
        scope = {"type": "http", "client": ("192.0.2.1", 5), "headers": [], "method": "GET", "path": "/"}
        reader = Reader(await answers().begin(Request(scope), noting(), {}, "text/csv", admin=False))
        await reader.take()
        await reader.task

    asyncio.run(scene())
    assert threading.main_thread() not in threads


def test_pieces_are_the_same_bytes() -> None:
    assert b"".join(in_pieces(["ü" * 7, b"\0", ""] * 9, 10)) == ("ü" * 7 + "\0").encode() * 9
    assert list(in_pieces([])) == [b""]
