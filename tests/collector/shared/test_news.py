"""Uploads that answer a bulletin which this collector does not know yet: they wait for it, but not without an end."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.shared import news
from hgldp.collector.shared.news import PARTS_OF_THE_QUEUE, WAKE_SECONDS, News
from hgldp.collector.views import Receipt
from tests.collector.fakes import SEARCH, FakeClock, create, now, upload
from tests.collector.shared.conftest import Pair
from tests.patience import PATIENCE

Receipts = list["asyncio.Future[Receipt]"]


def on_a_loop(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), PATIENCE))


def quiet(**limits: int) -> News:
    return News(lambda: None, Limits(**limits))


def taken() -> "asyncio.Future[Receipt]":
    found = asyncio.get_running_loop().create_future()
    found.set_result(Receipt(1))
    return found


def too_old() -> "asyncio.Future[Receipt]":
    raise Refused(Problem.BULLETIN_TOO_OLD)


async def problem_of(receipt: "asyncio.Future[Receipt]") -> tuple[Problem, int | None]:
    with pytest.raises(Refused) as refused:
        await receipt
    return refused.value.problem, refused.value.retry_after


def fill(waits: News, size: int) -> Receipts:
    """As many as may wait, of at most a hundred; the next is refused with 503."""
    found: Receipts = []
    with pytest.raises(Refused) as refused:
        found.extend(waits.wait_for(taken, size) for _ in range(100))
    assert refused.value.problem is Problem.QUEUE_FULL
    assert refused.value.retry_after
    return found


@pytest.mark.parametrize(
    ("size", "limits"), [(1, {"queue_uploads": 5}), (100, {"queue_bytes": 599 * PARTS_OF_THE_QUEUE})]
)
def test_only_so_many_wait_with_so_many_bytes_and_looking_makes_no_room(size: int, limits: dict[str, int]) -> None:
    async def work() -> None:
        waits = quiet(**limits)
        found = fill(waits, size)
        assert len(found) == 5
        waits.begin()
        assert fill(waits, size) == [], "the keeper is behind: they wait as before"
        waits.end()
        assert await asyncio.gather(*found) == [Receipt(1)] * 5
        assert len(fill(waits, size)) == 5

    on_a_loop(work)


def test_who_comes_while_the_keeper_looks_waits_for_the_next_look() -> None:
    async def work() -> None:
        waits = quiet()
        early, old = waits.wait_for(taken, 64), waits.wait_for(too_old, 64)
        waits.begin()
        late = waits.wait_for(taken, 64)
        waits.end()
        assert await early == Receipt(1)
        assert (await problem_of(old))[0] is Problem.BULLETIN_TOO_OLD
        assert not late.done()
        waits.begin()
        waits.end()
        assert await late == Receipt(1)

    on_a_loop(work)


def test_who_waits_while_the_keeper_fails_is_to_come_again() -> None:
    async def work() -> None:
        waits = quiet()
        early = waits.wait_for(taken, 64)
        waits.begin()
        late = waits.wait_for(taken, 64)
        waits.fail()
        assert await problem_of(early) == (Problem.STORAGE_FULL, news.RETRY_SECONDS)
        assert not late.done()
        late.cancel()

    on_a_loop(work)


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The keeper is held up or far behind: it never says that it has seen all."""
    monkeypatch.setattr(news, "LONGEST_WAIT", 0.05)

    async def work() -> None:
        waits = quiet(queue_uploads=2)
        found = fill(waits, 64)
        waits.begin()
        assert [await problem_of(each) for each in found] == [(Problem.STORAGE_FULL, news.RETRY_SECONDS)] * 2
        assert len(fill(waits, 64)) == 2, "and the place is free again"

    on_a_loop(work)


def test_a_client_that_goes_away_gives_its_place_back() -> None:
    async def work() -> None:
        waits = quiet(queue_uploads=1)
        fill(waits, 64)[0].cancel()
        await asyncio.sleep(0)
        assert len(fill(waits, 64)) == 1

    on_a_loop(work)


def test_an_error_of_our_own_is_an_answer_too() -> None:
    def wrong() -> "asyncio.Future[Receipt]":
        raise ZeroDivisionError

    async def work() -> None:
        waits = quiet()
        receipt = waits.wait_for(wrong, 64)
        waits.begin()
        waits.end()
        with pytest.raises(ZeroDivisionError):
            await receipt

    on_a_loop(work)


def test_made_up_bulletins_do_not_keep_the_keeper_busy() -> None:
    """It is woken at a rate that nobody can raise."""
    woken: list[float] = []
    waits = News(lambda: woken.append(time.monotonic()), Limits())

    async def work() -> None:
        found: list[asyncio.Future[Receipt]] = []
        while len(woken) < 6:
            found.append(waits.wait_for(too_old, 64))
            waits.begin()
            waits.end()
            await asyncio.sleep(0.001)
        assert all(isinstance(each, Refused) for each in await asyncio.gather(*found, return_exceptions=True))

    begun = time.monotonic()
    on_a_loop(work)
    assert len(woken) <= 1 + (time.monotonic() - begun) / WAKE_SECONDS


def test_an_upload_that_came_before_its_bulletin_counts(pair: Pair, clock: FakeClock) -> None:
    """The sealer has published it, and the follower has not looked yet."""
    first, second = pair
    (view,) = create(first, SEARCH)
    second.step()
    first.offer(view, upload(view, 9))
    first.step()
    assert now(first, view).epoch == 1

    async def work() -> None:
        intake = second._writer.intakes[view.number]
        shown = now(first, view)
        known, made_up = upload(shown, 2), bytearray(upload(shown, 2))
        made_up[20:52] = b"?" * 32
        waiting, wrong = intake.submit(known), intake.submit(bytes(made_up))
        await asyncio.sleep(0)
        assert not waiting.done()
        second.step()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        second.step()
        assert await waiting == Receipt(2)
        assert (await problem_of(wrong))[0] is Problem.BULLETIN_TOO_OLD

    on_a_loop(work)
