"""Exports and histories that strangers ask for, and read as fast as they can or not at all."""

import json
import time
from pathlib import Path

import pytest

from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload
from tests.slow.attack.attacked_server import JUDGED, AttackedServer, attacked_server
from tests.slow.attack.strangers import crowd
from tests.slow.attack.under_attack import in_processes, withstand

UPLOADS, K, EPOCH = 500 if JUDGED else 100, 400, 200  # hasty epochs are sealed two uploads at a time


def long_history(server: AttackedServer) -> str:
    """The id of a public task with 100,000 rows of results (or a fifth), 15 MB as CSV: a few weeks of a busy one."""
    domain = {"range": [0, 5_000]}
    made = server.create(name="Long", scheme="dsr", k=K, cells=K, epoch=EPOCH, domain=domain)
    path = f"/v1/tasks/{made['id']}"
    task = read_task(server.ask("GET", f"{path}/document")[1])
    for number in range(UPLOADS):
        version = json.loads(server.ask("GET", f"{path}/bulletin")[1])["bulletin"]
        bulletin = read_bulletin(server.ask("GET", f"/v1/bulletins/{version}")[1], version)
        limit = scheme_of(task).symbol_limit(bulletin)  # type: ignore[arg-type]
        symbols = [(7 * number + 13 * each) % limit for each in range(EPOCH)]
        upload = Upload.of(number.to_bytes(16, "big"), bytes.fromhex(version), symbols, limit).encode()
        status, answer = server.ask("POST", f"/v1/in/{made['write_key']}", upload, {"content-type": "text/plain"})
        assert status in (200, 410), answer
    assert json.loads(server.ask("GET", path)[1])["epoch"] >= UPLOADS // 2 - 1
    return str(made["id"])


def asking(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


@pytest.mark.parametrize("read", ["all", "nothing"])
@pytest.mark.parametrize("what", ["export?format=csv", "export?format=json", "export?format=parquet", "history"])
def test_thirty_exports(tmp_path: Path, what: str, read: str) -> None:
    with attacked_server(tmp_path) as server:
        request = asking(f"/v1/tasks/{long_history(server)}/{what}")
        name = f"30 times {what}, {'read' if read == 'all' else 'not read'}"
        withstand(server, name, lambda it: in_processes(crowd, it.port, 30, request, 0, read))
        with in_processes(crowd, server.port, 30, request, 0, read):
            time.sleep(3)
            taken = server.end()
        print(f"\nSIGTERM meanwhile: {taken:.1f} s")
        assert "Traceback" not in server.log
