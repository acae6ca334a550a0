"""What deploy/several starts, as processes of this machine: PostgreSQL, pgbouncer and collectors."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.migrations import grant, migrate
from tests.free_port import free_port
from tests.patience import PATIENCE, until
from tests.postgres import USER, programs, running
from tests.slow.collector.crash_loop import Server
from tests.slow.deploy.files import DEPLOY
from tests.slow.deploy.programs import require

SEVERAL = DEPLOY / "several"
INI = (SEVERAL / "pgbouncer/pgbouncer.ini").read_text(encoding="utf-8")
OWNER, COLLECTOR = "hgldp_owner", "hgldp_collector"
OWNER_PASSWORD, COLLECTOR_PASSWORD = "the owner's 'word'", "the-collectors-word"
HBA = f"host all {USER} 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n"


@dataclass(frozen=True)
class Prepared:
    """A PostgreSQL with our roles: each of them has to show its password."""

    folder: Path
    port: int

    def run_roles(self, lost: str = "") -> subprocess.CompletedProcess[str]:
        """deploy/several/postgres/roles.sql, as the superuser."""
        found = programs()
        assert found is not None
        words = [found / "psql", "-X", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-U", USER, "-d", USER]
        files = {"OWNER": OWNER_PASSWORD, "COLLECTOR": COLLECTOR_PASSWORD}
        for name, password in files.items():
            (self.folder / name).write_text(f"{password}\n")
            if name == lost:
                (self.folder / name).unlink()
        known = os.environ | {f"HGLDP_{name}_PASSWORD_FILE": str(self.folder / name) for name in files}
        command = [*words, "-f", SEVERAL / "postgres/roles.sql"]
        return subprocess.run(command, env=known, capture_output=True, text=True, timeout=PATIENCE, check=False)

    def connect(self, role: str, password: str, database: str = "hgldp") -> psycopg.Connection:
        place = {"host": "127.0.0.1", "port": self.port, "dbname": database}
        return psycopg.connect(user=role, password=password, autocommit=True, **place)  # type: ignore[arg-type]

    @property
    def owner_url(self) -> str:
        return f"postgresql://{OWNER}:the%20owner%27s%20%27word%27@127.0.0.1:{self.port}/hgldp"

    def make_tables(self) -> None:
        """As the owner."""
        database = Database(self.owner_url)
        migrate(database)
        grant(database, COLLECTOR)
        database.close()


@contextmanager
def prepared() -> Iterator[Prepared]:
    """The roles are there, the tables are not."""
    with tempfile.TemporaryDirectory(prefix="hgldp-several-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the server is another user
        (folder / "hba").write_text(HBA)
        with running(hba_file=str(folder / "hba")) as server:
            found = Prepared(folder, server.port)
            done = found.run_roles()
            assert done.returncode == 0, done.stderr
            yield found


@contextmanager
def pooled(database: Prepared, ini: str = INI) -> Iterator[tuple[str, Path]]:
    """pgbouncer with our file: the collectors' address of the database, and where the log is."""
    require("pgbouncer")
    port, folder = free_port(), database.folder
    users, log = folder / "users", folder / "pgbouncer.log"
    users.write_text(f'"{COLLECTOR}" "{COLLECTOR_PASSWORD}"\n')
    changes = {
        "host=postgres port=5432": f"host=127.0.0.1 port={database.port}",
        "listen_port = 6432": f"listen_port = {port}",
        "listen_addr = *": "listen_addr = 127.0.0.1",
        "/run/secrets/pgbouncer_users": str(users),
    }
    for before, after in changes.items():
        assert ini.count(before) == 1, before
        ini = ini.replace(before, after)
    (folder / "pgbouncer.ini").write_text(ini)
    user = USER if os.getuid() == 0 else None
    with log.open("w") as out:
        command = [str(shutil.which("pgbouncer")), str(folder / "pgbouncer.ini")]
        process = subprocess.Popen(command, stdout=out, stderr=out, user=user)
    try:
        _wait_for(port, process, log)
        yield f"postgresql://{COLLECTOR}:{COLLECTOR_PASSWORD}@127.0.0.1:{port}/hgldp", log
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    def answers() -> bool:
        assert process.poll() is None, log.read_text()
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), PATIENCE):
            return True
        return False

    until(answers)


class Deployed(Server):
    """`hgldp serve` with the configuration of deploy/several; HGLDP_STORE_FILE says where the database is."""

    @property
    def arguments(self) -> list[str]:
        return ["serve", "--config", str(self.folder), "--host", "127.0.0.1", "--port", str(self.port)]


def configuration(folder: Path) -> Path:
    """As it is deployed, but that the proxy is on this machine."""
    text = (SEVERAL / "compose/hgldp.toml").read_text(encoding="utf-8")
    assert text.count("10.89.78.2") == 1
    (folder / "hgldp.toml").write_text(text.replace("10.89.78.2", "127.0.0.1"))
    return folder / "hgldp.toml"
