"""Cookies, connections and bodies: strangers send little or much, and then nothing more."""

import time
from pathlib import Path

from hgldp.wire.upload import MOST_BYTES
from tests.patience import PATIENCE
from tests.slow.attack.attacked_server import AttackedServer, attacked_server
from tests.slow.attack.strangers import KEEP_ALIVE, crowd, flood
from tests.slow.attack.under_attack import in_processes, withstand


def with_cookie(quotes: int) -> bytes:
    return b'GET / HTTP/1.1\r\nHost: x\r\nCookie: a="' + b'\\"' * quotes + b'"\r\n\r\n'


def test_cookies_of_escaped_quotes(tmp_path: Path) -> None:
    """Those of 32,000 quotes do not get past the head; those of 15,000 do."""
    with attacked_server(tmp_path) as server:
        withstand(
            server, "cookies of 15,000 escaped quotes", lambda it: in_processes(flood, it.port, with_cookie(15_000))
        )
        withstand(
            server, "cookies of 32,000 escaped quotes", lambda it: in_processes(flood, it.port, with_cookie(32_000))
        )
        server.end()


def test_idle_connections_beyond_the_descriptors(tmp_path: Path) -> None:
    """The descriptors are limited to 1,024; whoever is cut off comes back at once."""
    with attacked_server(tmp_path, descriptors=1_024) as server:
        withstand(
            server, "1,100 idle connections, 1,024 descriptors",
            lambda it: in_processes(crowd, it.port, 1_100, KEEP_ALIVE),
        )  # fmt: skip
        assert "Too many open files" not in server.log
        server.end()


def test_connections_that_never_send_a_whole_head(tmp_path: Path) -> None:
    with attacked_server(tmp_path, descriptors=1_024) as server:
        withstand(
            server, "1,100 halves of a head, 1,024 descriptors",
            lambda it: in_processes(crowd, it.port, 1_100, KEEP_ALIVE[:-2]),
        )  # fmt: skip
        server.end()


def test_withheld_bodies(tmp_path: Path) -> None:
    """Each announces the largest legal upload and sends all of it but the last byte."""
    with attacked_server(tmp_path) as server:
        key = server.create(name="Attacked", k=6)["write_key"]
        head = f"POST /v1/in/{key} HTTP/1.1\r\nHost: x\r\nContent-Length: {MOST_BYTES}\r\n\r\n".encode()
        withstand(
            server,
            "4,000 withheld bodies",
            lambda it: in_processes(crowd, it.port, 4_000, head, MOST_BYTES - 1),
        )
        server.end()


def test_bodies_of_a_few_bytes_are_withheld(tmp_path: Path) -> None:
    with attacked_server(tmp_path) as server:
        key = server.create(name="Attacked", k=6)["write_key"]
        head = f"POST /v1/in/{key} HTTP/1.1\r\nHost: x\r\nContent-Length: 64\r\n\r\nabc".encode()
        withstand(
            server,
            "8,000 bodies of three bytes",
            lambda it: in_processes(crowd, it.port, 8_000, head),
        )
        server.end()


def test_sigterm_whatever_strangers_hold_open(tmp_path: Path) -> None:
    with attacked_server(tmp_path) as server:
        made = server.create(name="Attacked", k=6)
        with (
            in_processes(crowd, server.port, 300, KEEP_ALIVE),
            in_processes(crowd, server.port, 300, KEEP_ALIVE[:-2]),
            in_processes(crowd, server.port, 200, _upload(made["write_key"]), 100),
            in_processes(
                crowd,
                server.port,
                50,
                f"GET /tasks/{made['id']}/live HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
                0,
                "nothing",
            ),
        ):
            _until(server, 500)
            taken = server.end()
    print(f"\nSIGTERM with 850 connections of four kinds: {taken:.1f} s")
    assert "Traceback" not in server.log


def _upload(key: str) -> bytes:
    return f"POST /v1/in/{key} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n".encode()


def _until(server: AttackedServer, connections: int) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        time.sleep(0.2)
        page = server.ask("GET", "/metrics")[1].decode()
        found = [line for line in page.splitlines() if line.startswith("hgldp_connections ")]
        if found and float(found[0].split()[1]) >= connections:
            return
    raise AssertionError("the strangers do not come")
