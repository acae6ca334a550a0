"""Behind pgbouncer in transaction mode, where two statements of one client may go to two connections."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.views import Receipt
from tests.collector.fakes import HOT, SEARCH, create, now, upload
from tests.collector.homes import DatabaseHome
from tests.free_port import free_port
from tests.patience import until
from tests.postgres import USER

MISSING = "pgbouncer is not installed here (Debian: pgbouncer): the test behind a pooler cannot run"
ENOUGH_EPOCHS, MOST_ROUNDS = 3, 200
SETTINGS = """[databases]
* = host=127.0.0.1 port={server} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
ignore_startup_parameters = extra_float_digits
logfile = {folder}/log
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that another user may enter: a pooler does not run as root."""
    with tempfile.TemporaryDirectory(prefix="hgldp-pooler-") as name:
        yield Path(name)


@pytest.fixture
def pooled_url(postgres_url: str, folder: Path) -> Iterator[str]:
    """The same database through a pooler with four connections, which its clients share."""
    program = shutil.which("pgbouncer", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if program is None:
        if os.environ.get("CI") == "true":
            raise RuntimeError(MISSING)
        pytest.skip(MISSING)
    parts, port = urlsplit(postgres_url), free_port()
    file = folder / "pgbouncer.ini"
    file.write_text(SETTINGS.format(server=parts.port, user=USER, port=port, folder=folder))
    user = USER if os.getuid() == 0 else None
    if user is not None:
        shutil.chown(folder, user)
    with subprocess.Popen([program, "-q", str(file)], stderr=subprocess.DEVNULL, user=user) as process:
        try:

            def answers() -> bool:
                assert process.poll() is None, (folder / "log").read_text()
                with socket.socket() as line:
                    return line.connect_ex(("127.0.0.1", port)) == 0

            until(answers)
            yield f"postgresql://{USER}@127.0.0.1:{port}{parts.path}"
        finally:
            process.terminate()
            process.wait()


def test_two_collectors_behind_a_pooler(postgres_url: str, pooled_url: str) -> None:
    both = [Collector.join(pooled_url) for _ in range(2)]
    try:
        (view,) = create(both[0], HOT)
        until(lambda: both[1].view(view.id))
        rounds = 0
        while now(both[0], view).epoch < ENOUGH_EPOCHS:  # reports that answer an earlier bulletin fill none
            rounds += 1
            assert rounds < MOST_ROUNDS
            offered = [(each, each.offer(now(each, view), upload(now(each, view), 2))) for each in both]
            until(lambda offered=offered: all(pending.outcome is not None for _, pending in offered))
            assert [pending.outcome for _, pending in offered] == [Receipt(2)] * 2
        both[1].seal(view.id)
        (other,) = create(both[1], SEARCH)
        until(lambda: both[0].view(other.id))
        for each in both:
            until(lambda each=each: now(each, view).reports == 4 * rounds)
            until(lambda each=each: now(each, view).epoch == now(both[0], view).epoch)
        assert now(both[0], view).bulletins == now(both[1], view).bulletins
        with psycopg.connect(postgres_url) as connection:
            found = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid()"
            ).fetchone()
        assert found is not None
        assert 1 <= found[0] <= 4, "everybody must come through the pooler"
    finally:
        for each in both:
            each.close()
    assert DatabaseHome(postgres_url).replayed().agrees
