"""The demo: real HTTP, an honest count of the truth, nothing left behind, and a check that can fail."""

import asyncio
import io
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from pathlib import Path

import pytest
from rich.console import Console

from hgldp.cli import main
from hgldp.cli.commands.demo import run as demo
from hgldp.cli.commands.demo.crowd import Crowd, Line, NothingSent
from hgldp.cli.commands.demo.server import running_server
from hgldp.cli.commands.demo.shop import PRODUCTS, Taste
from hgldp.cli.commands.demo.table import comparison, figures, precision_at
from hgldp.cli.tasks import fetch_task
from hgldp.errors import InvalidField
from hgldp.system.http import Address
from tests.patience import PATIENCE


def test_everything_the_crowd_sent_is_counted_once_and_the_server_is_gone_afterwards() -> None:
    with running_server(0) as server:
        made = server.service.post("/v1/tasks", demo.TASK)
        task = fetch_task(server.service, made["id"])
        crowd = Crowd(server.url, task, made["write_key"], demo.EPSILON)
        taste = Taste(1)
        clients = deque(crowd.client(taste.events(6)) for _ in range(100))
        asyncio.run(crowd.send(clients, 4, lambda: 500.0))
        found = server.service.get(f"/v1/tasks/{made['id']}/top", k=10)
        assert found["reports"] == crowd.truth.total() == 600
        assert crowd.uploads == 200
        assert crowd.sent_bytes == 200 * 64
        folder = Path(server.process.args[5])
        assert folder.is_dir()
    assert server.process.returncode == 0
    assert not folder.parent.exists()


def test_a_crowd_that_would_spend_too_much_does_not_start_and_one_without_a_collector_says_so() -> None:
    with running_server(0) as server:
        made = server.service.post("/v1/tasks", demo.TASK)
        task = fetch_task(server.service, made["id"])
        with pytest.raises(InvalidField, match="epsilon must be at most this client's ceiling"):
            Crowd(server.url, task, made["write_key"], max_epsilon=1.9)
        server.process.kill()
        server.process.wait()
        crowd = Crowd(server.url, task, made["write_key"], demo.EPSILON)
        with pytest.raises(NothingSent, match="went away"):
            asyncio.run(crowd.send(deque([crowd.client(["red kite"])]), 4, lambda: 500.0))


async def posted_to_a_server_that_hangs_up() -> tuple[list[int], int]:
    """Three requests to a server that ends each connection after one answer; and how many connections there were."""
    connections = 0

    async def answer_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        await reader.readexactly(4)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer_once, "127.0.0.1", 0) as server:
        line = Line(Address.of(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"))
        found = [await line.post(b"post") for _ in range(3)]
        line.close()
    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the system
        await line.post(b"post")
    return found, connections


def test_a_connection_that_the_collector_closed_is_opened_again() -> None:
    assert asyncio.run(posted_to_a_server_that_hangs_up()) == ([200, 200, 200], 3)


def test_a_taken_port_is_refused_before_anything_starts(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["demo", "--port", str(port)]) == 2
    assert f"port must be free, got {port}" in capsys.readouterr().err


@pytest.mark.parametrize(("found", "precision"), [("abc", 1.0), ("abd", 1.0), ("abe", 2 / 3), ("xyz", 0.0), ("", 0.0)])
def test_precision_counts_ties_with_the_last_place_and_nothing_else(found: str, precision: float) -> None:
    assert precision_at(3, list(found), Counter({"a": 9, "b": 7, "c": 4, "d": 4, "e": 3})) == precision


def shown(*lines: dict[str, object], clear: bool) -> str:
    screen = io.StringIO()
    truth = Counter({"crimson backpack": 109_876, "red kite": 7})
    numbers = {"estimate": 109_999.0, "standard_error": 1_250.0, "low": 107_000.0, "high": 112_000.0}
    told = [{"rank": rank, **numbers, **line} for rank, line in enumerate(lines, start=1)]
    table = comparison({"clear_top": clear, "top": told}, truth, 10, figures(64, 1, 1, 0, 2.0, 20))
    Console(file=screen, width=80, highlight=False).print(table)
    return screen.getvalue()


def test_the_table_says_what_may_be_noise_and_which_ranks_are_likely() -> None:
    sure = {"item": "crimson backpack", "rank_low": 1, "rank_high": 10, "may_be_noise": False}
    noise = {"item": "red kite", "rank_low": None, "rank_high": None, "may_be_noise": True}
    found = shown(sure, noise, clear=True)
    rows = [each for each in found.splitlines() if "backpack" in each or "kite" in each]
    assert rows[0].split()[:2] == ["1", "1–10"]
    assert [row.rstrip().endswith("maybe") for row in rows] == [False, True]
    assert "noise?         maybe: it does not stand out from an ordinary item" in found
    assert "No clear top" not in found
    flat = shown(noise, clear=False)
    assert flat.index("No clear top: none of these items stands out from chance.") < flat.index("red kite")
    plain = shown(sure | {"rank_low": None, "rank_high": None}, clear=True)
    assert "likely" not in plain
    assert "noise" not in plain


def test_a_usual_table_fits_into_eighty_columns_and_legends_explain_only_what_is_shown() -> None:
    usual = {"item": "cream hammock", "rank_low": 10, "rank_high": 11, "may_be_noise": False}
    usual |= {"estimate": 47_817.0, "standard_error": 456.0, "low": 46_817.0, "high": 48_617.0}
    fits, wide = (shown(usual | {"item": item}, clear=True) for item in ("cream hammock", "crimson backpack"))
    assert "No room" not in fits
    assert "one standard error" in fits
    assert "No room for ±." in wide
    assert "one standard error" not in wide


def test_too_little_found_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo._judge(0.8) == 0
    assert demo._judge(0.7) == 1
    assert "precision at 10 must be at least 0.8, got 0.7" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["--clients=0", "--port=70000", "--seed=-1"])
def test_what_makes_no_sense_is_refused(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", wrong]) == 2
    assert "must be a whole number" in capsys.readouterr().err


def test_the_shop_has_600_products_and_the_seed_settles_what_is_loved() -> None:
    assert len(set(PRODUCTS)) == 600
    assert Taste(1).events(50) == Taste(1).events(50) != Taste(2).events(50)


def test_ctrl_c_ends_it_cleanly_after_the_table() -> None:
    """It hears Ctrl-C even if the tests run in the background of a shell, which ignores it for all that they start."""
    hearing = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    command = [
        sys.executable,
        "-c",
        f"{hearing}from hgldp.cli import main; sys.exit(main(['demo', '--clients', '30']))",
    ]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert running.stdout is not None
    too_late = threading.Timer(PATIENCE, os.killpg, (running.pid, signal.SIGKILL))
    too_late.start()
    said = ""
    while "Press Ctrl-C to stop" not in said:
        line = running.stdout.readline()
        assert line, said
        said += line
    too_late.cancel()
    time.sleep(0.5)
    os.killpg(running.pid, signal.SIGINT)
    rest, complaints = running.communicate(timeout=PATIENCE)  # a server that still compiles is slow to end
    assert running.returncode == 0
    assert complaints == ""
    assert rest == "\nThe demo is over; nothing is left behind.\n"
    assert said.startswith("Dashboard: http://127.0.0.1:")
    assert "Top 10 as the collector found it, beside the truth" in said


def test_a_demo_that_is_killed_takes_its_collector_and_its_folder_along(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hgldp.cli", "demo", "--clients", "30"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "TMPDIR": str(tmp_path)}
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    assert running.stdout is not None
    port = int(running.stdout.readline().split("/")[2].partition(":")[2])
    assert list(tmp_path.glob("hgldp-demo-*"))
    running.kill()
    running.wait()
    running.stdout.close()
    end = time.monotonic() + PATIENCE
    while (answers(port) or list(tmp_path.iterdir())) and time.monotonic() < end:
        time.sleep(0.05)
    assert not answers(port)
    assert list(tmp_path.iterdir()) == []


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
