"""Run as a script with the code under measurement: upload to a collector for some seconds, over many connections.

Prints one JSON object: how many uploads were acknowledged and how many refused, in how many seconds, and the 99th
percentile of an upload's time.
"""

import asyncio
import json
import os
import sys
import time
import urllib.request
from typing import Any

try:
    from uvloop import run
except ImportError:
    from asyncio import run

ID_AT, ID_BYTES, RENEW_SECONDS = 4, 16, 0.05


class Uploads:
    """Every upload has an id of its own, and answers the bulletin in force with its first symbol."""

    def __init__(self, port: int, task: str, key: str, reports: int) -> None:
        self._base, self._task, self._key, self._reports = f"http://127.0.0.1:{port}", task, key, reports
        self._document = self._get(f"/v1/tasks/{task}/document")
        self._version = ""
        self.renew()

    def _get(self, path: str) -> bytes:
        head = {"authorization": f"Bearer {self._key}"}
        with urllib.request.urlopen(urllib.request.Request(self._base + path, headers=head), timeout=30) as answer:  # noqa: S310
            found: bytes = answer.read()
            return found

    def renew(self) -> None:
        """Fetch the bulletin in force, if it is another one."""
        version = json.loads(self._get(f"/v1/tasks/{self._task}/bulletin"))["bulletin"]
        if version == self._version:
            return
        body = upload(self._document, self._get(f"/v1/bulletins/{version}"), version, self._reports)
        head = (
            f"POST /v1/in/{self._key} HTTP/1.1\r\nhost: load\r\ncontent-type: application/octet-stream\r\n"
            f"content-length: {len(body)}\r\n\r\n"
        ).encode()
        self._before, self._after, self._version = head + body[:ID_AT], body[ID_AT + ID_BYTES :], version

    def __call__(self) -> bytes:
        return self._before + os.urandom(ID_BYTES) + self._after


def upload(document: bytes, bulletin: bytes, version: str, reports: int) -> bytes:
    """The one place that knows how this code writes an upload; bytes 4 to 20 are its id."""
    from hgldp.schemes.registry import scheme_of  # noqa: PLC0415
    from hgldp.wire.bulletin import read_bulletin  # noqa: PLC0415
    from hgldp.wire.task import read_task  # noqa: PLC0415
    from hgldp.wire.upload import Upload  # noqa: PLC0415

    limit = scheme_of(read_task(document)).symbol_limit(read_bulletin(bulletin, version))  # type: ignore[arg-type]
    return Upload.of(bytes(ID_BYTES), bytes.fromhex(version), [0] * reports, limit).encode()


class Connection(asyncio.Protocol):
    """Keeps one request under way."""

    def __init__(self, uploads: Uploads, until: float, seen: dict[int, list[float]]) -> None:
        self._uploads, self._until, self._seen, self._rest = uploads, until, seen, b""
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._send()

    def _send(self) -> None:
        self._sent = time.perf_counter()
        self._transport.write(self._uploads())

    def data_received(self, data: bytes) -> None:
        self._rest += data
        head, found, body = self._rest.partition(b"\r\n\r\n")
        if not found or len(body) < int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]):
            return
        now, self._rest = time.perf_counter(), b""
        self._seen.setdefault(int(head[9:12]), []).append(now - self._sent)
        if now < self._until:
            self._send()
        else:
            self._transport.close()

    def connection_lost(self, _: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)


async def drive(port: int, connections: int, seconds: float, uploads: Uploads) -> dict[str, float]:
    """All connections at once, until the time is over and each has its last answer."""
    loop, seen, began = asyncio.get_running_loop(), dict[int, list[float]](), time.perf_counter()
    renewing = asyncio.create_task(_renew(uploads))
    made = [
        await loop.create_connection(lambda: Connection(uploads, began + seconds, seen), "127.0.0.1", port)
        for _ in range(connections)
    ]
    await asyncio.gather(*(each.closed for _, each in made))
    took = time.perf_counter() - began
    renewing.cancel()
    done = sorted(seen.pop(200, []))
    slow = done[len(done) * 99 // 100] if done else 0.0
    return {"done": len(done), "refused": sum(map(len, seen.values())), "seconds": took, "p99": slow}


async def _renew(uploads: Uploads) -> None:
    while True:
        await asyncio.sleep(RENEW_SECONDS)
        await asyncio.to_thread(uploads.renew)


if __name__ == "__main__":
    told = json.loads(sys.argv[1])
    made = Uploads(told["port"], told["task"], told["key"], told["reports"])
    print(json.dumps(run(drive(told["port"], told["connections"], told["seconds"], made))))
