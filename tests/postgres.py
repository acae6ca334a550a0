"""A real PostgreSQL for the tests: started on a free port, with a new database for whoever asks, and ended again."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest

from tests.ending import ends_with_us
from tests.free_port import free_port
from tests.patience import PATIENCE

USER = "postgres"
MISSING = "PostgreSQL is not installed here (Debian: postgresql): the tests of the shared store cannot run"
PLACES = ("/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt")
STILL_IN_USE = b"shared memory block"  # what its log then says
_numbers = count(1)


def programs() -> Path | None:
    """The folder of initdb and postgres, wherever the system has put them."""
    on_path = shutil.which("initdb")
    if on_path is not None:
        return Path(on_path).resolve().parent
    found = [path.parent for place in PLACES for path in Path(place).glob("*/bin/initdb")]
    return max(found, default=None, key=lambda path: path.parent.name)


class Server:
    """Ours to kill and to start again. `settings` are those of postgresql.conf."""

    def __init__(self, folder: Path, **settings: str) -> None:
        found = programs()
        if found is None:
            if os.environ.get("CI") == "true":
                raise RuntimeError(MISSING)
            pytest.skip(MISSING)
        self._programs, self._folder = found, folder
        self._user = USER if os.getuid() == 0 else None  # PostgreSQL refuses to run as root
        self._settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", **settings}
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        if os.getuid() == 0:
            shutil.chown(folder, USER)
        options = ["-A", "trust", "-U", USER, "-E", "UTF8", "--locale=C", "-N"]
        self._call("initdb", *options, "-D", str(folder / "data"))

    def _call(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments], check=True, capture_output=True, cwd=self._folder, user=self._user
        )

    def start(self) -> None:
        """Return when it answers. After SIGKILL it starts once the last of its old processes has noticed and ended."""
        until = time.monotonic() + PATIENCE
        process = self._launched()
        while True:
            try:
                psycopg.connect(self.url()).close()
            except psycopg.OperationalError:
                ended = process.poll() is not None
                if time.monotonic() > until or (ended and STILL_IN_USE not in (self._folder / "log").read_bytes()):
                    raise
                time.sleep(0.05)
                process = self._launched() if ended else process
            else:
                return

    def _launched(self) -> "subprocess.Popen[bytes]":
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        place = ["-D", str(self._folder / "data"), "-p", str(self.port)]
        command = [*ends_with_us("QUIT"), str(self._programs / "postgres"), *place, *settings]
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder, user=self._user)
        return self._process

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT ends it in order, SIGQUIT at once; SIGKILL leaves everything as it is."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    @property
    def pid(self) -> int:
        """Of the first of its processes."""
        assert self._process is not None
        return self._process.pid

    def url(self, database: str = "postgres", user: str = USER) -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The address of an empty one."""
        name = f"hgldp_{os.getpid()}_{next(_numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)


@contextmanager
def running(**settings: str) -> Iterator[Server]:
    """A server of its own. Without syncing: what a killed process wrote is in the system's memory anyway."""
    with tempfile.TemporaryDirectory(prefix="hgldp-postgres-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder), **{"fsync": "off", "max_connections": "100", **settings})
        server.start()
        try:
            yield server
        finally:
            server.stop(signal.SIGQUIT)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: Server) -> str:
    return postgres_server.new_database()
