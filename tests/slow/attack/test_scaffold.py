"""The measuring itself: nothing happens and all bars hold; a server that stands still, and they do not."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from tests.slow.attack.attacked_server import AttackedServer, attacked_server
from tests.slow.attack.under_attack import under_attack, withstand


@contextmanager
def stopped_now_and_then(server: AttackedServer) -> Iterator[None]:
    ended = threading.Event()

    def stop_and_go() -> None:
        while not ended.is_set():
            os.kill(server.process.pid, signal.SIGSTOP)
            time.sleep(1)
            os.kill(server.process.pid, signal.SIGCONT)
            time.sleep(0.2)

    thread = threading.Thread(target=stop_and_go)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def test_without_an_attack_all_bars_hold(tmp_path: Path) -> None:
    with attacked_server(tmp_path) as server:
        withstand(server, "nothing", lambda _: nullcontext())
        assert server.end() < 10


def test_a_server_that_stands_still_is_noticed(tmp_path: Path) -> None:
    with attacked_server(tmp_path) as server:
        outcome = under_attack(server, "a server that is stopped for a second", stopped_now_and_then)
        with pytest.raises(AssertionError, match="attacked"):
            outcome.check()
