"""Requests that are refused, bodies in crumbs, and connections that come and go: nobody else waits for them."""

from pathlib import Path

import pytest

from tests.slow.attack.attacked_server import attacked_server
from tests.slow.attack.strangers import ask_and_leave, come_anew, flood, knock, pour
from tests.slow.attack.under_attack import in_processes, withstand

MANY, DEEP = 200, 16
CRUMBS = b"1\r\nX\r\n" * 50_000
REFUSED = {
    "paths that do not exist": b"GET /nope HTTP/1.1\r\nHost: x\r\n\r\n",
    "pages that do not exist": b"GET /nope HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n",
    "unknown keys": b"POST /v1/in/nope HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
    "unknown tasks": b"GET /v1/tasks/" + b"0" * 64 + b"/bulletin HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("depth", [1, DEEP])
def test_requests_that_are_refused(tmp_path: Path, what: str, depth: int) -> None:
    """Before, honest uploads waited for 8 seconds: a newcomer was accepted in each turn of the loop, and all the turn
    went to requests that were refused."""
    with attacked_server(tmp_path) as server:
        withstand(
            server, f"{MANY} connections, {depth} deep: {what}",
            lambda it: in_processes(flood, it.port, REFUSED[what] * depth, MANY),
        )  # fmt: skip
        server.end()


@pytest.mark.parametrize("what", ["paths that do not exist", "unknown keys"])
def test_a_new_connection_for_each_refused_request(tmp_path: Path, what: str) -> None:
    """No connection lives long enough to rest."""
    with attacked_server(tmp_path) as server:
        withstand(server, f"a new connection each: {what}", lambda it: in_processes(come_anew, it.port, REFUSED[what]))
        server.end()


@pytest.mark.parametrize("what", ["paths that do not exist", "unknown keys"])
def test_requests_whose_clients_do_not_wait_for_the_answer(tmp_path: Path, what: str) -> None:
    """Each waits for its turn after its connection and its place are gone."""
    with attacked_server(tmp_path) as server:
        withstand(
            server, f"ask and leave: {what}", lambda it: in_processes(ask_and_leave, it.port, REFUSED[what], number=4)
        )  # fmt: skip
        server.end()


@pytest.mark.parametrize("number", [1, 8])
@pytest.mark.parametrize("known", [False, True], ids=["unknown key", "known key"])
def test_bodies_in_crumbs(tmp_path: Path, number: int, known: bool) -> None:
    """Chunks of one byte. Before, one connection made all others wait for 4 seconds, and four for more than 10."""
    with attacked_server(tmp_path) as server:
        key = server.create(name="Attacked", k=6)["write_key"] if known else "nope"
        head = f"POST /v1/in/{key} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        withstand(
            server, f"{number} bodies in crumbs", lambda it: in_processes(pour, it.port, head, CRUMBS, number)
        )  # fmt: skip
        server.end()


def test_connections_that_come_and_go(tmp_path: Path) -> None:
    with attacked_server(tmp_path) as server:
        withstand(server, "connections that come and go", lambda it: in_processes(knock, it.port))
        server.end()
