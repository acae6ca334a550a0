"""An honest client in a process of its own: a newcomer's connection for each upload, at a steady modest rate.

Uploads are due at fixed times, and a latency counts from the time that an upload was due: a server that stalls makes
all of them late, not only the one that it holds. What got no 200 is sent again at the end, the same bytes, until it is
acknowledged. So exactly as many reports must be counted as were sent.
"""

import asyncio
import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload
from tests.slow.attack.attacked_server import AttackedServer

PER_SECOND, PATIENCE, LAST_SECONDS, BEGUN = 50, 10.0, 60.0, "begun\n"
LONG_EPOCH = {"name": "Honest", "scheme": "pfr", "epsilon": 2, "domain": {"range": [0, 5000]}, "k": 3}


@dataclass
class Diary:
    """What the client saw: when each upload was due, how long it took (`PATIENCE` if it failed), and the failures."""

    task_id: str
    due: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    failures: dict[str, int] = field(default_factory=dict)
    sent: int = 0
    acknowledged: int = 0

    def between(self, first: float, last: float) -> list[float]:
        """The latencies of what was due in a span of the monotonic clock, the smallest first."""
        return sorted(taken for due, taken in zip(self.due, self.seconds, strict=True) if first <= due < last)


@contextmanager
def honest_client(server: AttackedServer, per_second: int = PER_SECOND) -> Iterator[Diary]:
    """Uploads until the block is left; then the diary is complete."""
    made = server.create(**LONG_EPOCH, epoch=10**7 + secrets.randbelow(10**6))
    diary = Diary(made["id"])
    words = [sys.executable, "-m", "tests.slow.attack.honest_client", str(server.port), str(per_second)]
    bulletin, limit = _bulletin(server, made["id"])
    with subprocess.Popen(
        [*words, made["write_key"], bulletin, str(limit)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == BEGUN.encode(), "the honest client does not begin"
            yield diary
            out, _ = process.communicate(timeout=LAST_SECONDS + 2 * PATIENCE)
        finally:
            process.kill()
    vars(diary).update(json.loads(out))


def _bulletin(server: AttackedServer, task_id: str) -> tuple[str, int]:
    task = read_task(server.ask("GET", f"/v1/tasks/{task_id}/document")[1])
    version = json.loads(server.ask("GET", f"/v1/tasks/{task_id}/bulletin")[1])["bulletin"]
    bulletin = read_bulletin(server.ask("GET", f"/v1/bulletins/{version}")[1], version)
    return version, scheme_of(task).symbol_limit(bulletin)  # type: ignore[arg-type]


class _Uploader:
    def __init__(self, port: int, key: str, version: str, limit: int) -> None:
        self._port, self._key, self._version, self._limit = port, key, version, limit
        self._unsure: list[bytes] = []
        self._due: list[float] = []
        self._seconds: list[float] = []
        self._failures: dict[str, int] = {}
        self._sent = self._acknowledged = 0

    async def run(self, per_second: int) -> dict[str, object]:
        ended, under_way, due = asyncio.create_task(_until_told()), set(), time.monotonic()
        print(BEGUN, end="", flush=True)
        while not ended.done():
            due += 1 / per_second
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            symbol = int.from_bytes(os.urandom(4), "big") % self._limit
            body = Upload.of(os.urandom(16), bytes.fromhex(self._version), [symbol], self._limit).encode()
            self._sent += 1
            under_way.add(task := asyncio.create_task(self._upload(body, due)))
            task.add_done_callback(under_way.discard)
        await asyncio.gather(*under_way)
        end = time.monotonic() + LAST_SECONDS
        while self._unsure and time.monotonic() < end:
            if await self._answer(self._unsure[-1]) == "200":
                self._unsure.pop()
                self._acknowledged += 1
        return {
            "due": self._due, "seconds": self._seconds, "failures": self._failures, "sent": self._sent,
            "acknowledged": self._acknowledged,
        }  # fmt: skip

    async def _upload(self, body: bytes, due: float) -> None:
        status = await self._answer(body)
        self._due.append(due)
        self._seconds.append(time.monotonic() - due if status == "200" else PATIENCE)
        if status == "200":
            self._acknowledged += 1
        else:
            self._unsure.append(body)
            self._failures[status] = self._failures.get(status, 0) + 1

    async def _answer(self, body: bytes) -> str:
        """The status, or what went wrong."""
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
                try:
                    head = f"POST /v1/in/{self._key} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
                    writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
                    return (await reader.readline()).decode("latin-1").split(" ")[1]
                finally:
                    writer.transport.abort()
        except (OSError, TimeoutError, IndexError) as wrong:
            return type(wrong).__name__


async def _until_told() -> None:
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


def main() -> None:
    port, per_second, key, version, limit = sys.argv[1:]
    found = asyncio.run(_Uploader(int(port), key, version, int(limit)).run(int(per_second)))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
