"""Four collectors on one PostgreSQL under load, killed again and again, and PostgreSQL too; everything is sent twice.

`make test-crash-shared` runs it at length; the tests run a short one.
"""

import argparse
import http.client
import json
import random
import signal
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.frozen import FrozenDatabase
from hgldp.collector.log.postgres.store import PostgresStorage
from hgldp.collector.log.replay import replay_all
from tests.collector.shared.one_process import differences
from tests.patience import PATIENCE
from tests.postgres import Server as Postgres
from tests.postgres import running
from tests.slow.collector.crash_loop import ENOUGH_EPOCHS, ENOUGH_UPLOADS, TASKS, Client, Server, until_enough

NO_IDEMPOTENCY_KEY = """
from hgldp.collector.log.postgres import inbox
inbox._remember = lambda writer, arrivals, ids: set(ids)
"""


class Worker(Server):
    """`hgldp serve` on the shared database."""

    def __init__(self, url: str, folder: Path, plant: str = "") -> None:
        super().__init__(folder, plant)
        self._url = url

    @property
    def arguments(self) -> list[str]:
        return ["serve", "--store", self._url, "--port", str(self.port)]


@dataclass
class Roaming(Client):
    """Goes to another worker with every session, and remembers everything that it ever sent."""

    workers: list[Worker] = field(default_factory=list)
    sent: dict[bytes, bytes] = field(default_factory=dict)

    def _session(self, draw: random.Random) -> None:
        self.server = draw.choice(self.workers)
        super()._session(draw)

    def _send(self, draw: random.Random, connection: http.client.HTTPConnection, version: str, limit: int) -> int:
        """What was sent before goes to another worker."""
        elsewhere = http.client.HTTPConnection("127.0.0.1", draw.choice(self.workers).port, timeout=PATIENCE)
        try:
            return super()._send(draw, elsewhere if self.unsure else connection, version, limit)
        finally:
            elsewhere.close()
            if self.unsure:
                self.sent[self.unsure[4:20]] = self.unsure


@dataclass
class Outcome:
    """What a crash loop found."""

    kills: int
    database_kills: int
    sealers: int
    acknowledged: int
    resent: int
    lost: int
    twice: int
    waiting: int
    reports_logged: int
    reports_counted: list[int]
    replayed: str
    differs_from_one_process: list[str]
    bulletins: int


def crash_loop(
    kills: int,
    database_kills: int,
    seed: int,
    workers: int = 4,
    load_seconds: float = 0.8,
    plant: str = "",
    **settings: str,
) -> Outcome:
    """Kill a random worker, the sealer or PostgreSQL, start it again, and compare with what clients were told."""
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as name, running(**settings) as postgres:
        url = postgres.new_database()
        team = [Worker(url, Path(name) / f"worker {number}", plant) for number in range(workers)]
        try:
            return _under_load(team, postgres, url, draw, (kills, database_kills), load_seconds, Path(name))
        finally:
            for each in team:
                each.end()


def _under_load(
    team: list[Worker],
    postgres: Postgres,
    url: str,
    draw: random.Random,
    kills: tuple[int, int],
    load_seconds: float,
    folder: Path,
) -> Outcome:
    for each in team:
        each.start()
    made = [json.loads(team[0].ask("POST", "/v1/tasks", json.dumps(task).encode())[1]) for task in TASKS]
    clients = [
        Roaming(team[0], task["id"], task["write_key"], draw.randrange(1 << 32), again=1.0, workers=team)
        for task in made
        for _ in range(4)
    ]
    threads = [threading.Thread(target=client.run, daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    victims = ["database"] * kills[1] + ["sealer"] * (kills[0] // 2) + ["worker"] * (kills[0] - kills[0] // 2)
    draw.shuffle(victims)
    for victim in victims:
        time.sleep(draw.uniform(0.1, 2 * load_seconds))
        _strike(victim, draw, team, postgres, url)
    time.sleep(load_seconds)
    until_enough(team[0], made, clients, sum(kills))
    for client in clients:
        client.stop.set()
    for thread in threads:
        thread.join(PATIENCE)
    resent, waiting = _send_all_again(draw, clients, team), _settle(url)
    time.sleep(1.5)  # whoever follows looks four times a second
    counted = [
        sum(json.loads(each.ask("GET", f"/v1/tasks/{task['id']}")[1])["reports"] for task in made) for each in team
    ]
    for each in team:
        each.stop()
    return _compare(url, folder, clients, kills, resent, waiting, counted)


def _strike(victim: str, draw: random.Random, team: list[Worker], postgres: Postgres, url: str) -> None:
    if victim == "database":
        postgres.stop(signal.SIGKILL)
        time.sleep(draw.uniform(0, 0.5))
        postgres.start()
        return
    chosen = draw.choice(team)
    if victim == "sealer":
        holder = int(str(_one(url, "SELECT holder FROM sealer")).split()[-1] or 0)
        chosen = next((each for each in team if each.process.pid == holder), chosen)
    chosen.kill()
    time.sleep(draw.uniform(0, 0.3))
    chosen.start()


def _send_all_again(draw: random.Random, clients: list[Roaming], team: list[Worker]) -> int:
    """Everything that was ever sent, to a worker drawn by lot; returns how much was acknowledged again."""
    seeds = [draw.randrange(1 << 32) for _ in clients]
    with ThreadPoolExecutor(len(clients)) as pool:
        return sum(pool.map(_send_again, seeds, clients, [team] * len(clients)))


def _send_again(seed: int, client: Roaming, team: list[Worker]) -> int:
    draw, again = random.Random(seed), 0
    for upload_id, body in client.sent.items():
        status, said, until = 503, b"", time.monotonic() + PATIENCE
        while status == 503 and time.monotonic() < until:
            status, said = draw.choice(team).ask("POST", f"/v1/in/{client.key}", body, "application/octet-stream")
        assert status in (200, 410), (status, said)
        again += status == 200
        if status == 200:
            client.acknowledged[upload_id] = int.from_bytes(body[52:56], "big")
    return again


def _settle(url: str) -> int:
    """Wait until the inbox is empty; how many rows were left when nobody could wait any longer."""
    until = time.monotonic() + PATIENCE
    while (waiting := int(str(_one(url, "SELECT count(*) FROM inbox")))) and time.monotonic() < until:
        time.sleep(0.1)
    return waiting


def _one(url: str, sql: str) -> object:
    with psycopg.connect(url) as connection:
        found = connection.execute(sql.encode()).fetchone()
        assert found is not None
        return found[0]


def _compare(
    url: str,
    folder: Path,
    clients: list[Roaming],
    kills: tuple[int, int],
    resent: int,
    waiting: int,
    counted: list[int],
) -> Outcome:
    database = Database(url)
    storage, logged, sizes = PostgresStorage(database), Counter[bytes](), dict[bytes, int]()
    for entry in storage.entries():
        logged.update(entry.upload_ids)
        sizes |= zip(entry.upload_ids, entry.upload_counts, strict=True)
    acknowledged = {key: size for client in clients for key, size in client.acknowledged.items()}
    frozen = FrozenDatabase(database)
    report = replay_all(frozen)
    frozen.close()
    twice = sum(times > 1 for times in logged.values())
    outcome = Outcome(
        kills=kills[0],
        database_kills=kills[1],
        sealers=int(str(_one(url, "SELECT fence FROM sealer"))),
        acknowledged=len(acknowledged),
        resent=resent,
        lost=sum(sizes.get(each) != size for each, size in acknowledged.items()),
        twice=twice,
        waiting=waiting,
        reports_logged=sum(sizes[each] * times for each, times in logged.items()),
        reports_counted=counted,
        replayed="every bulletin and result, bit for bit" if report.agrees else str(report.difference),
        differs_from_one_process=[] if twice else differences(storage, folder / "alone"),
        bulletins=report.bulletins,
    )
    database.close()
    return outcome


def check(outcome: Outcome) -> None:
    assert outcome.lost == 0, outcome
    assert outcome.twice == 0, outcome
    assert outcome.waiting == 0, outcome
    assert set(outcome.reports_counted) == {outcome.reports_logged}, outcome
    assert outcome.replayed.startswith("every"), outcome
    assert not outcome.differs_from_one_process, outcome
    assert outcome.bulletins >= ENOUGH_EPOCHS, outcome
    assert outcome.acknowledged > ENOUGH_UPLOADS * outcome.kills, outcome


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill collectors and PostgreSQL under load and count what is kept")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--database-kills", type=int, default=5)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    typed = parser.parse_args()
    print(f"seed {typed.seed}", flush=True)
    outcome = crash_loop(typed.kills, typed.database_kills, typed.seed, typed.workers, fsync="on")
    print(outcome, flush=True)
    check(outcome)
    wrong = crash_loop(4, 0, typed.seed, typed.workers, plant=NO_IDEMPOTENCY_KEY)
    print(f"without the idempotency key {wrong.twice} of {wrong.acknowledged} uploads are counted twice", flush=True)
    assert wrong.twice


if __name__ == "__main__":
    main()
