"""A whole collector behind its HTTP interface, in this process: no port, no thread, no clock but the fake one."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from hgldp import __version__
from hgldp.collector.app import build_app
from hgldp.collector.collector import Collector
from hgldp.collector.settings import Limits, Settings
from hgldp.collector.tokens import kept
from hgldp.collector.views import TaskView
from hgldp.wire.api import BYTES
from tests.recorded.crowd import Crowd
from tests.recorded.record import digest
from tests.recorded.world import FakeClock, steady_entropy

ADMIN = "the admin token of the recording"
NO_ADDRESS = ("", 0)  # nothing counts against its share


@dataclass
class Made:
    """A task as its creator knows it."""

    id: str
    key: str
    token: str

    @property
    def path(self) -> str:
        """Where its routes begin."""
        return f"/v1/tasks/{self.id}"


@dataclass
class Service:
    """Asks, and keeps every answer under a name: status, headers and body."""

    collector: Collector
    http: httpx.AsyncClient
    clock: FakeClock
    answers: dict[str, str] = field(default_factory=dict)

    async def ask(
        self,
        name: str,
        path: str,
        method: str = "GET",
        *,
        admin: bool = False,
        shown: Callable[[str], str] = str,
        **request: Any,
    ) -> Any:
        """One request; what it was answered is recorded, as it is shown."""
        headers: dict[str, str] = request.pop("headers", {}) | ({"authorization": f"Bearer {ADMIN}"} if admin else {})
        answer = await self._stepped(method, path, headers, request)
        assert name not in self.answers
        is_bytes = answer.headers.get("content-type", "") == BYTES
        body = digest(answer.content) if is_bytes and answer.content else shown(answer.text)
        self.answers[name] = written(answer.status_code, answer.headers, body)
        return answer

    async def _stepped(
        self, method: str, path: str, headers: dict[str, str], request: Mapping[str, Any]
    ) -> httpx.Response:
        """An upload is answered when it is durable, so the writer is stepped as soon as one waits."""
        asking = asyncio.create_task(self.http.request(method, path, headers=headers, **request))
        while not asking.done():
            if self.collector.backlog.uploads:
                self.collector.step()
            await asyncio.sleep(0.001)
        return asking.result()

    async def create(self, name: str, fields: dict[str, Any]) -> Made:
        """A new task; key and token follow from the steady entropy."""
        made = (await self.ask(name, "/v1/tasks", "POST", admin=True, json=fields)).json()
        return Made(made["id"], made["write_key"], made["read_token"])

    def view(self, made: Made) -> TaskView:
        """The task as it is now."""
        found = self.collector.view(bytes.fromhex(made.id))
        assert found is not None
        return found

    def feed(self, made: Made, crowd: Crowd, uploads: int, reports: int) -> None:
        """Many uploads past HTTP, one commit and one second each."""
        for _ in range(uploads):
            view = self.view(made)
            self.collector.offer(view, crowd.upload(view.bulletin, reports))
            self.collector.step()
            self.clock.advance(1.0)


@asynccontextmanager
async def opened() -> AsyncIterator[Service]:
    """A new folder, gone when the block is left."""
    clock = FakeClock()
    with TemporaryDirectory() as folder:
        unlimited = Limits(question_milliseconds=1_000_000)
        settings = Settings(data=Path(folder), admin_digest=kept(ADMIN), limits=unlimited)
        collector = Collector.open(Path(folder), clock=clock, entropy=steady_entropy("service"), threaded=False)
        transport = httpx.ASGITransport(build_app(collector, settings), client=NO_ADDRESS)
        try:
            async with httpx.AsyncClient(transport=transport, base_url="http://collector.example") as http:
                yield Service(collector, http, clock)
        finally:
            collector.close()


def written(status: int, headers: Mapping[str, str], body: str) -> str:
    """An answer as text, without the version of the package. Starlette lists allowed methods in the order of a set."""
    shown = {name: value for name, value in sorted(headers.items()) if name != "content-length"}
    if "allow" in shown:
        shown["allow"] = ", ".join(sorted(shown["allow"].split(", ")))
    head = "; ".join(f"{name}: {value}" for name, value in shown.items())
    return f"HTTP {status}\n{head}\n\n{_without_version(body)}"


def without_chance(body: str) -> str:
    """A JSON object without its texts: keys and tokens that the system's entropy made, and when."""
    return json.dumps({name: type(value).__name__ for name, value in json.loads(body).items()})


def _without_version(body: str) -> str:
    return body.replace(f'"version":{json.dumps(__version__)}', '"version":"of the package"')
