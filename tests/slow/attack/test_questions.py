"""Strangers who ask what is slow to answer where there are many tasks: pages with junk, metrics, random bulletins."""

from pathlib import Path

import pytest

from tests.slow.attack.attacked_server import AttackedServer, attacked_server
from tests.slow.attack.strangers import flood
from tests.slow.attack.under_attack import in_processes, withstand

PRIVATE, PUBLIC = 400, 600
JUNK = "Cookie: " + ";".join(f"a{number}=1" for number in range(255)) + "\r\n"
TOKEN = "Authorization: Bearer " + "x" * 43 + "\r\n"


def many_tasks(server: AttackedServer, number: int, results: str) -> None:
    for each in range(number):
        server.create(name=f"{each}", results=results, epoch=5_000_000 + each)


def asking(path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n{more}\r\n".encode()


@pytest.mark.parametrize(("what", "more"), [("255 cookies", JUNK), ("a token", TOKEN)])
def test_the_overview_with_many_private_tasks(tmp_path: Path, what: str, more: str) -> None:
    with attacked_server(tmp_path) as server:
        many_tasks(server, PRIVATE, "token")
        name = f"the overview with {what}, {PRIVATE} private tasks"
        withstand(server, name, lambda it: in_processes(flood, it.port, asking("/", more)))


@pytest.mark.parametrize("path", ["/metrics", "/v1/bulletins/" + "5f" * 32])
def test_questions_with_many_public_tasks(tmp_path: Path, path: str) -> None:
    with attacked_server(tmp_path) as server:
        many_tasks(server, PUBLIC, "public")
        name = f"{path[:20]}, {PUBLIC} public tasks"
        withstand(server, name, lambda it: in_processes(flood, it.port, asking(path), 40))
