"""The queue to the writer: what comes in together is taken together, and nothing waits for a call that never comes."""

import asyncio
import threading
import time
from collections.abc import Callable

from hgldp.collector.settings import Limits
from hgldp.collector.symbol_format import SymbolFormat
from hgldp.collector.views import Receipt
from hgldp.collector.writer.pending import PendingUpload
from hgldp.collector.writer.queue import UploadQueue
from tests.patience import PATIENCE

FOR_EVER = 2 * PATIENCE
FORMAT = SymbolFormat(bytes(32), 1, b"\xff")


def pending(number: int, loop: asyncio.AbstractEventLoop | None = None) -> PendingUpload:
    found = PendingUpload(1, number.to_bytes(16, "big"), FORMAT, 1, b"\x00")
    found.loop = loop
    return found


def take_in_a_thread(queue: UploadQueue, until: Callable[[list[int]], bool]) -> tuple[threading.Thread, list[int]]:
    """Sizes of the batches that a writer takes, which looks only when it is called."""
    sizes: list[int] = []

    def run() -> None:
        while not until(sizes):
            queue.wait(FOR_EVER)
            sizes.append(len(queue.take()[0]))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, sizes


def test_what_a_loop_puts_in_one_turn_is_one_batch() -> None:
    queue = UploadQueue(Limits())
    thread, sizes = take_in_a_thread(queue, until=lambda sizes: sum(sizes) == 400)

    async def put() -> None:
        for turn in range(4):
            for number in range(100):
                queue.put(pending(number, asyncio.get_running_loop()))
                time.sleep(1e-5)
            while sum(sizes) < 100 * (turn + 1):
                await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(put(), PATIENCE))
    thread.join(PATIENCE)
    assert [size for size in sizes if size] == [100] * 4


def test_no_call_is_lost_between_a_loop_and_the_writer() -> None:
    """The writer would sleep for twice as long as this test waits, if one were."""
    queue, count = UploadQueue(Limits()), 20_000
    thread, sizes = take_in_a_thread(queue, until=lambda sizes: sum(sizes) == count)

    async def put() -> None:
        for number in range(count):
            queue.put(pending(number, asyncio.get_running_loop()))
            if number % 3 == 0:
                await asyncio.sleep(0)

    asyncio.run(put())
    thread.join(PATIENCE)
    assert sum(sizes) == count


class Meanwhile(PendingUpload):
    """While it is taken, something happens."""

    def __init__(self, happening: Callable[[], None]) -> None:
        super().__init__(1, bytes(16), FORMAT, 1, b"\x00")
        self.happening = happening

    @property
    def size(self) -> int:
        if self.outcome is not None:
            self.happening()
        return 1

    @size.setter
    def size(self, _: int) -> None:
        """It is always the same."""


def test_a_call_while_the_writer_takes_is_not_lost() -> None:
    queue = UploadQueue(Limits())
    first = Meanwhile(lambda: queue.put(pending(2)))
    queue.put(first)
    first.outcome = Receipt(1)
    thread, sizes = take_in_a_thread(queue, until=lambda sizes: sum(sizes) == 2)
    thread.join(PATIENCE)
    assert sizes == [1, 1]


def test_nobody_waits_for_a_call_once_it_is_closed() -> None:
    queue = UploadQueue(Limits())
    queue.close()
    queue.wait(FOR_EVER)
    before = time.monotonic()
    queue.wait(FOR_EVER)
    assert time.monotonic() - before < PATIENCE


def test_what_is_too_much_for_one_batch_is_taken_next_without_another_call() -> None:
    queue = UploadQueue(Limits(group_uploads=10, group_bytes=4))
    for number in range(10):
        queue.put(pending(number))
    thread, sizes = take_in_a_thread(queue, until=lambda sizes: sum(sizes) == 10)
    thread.join(PATIENCE)
    assert sizes == [4, 4, 2]
    queue = UploadQueue(Limits(group_uploads=3))
    for number in range(7):
        queue.put(pending(number))
    thread, sizes = take_in_a_thread(queue, until=lambda sizes: sum(sizes) == 7)
    thread.join(PATIENCE)
    assert sizes == [3, 3, 1]
