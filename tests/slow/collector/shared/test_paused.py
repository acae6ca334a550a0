"""A real process that seals is stopped for longer than its lease, under load, and goes on: nothing counts twice."""

import json
import signal
import threading
import time
from pathlib import Path
from typing import Any

import psycopg

from tests.collector.homes import DatabaseHome
from tests.patience import PATIENCE, until
from tests.slow.collector.crash_loop import TASKS, Client
from tests.slow.collector.shared.crash_loop import Worker


def one(url: str, sql: str) -> tuple[Any, ...]:
    with psycopg.connect(url) as connection:
        found = connection.execute(sql.encode()).fetchone()
    assert found is not None
    return found


def sealer(url: str) -> tuple[int, int]:
    """The fence, and the process."""
    fence, holder = one(url, "SELECT fence, holder FROM sealer")
    return fence, int(holder.split()[-1])


def start(client: Client) -> threading.Thread:
    thread = threading.Thread(target=client.run, daemon=True)
    thread.start()
    return thread


def test_a_sealer_that_is_stopped_for_longer_than_its_lease(postgres_url: str, tmp_path: Path) -> None:
    team = [Worker(postgres_url, tmp_path / str(number)) for number in range(2)]
    try:
        for each in team:
            each.start()
        made = json.loads(team[0].ask("POST", "/v1/tasks", json.dumps(TASKS[0]).encode())[1])
        until(lambda: all(each.ask("GET", f"/v1/tasks/{made['id']}")[0] == 200 for each in team))
        clients = [Client(each, made["id"], made["write_key"], seed) for seed, each in enumerate(team)]
        threads = [start(each) for each in clients]
        until(lambda: all(len(each.acknowledged) > 5 for each in clients))
        fence, process = sealer(postgres_url)
        (paused,) = [each for each in team if each.process.pid == process]
        (other,) = [each for each in team if each is not paused]
        paused.process.send_signal(signal.SIGSTOP)
        for each in clients:
            each.stop.set()  # one of them has just sent something to the stopped process
        until(lambda: sealer(postgres_url)[0] > fence)
        clients.append(Client(other, made["id"], made["write_key"], 9))
        threads.append(start(clients[-1]))
        until(lambda: len(clients[-1].acknowledged) > 5)
        paused.process.send_signal(signal.SIGCONT)
        time.sleep(0.5)
        clients[-1].stop.set()
        for each in threads:
            each.join(PATIENCE)
        until(lambda: not one(postgres_url, "SELECT count(*) FROM inbox")[0])
    finally:
        for each in team:
            each.process.send_signal(signal.SIGCONT)
            each.stop()
    home = DatabaseHome(postgres_url)
    storage = home.storage()
    logged = [upload_id for entry in storage.entries() for upload_id in entry.upload_ids]
    storage.close()
    assert len(logged) == len(set(logged))
    assert {upload_id for each in clients for upload_id in each.acknowledged} <= set(logged)
    assert home.replayed().agrees
