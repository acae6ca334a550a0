"""Many strangers watch the dashboard of a busy collector.

Before pages were shared, 256 streams over 100 busy tasks took honest uploads from 2.8 ms (p50) to 11.8 s.
"""

import json
import random
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from hgldp.client import Randomizer
from hgldp.model.randomness import SeededWords
from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload
from tests.slow.attack.attacked_server import JUDGED, AttackedServer, attacked_server
from tests.slow.attack.under_attack import ATTACK_SECONDS, in_processes, under_attack
from tests.slow.attack.watchers import watch

TASKS, STREAMS, UPLOADS_PER_SECOND = 100 if JUDGED else 20, 256, 100
Busy = tuple[str, str, str, int]


def test_many_watchers_of_many_busy_tasks(tmp_path: Path) -> None:
    """The crowd uploads before, during and after: what is measured is the watching."""
    with attacked_server(tmp_path) as server:
        busy = [busy_task(server, number) for number in range(TASKS)]
        paths = ["/live" if number % 2 else f"/tasks/{busy[number % TASKS][0]}/live" for number in range(STREAMS)]
        with in_processes(upload_for_ever, server.port, busy):
            outcome = under_attack(
                server, "256 streams over 100 busy tasks", lambda _: in_processes(watch, server.port, paths)
            )
        outcome.check()
        server.end()


def test_whoever_reads_nothing_is_cut_off_and_costs_little(tmp_path: Path) -> None:
    with attacked_server(tmp_path) as server:
        busy = [busy_task(server, number) for number in range(TASKS)]
        with in_processes(upload_for_ever, server.port, busy):
            outcome = under_attack(server, "256 streams that are never read", never_read, seconds=4 * ATTACK_SECONDS)
        outcome.check()
        server.end()


def test_windows_that_nobody_else_watches(tmp_path: Path) -> None:
    """Nothing can be shared here: each stream wants a top of its own."""
    with attacked_server(tmp_path) as server:
        busy = [busy_task(server, number) for number in range(10)]
        paths = [f"/tasks/{busy[number % 10][0]}/live?window={1000 + number}" for number in range(STREAMS)]
        with in_processes(upload_for_ever, server.port, busy):
            outcome = under_attack(
                server, "256 streams, each with a window of its own", lambda _: in_processes(watch, server.port, paths)
            )
        outcome.check()
        server.end()


def test_a_newcomer_gets_a_stream_while_one_address_holds_all(tmp_path: Path) -> None:
    """Loopback has many addresses; each stands for a stranger. Questions are not limited here: that comes sooner."""
    limits = "[limits]\nquestion_milliseconds = 100_000"
    with attacked_server(tmp_path, limits) as server, ExitStack() as open_streams:
        server.create()

        def status(address: str) -> bytes:
            found = open_streams.enter_context(
                socket.create_connection(("127.0.0.1", server.port), timeout=10, source_address=(address, 0))
            )
            found.sendall(b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
            return found.recv(1 << 16)[9:12]

        greedy = [status("127.0.0.1") for _ in range(STREAMS)]
        assert greedy.count(b"503") >= 64, "the reserve is not for strangers"
        assert greedy[:100] == [b"200"] * 100
        assert [status(f"127.0.0.{number}") for number in range(2, 50)] == [b"200"] * 48
        assert status("127.0.0.1") == b"503"


def busy_task(server: AttackedServer, number: int) -> Busy:
    """A public task with a top of ten: its id, its key, its bulletin, and the first symbol that is none."""
    made = server.create(name=f"Task {number}", epsilon=4, k=10, epoch=100_000, domain={"range": [number, 200]})
    path, draw = f"/v1/tasks/{made['id']}", random.Random(number)
    task = read_task(server.ask("GET", f"{path}/document")[1])
    client = Randomizer(task, 10.0, SeededWords(number + 1))
    for sealed in (True, True, False):
        version = json.loads(server.ask("GET", f"{path}/bulletin")[1])["bulletin"]
        bulletin = read_bulletin(server.ask("GET", f"/v1/bulletins/{version}")[1], version)
        limit = scheme_of(task).symbol_limit(bulletin)  # type: ignore[arg-type]
        if sealed:
            items = [number + min(199, int(draw.expovariate(0.2))) for _ in range(800)]
            symbols = [client.report(item, bulletin).symbol for item in items]
            body = Upload.of(draw.randbytes(16), bytes.fromhex(version), symbols, limit).encode()
            assert server.ask("POST", f"/v1/in/{made['write_key']}", body)[0] == 200
            assert server.ask("POST", f"{path}/seal", b"")[0] == 200
    return made["id"], made["write_key"], version, limit


def upload_for_ever(port: int, tasks: list[Busy]) -> None:
    """One upload of twenty reports for each task every second."""
    draw, sent, began = random.Random(), 0, time.monotonic()
    connection = socket.create_connection(("127.0.0.1", port))
    while True:
        _, key, version, limit = tasks[sent % len(tasks)]
        symbols = [draw.randrange(limit) for _ in range(20)]
        body = Upload.of(draw.randbytes(16), bytes.fromhex(version), symbols, limit).encode()
        head = f"POST /v1/in/{key} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200")
        sent += 1
        time.sleep(max(0.0, began + sent / UPLOADS_PER_SECOND - time.monotonic()))


@contextmanager
def never_read(server: AttackedServer) -> Iterator[None]:
    """Small receive buffers, so that the server notices soon."""
    with ExitStack() as held:
        for _ in range(STREAMS):
            found = held.enter_context(socket.socket())
            found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            found.connect(("127.0.0.1", server.port))
            found.sendall(b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
        yield
