"""A hostile collector, or a hostile item, cannot command the terminal of the person who looks at it."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from hgldp.cli import main
from tests.patience import PATIENCE

ATTACK = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202etea\r"
COMMANDS = ("\x1b]", "\x1b[2J", "\x9b", "\x07", "\u202e", "owned\x07")
OUR_COLOURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]")
ID = "4f" * 32
TASK = {
    "id": ID, "name": ATTACK, "scheme": ATTACK, "epsilon": 1.0, "level": ATTACK, "epoch": 1, "reports": 5,
    "state_bytes": 5, "closed": ATTACK, "origins": [ATTACK], "created": ATTACK, "bulletin": ATTACK,
}  # fmt: skip
LINE = {
    "rank": ATTACK, "item": ATTACK, "estimate": 5.0, "standard_error": 1.0, "low": 3.0, "high": 7.0,
    "tracked_count": 1.0, "tracked_error": 1.0, "since": 5, "rank_change": None,
    "rank_low": ATTACK, "rank_high": ATTACK, "may_be_noise": ATTACK,
}  # fmt: skip
TOP = {"task": ID, "scheme": "pfr", "k": 1, "window": None, "epoch": 1, "reports": 5, "covered": 5, "top": [LINE]}
TOP["clear_top"] = ATTACK
MADE = {"id": ATTACK, "write_key": ATTACK, "read_token": ATTACK, "upload": ATTACK, "old_until": ATTACK, "reports": 1}
PROBLEM = {"title": ATTACK, "detail": f"name must {ATTACK}, got {ATTACK}"}


class Hostile(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.endswith(("/top", "/export")) and "format=csv" in self.path:
            self._answer(f"rank,item\r\n1,{ATTACK}\r\n".encode())
        elif path.endswith("/history"):
            self._answer(json.dumps(PROBLEM).encode(), 400)
        else:
            self._answer(
                json.dumps(
                    TOP if path.endswith("/top") else {"tasks": [TASK]} if path.endswith("tasks") else TASK
                ).encode()
            )

    def do_POST(self) -> None:
        if self.path.endswith("/close"):
            self._answer(json.dumps(PROBLEM).encode(), 400)
        elif self.path.endswith("/seal"):
            self._answer(json.dumps(PROBLEM).encode(), 418)
        else:
            self._answer(json.dumps(TASK if self.path.endswith("/rename") else MADE).encode())

    def _answer(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def hostile_collector() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Hostile) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """Everything that a person's terminal receives."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "200")
    ours, theirs = pty.openpty()
    with ThreadPoolExecutor(1) as reader, os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        seen = reader.submit(read_all, ours)
        for stream in ("stdout", "stderr"):
            monkeypatch.setattr(sys, stream, terminal)
        with suppress(SystemExit):
            main(list(words))
        terminal.close()
        return seen.result().decode().replace("\r\n", "\n")


def read_all(ours: int) -> bytes:
    """Until the other end is closed."""
    seen = b""
    with os.fdopen(ours, "rb", buffering=0) as terminal, suppress(OSError):
        while part := terminal.read(1 << 16):
            seen += part
    return seen


@pytest.mark.parametrize(
    "words",
    [
        ("top", "--task", ID), ("top", "--task", ID, "--csv"), ("top", "--task", ID, "--json"), ("task", "list"),
        ("task", "list", "--json"), ("task", "show", ID), ("export", "--task", ID), ("task", "close", ID),
        ("task", "seal", ID), ("task", "rename", ID, "x"), ("task", "rotate-key", ID, "--keep-old", "1"),
        ("task", "rotate-token", ID), ("task", "delete", ID, "--yes"), ("top", "--task", ATTACK),
        ("task", "create", "--name", "x", "--epsilon", "1", "--range", "0", "9", "--k", "1"),
        ("simulate", ATTACK), (ATTACK,), ("top", f"--{ATTACK}"), ("task", "show", "--json"),
    ],
    ids=lambda words: ascii(" ".join(words[:2])),
)  # fmt: skip
def test_nothing_that_a_server_or_a_name_says_reaches_the_terminal_as_a_command(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with hostile_collector() as url, monkeypatch.context() as terminal:
        more = ("--url", url) if words[0] in ("top", "task", "export") else ()
        seen = on_a_terminal(terminal, *words, *more)
    assert seen.strip()
    left = OUR_COLOURS.sub("", seen)
    assert "Traceback" not in left
    for command in COMMANDS:
        assert command not in left, ascii(left)
    assert "\r" not in left, ascii(left)


def test_a_pipe_gets_the_data_as_they_are() -> None:
    with hostile_collector() as url:
        words = [sys.executable, "-m", "hgldp.cli", "top", "--task", ID, "--csv", "--url", url]
        piped = subprocess.run(words, capture_output=True, check=True, timeout=PATIENCE).stdout.decode()
    assert ATTACK in piped
