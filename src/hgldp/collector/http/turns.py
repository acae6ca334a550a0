"""Questions and refused uploads take turns. Between two of them the event loop looks whether an upload has come.

Without this, two hundred questions that come together are answered in one turn of the loop, and an upload that comes
with them waits for them all.
"""

import asyncio
from collections import deque

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONG = 64


class Turns:
    """One in each turn of the event loop, in the order in which they came. Who comes alone does not wait.

    While `LONG` or more wait, two go in each turn, and so on. So the queue has an end even if those who ask do not wait
    for their answers.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._free = True

    async def wait(self) -> None:
        """Until it is our turn."""
        loop = asyncio.get_running_loop()
        if self._free:
            self._free = False
            loop.call_soon(self._pass_on, loop)
            return
        mine = loop.create_future()
        self._waiting.append(mine)
        await mine

    def _pass_on(self, loop: asyncio.AbstractEventLoop) -> None:
        most, let_in = 1 + len(self._waiting) // LONG, 0
        while self._waiting and let_in < most:
            first = self._waiting.popleft()
            if not first.done():  # whoever went away has none
                first.set_result(None)
                let_in += 1
        self._free = not let_in
        if let_in:
            loop.call_soon(self._pass_on, loop)


def in_turn(app: ASGIApp, turns: Turns) -> ASGIApp:
    """The same app: each request begins in a turn of its own, and so does each answer, for which many may wait."""

    async def one(scope: Scope, receive: Receive, send: Send) -> None:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                await turns.wait()
            await send(message)

        await turns.wait()
        await app(scope, receive, answer)

    return one
