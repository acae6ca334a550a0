"""The collectors of deploy/several as they run: their roles, their pooler, their balancer, and one that dies."""

import http.client
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.store import PostgresStorage
from tests.patience import PATIENCE, until
from tests.slow.collector.crash_loop import ADMIN, TASKS, Client
from tests.slow.deploy.caddy import running_caddy
from tests.slow.deploy.programs import ran, require
from tests.slow.deploy.several import (
    COLLECTOR_PASSWORD,
    OWNER,
    OWNER_PASSWORD,
    SEVERAL,
    Deployed,
    Prepared,
    configuration,
    pooled,
    prepared,
)

CADDYFILE = (SEVERAL / "compose/Caddyfile").read_text(encoding="utf-8")
UPSTREAMS = "collector-1:8080 collector-2:8080 collector-3:8080"
FAILOVER = re.compile(r"^\t\t(lb_|health_|fail_).*\n", re.MULTILINE)


@pytest.fixture(scope="module")
def database() -> Iterator[Prepared]:
    with prepared() as found:
        found.make_tables()
        yield found


def test_caddy_takes_the_file_as_it_is(tmp_path: Path) -> None:
    require("caddy")
    words = ("caddy", "validate", "--adapter", "caddyfile", "--config", str(SEVERAL / "compose/Caddyfile"))
    done = ran(*words, HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert '"level":"warn"' not in done.stderr


def test_pgbouncer_asks_for_the_password_and_shares_connections(database: Prepared) -> None:
    with pooled(database) as (url, _):
        with pytest.raises(psycopg.OperationalError, match="authentication failed"):
            psycopg.connect(url.replace(COLLECTOR_PASSWORD, "wrong"))
        clients = [psycopg.connect(url, autocommit=True) for _ in range(12)]
        backends = {client.execute("SELECT pg_backend_pid()").fetchone() for client in clients}
        assert len(backends) == 1
        for client in clients:
            client.close()


class Balancer:
    """Caddy, where a client expects a collector."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, method: str, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, headers={"authorization": f"Bearer {ADMIN}"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


class Slow(Client):
    """Leaves the processor to others."""

    def _send(self, *arguments: object) -> int:
        time.sleep(0.02)
        return super()._send(*arguments)  # type: ignore[arg-type]


def counted(collector: Deployed, task: str) -> int:
    return int(json.loads(collector.ask("GET", f"/v1/tasks/{task}")[1])["reports"])


def lost(acknowledged: Iterable[bytes], logged: Counter[bytes]) -> int:
    return sum(not logged[upload] for upload in acknowledged)


def answers(http: httpx.Client, times: int = 12) -> Counter[int]:
    return Counter(http.get("/health").status_code for _ in range(times))


def test_one_of_two_collectors_dies_and_nothing_acknowledged_is_lost(
    database: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require("caddy")
    empty, other = tmp_path / "empty", tmp_path / "other"
    for folder in (empty, other):
        folder.mkdir()
    monkeypatch.chdir(empty)
    with pooled(database) as (url, pooler_log):
        (tmp_path / "store").write_text(f"{url}\n")
        (tmp_path / "store").chmod(0o600)
        monkeypatch.setenv("HGLDP_STORE_FILE", str(tmp_path / "store"))
        team = [Deployed(configuration(tmp_path)) for _ in range(2)]
        caddyfile = CADDYFILE.replace(UPSTREAMS, " ".join(f"127.0.0.1:{each.port}" for each in team))
        try:
            for each in team:
                each.start()
            with (
                running_caddy(tmp_path, caddyfile) as (http, log),
                running_caddy(other, FAILOVER.sub("", caddyfile)) as (careless, _),
            ):
                made = http.post("/v1/tasks", json=TASKS[0], headers={"authorization": f"Bearer {ADMIN}"}).json()
                time.sleep(0.5)
                balancer = Balancer(http.base_url.port or 0)
                clients = [Slow(balancer, made["id"], made["write_key"], seed) for seed in range(4)]  # type: ignore[arg-type]
                threads = [threading.Thread(target=each.run, daemon=True) for each in clients]
                for each in threads:
                    each.start()
                before = _more_than(50, clients, PATIENCE)
                victim = _kill_the_sealer(database, team)
                sealer, known = victim.process.pid, _acknowledged(clients)
                meanwhile = _more_than(known + len(clients), clients, PATIENCE) - known
                holder = _sealer(database)
                assert answers(http) == {200: 12}
                # Caddy's own choice is by lot: fewer than 3 of 40 fall on the dead one once in a thousand million times
                assert answers(careless, 40)[502] >= 3, "without failover the dead one is asked as often as the other"
                _end_the_lease(database)
                until(lambda: _sealer(database) != sealer)
                for each in clients:
                    each.stop.set()
                for each in threads:
                    each.join(PATIENCE)
                logged = _logged(database)
                (survivor,) = (each for each in team if each is not victim)
                acknowledged = {upload: size for each in clients for upload, size in each.acknowledged.items()}
                until(lambda: counted(survivor, made["id"]) >= sum(acknowledged.values()))
                caddy_log = log.read_text()
        finally:
            for each in team:
                if hasattr(each, "process") and each.process.poll() is None:
                    each.stop()
        pooler = pooler_log.read_text()
    assert before > 50
    assert meanwhile > len(clients), "uploads go on, more than were under way when the sealer died"
    assert holder == sealer, "and nobody has taken over yet"
    assert lost(acknowledged, logged) == 0
    assert lost(acknowledged, logged - Counter(list(acknowledged)[-1:])) == 1, "it would be noticed"
    assert set(logged.values()) == {1}, "nothing counts twice"
    assert made["write_key"] not in caddy_log
    assert COLLECTOR_PASSWORD not in pooler
    assert list(empty.iterdir()) == [], "a collector with a store needs no folder"


def _acknowledged(clients: Iterable[Client]) -> int:
    return sum(len(each.acknowledged) for each in clients)


def _more_than(wanted: int, clients: Iterable[Client], seconds: float) -> int:
    """How many uploads are acknowledged, as soon as there are more than so many or nobody can wait any longer."""
    until = time.monotonic() + seconds
    while _acknowledged(clients) <= wanted and time.monotonic() < until:
        time.sleep(0.02)
    return _acknowledged(clients)


def _kill_the_sealer(database: Prepared, team: Iterable[Deployed]) -> Deployed:
    """Its lease goes on until somebody ends it: nobody can renew it or take over while we hold the row."""
    with database.connect(OWNER, OWNER_PASSWORD) as writer, writer.transaction():
        ((holder,),) = writer.execute("SELECT holder FROM sealer FOR UPDATE").fetchall()
        victim = next(each for each in team if each.process.pid == int(holder.split()[-1]))
        victim.kill()
        writer.execute("UPDATE sealer SET until = 'infinity'")
    return victim


def _end_the_lease(database: Prepared) -> None:
    with database.connect(OWNER, OWNER_PASSWORD) as writer, writer.transaction():
        writer.execute("UPDATE sealer SET until = 'epoch'")


def _sealer(database: Prepared) -> int:
    with database.connect(OWNER, OWNER_PASSWORD) as reader:
        ((holder,),) = reader.execute("SELECT holder FROM sealer").fetchall()
    return int(holder.split()[-1])


def _waiting(store: Database) -> int:
    with store.connection() as reader:
        return int(reader.execute("SELECT count(*) FROM inbox").fetchone()[0])  # type: ignore[index]


def _logged(database: Prepared) -> Counter[bytes]:
    """How often each upload is in the log, as soon as nothing waits."""
    store = Database(database.owner_url)
    try:
        until(lambda: _waiting(store) == 0)
        return Counter(upload for entry in PostgresStorage(store).entries() for upload in entry.upload_ids)
    finally:
        store.close()
