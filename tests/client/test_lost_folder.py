"""Files and folders are removed, moved and replaced under a running reporter: no budget is ever granted twice."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from hgldp.client import LedgerDamaged, Outcome, Reporter
from hgldp.client.spending.ledger import Ledger
from hgldp.client.spending.page import Page
from hgldp.errors import FolderInUse, FolderLost
from hgldp.model.budget import Budget
from hgldp.model.domain import Vocabulary
from hgldp.model.task import Task
from hgldp.system.folder_lock import FolderLock
from hgldp.wire.upload import Upload
from tests.client.conftest import DRINKS
from tests.client.hostile_server import HostileServer
from tests.patience import PATIENCE, until

Make = Callable[..., Reporter]
BUDGET = 4
FOR_LIFE = Task("dsr", Budget(1.0, "user", BUDGET, division="budget"), Vocabulary(DRINKS), k=2, cells=3, other=True)


@pytest.fixture
def server() -> HostileServer:
    server = HostileServer(FOR_LIFE)
    yield server
    server.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "reporter"


def ready(make: Make) -> Reporter:
    reporter = make()
    until(lambda: reporter.status().state == "ready")
    return reporter


def received(server: HostileServer) -> int:
    """Reports, each upload once."""
    return sum(Upload.decode(body).count for body in set(server.uploads))


def spend_half(reporter: Reporter) -> None:
    for _ in range(BUDGET // 2):
        assert reporter.report("tea")
    assert reporter.flush(PATIENCE)


def spend(reporter: Reporter) -> None:
    for _ in range(2 * BUDGET):
        reporter.report("tea")
    reporter.flush(wait=1.0)


@pytest.mark.parametrize("removed", [["lock"], ["ledger"], ["lock", "ledger", "task", "bulletin", "sent"]])
def test_removing_files_under_a_running_reporter_does_not_double_the_budget(
    make: Make, server: HostileServer, folder: Path, removed: list[str]
) -> None:
    first = ready(make)
    spend_half(first)
    for name in removed:
        (folder / name).unlink()
    with pytest.raises(FolderInUse):
        make()
    spend(first)
    assert received(server) == BUDGET
    assert Page.decode((folder / "ledger").read_bytes()).reports == BUDGET


def test_a_second_process_gets_nothing_when_the_lock_file_is_removed(
    make: Make, server: HostileServer, folder: Path
) -> None:
    first = ready(make)
    (folder / "lock").unlink()
    script = (
        "import sys\nfrom hgldp.client import Reporter\n"
        "r = Reporter(sys.argv[1], sys.argv[2], 'k' * 43, folder=sys.argv[3], max_epsilon=1.0)\n"
        f"[r.report('tea') for _ in range({BUDGET})]\nr.flush(5)\nr.close(0)\n"
    )
    command = [sys.executable, "-c", script, server.url, server.id, str(folder)]
    other = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    spend(first)
    assert received(server) == BUDGET
    assert "FolderInUse" in other.stderr


def test_a_ledger_that_was_replaced_by_an_older_one_is_put_back(
    make: Make, server: HostileServer, folder: Path
) -> None:
    """When the reporter spends again, and when it is closed without."""
    first = ready(make)
    older = (folder / "ledger").read_bytes()
    spend_half(first)
    (folder / "ledger").write_bytes(older)
    first.close()
    second = ready(make)
    assert second.spent().reports == BUDGET // 2
    (folder / "ledger").write_bytes(older)
    spend(second)
    assert received(server) == BUDGET


def test_a_ledger_in_which_another_has_spent_stops_the_reporter(
    make: Make, server: HostileServer, folder: Path
) -> None:
    first = ready(make)
    spend_half(first)
    page = Page.decode((folder / "ledger").read_bytes())
    (folder / "ledger").write_bytes(replace(page, reports=page.reports + 1).encode())
    first.report("tea")
    until(lambda: first.status().state == "broken")
    assert "another one has spent more" in first.status().reason
    assert first.report("tea") is Outcome.BROKEN
    assert received(server) == BUDGET // 2


@pytest.mark.parametrize("how", ["moved", "moved and made anew", "moved and copied back", "removed"])
def test_without_its_folder_a_reporter_randomises_nothing_and_says_why(
    make: Make, server: HostileServer, folder: Path, how: str
) -> None:
    first = ready(make)
    spend_half(first)
    away = folder.with_name("away")
    rmtree(folder) if how == "removed" else folder.rename(away)
    if how == "moved and made anew":
        folder.mkdir()
    if how == "moved and copied back":
        copytree(away, folder)
    first.report("tea")
    until(lambda: first.status().state == "broken")
    assert "it was closed, moved or replaced" in first.status().reason
    assert first.report("tea") is Outcome.BROKEN
    assert first.status().waiting == 0
    assert not first.flush(0.1) or not first.status().queued
    assert received(server) == BUDGET // 2
    if how == "moved and copied back":
        second = ready(make)
        spend(second)
        assert received(server) == BUDGET


@pytest.mark.parametrize(("left_out", "sent"), [((), 4), (("lock",), 4), (("ledger",), 4), (("lock", "ledger"), 6)])
def test_either_of_two_guards_keeps_the_budget_and_without_both_it_would_be_exceeded(
    make: Make, server: HostileServer, folder: Path, monkeypatch: pytest.MonkeyPatch, left_out: tuple[str], sent: int
) -> None:
    """The folder is moved away and copied back, and two reporters run: planted bugs leave out what would notice."""
    if "lock" in left_out:
        monkeypatch.setattr(FolderLock, "verify", lambda self: None)
    if "ledger" in left_out:
        monkeypatch.setattr(Ledger, "_on_disk", lambda self: None)
    first = ready(make)
    spend_half(first)
    folder.rename(folder.with_name("away"))
    copytree(folder.with_name("away"), folder)
    second = ready(make)
    spend(second)
    spend(first)
    assert received(server) == sent


def test_a_folder_that_is_replaced_while_the_ledger_is_written_grants_nothing(
    make: Make, server: HostileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worst moment: after the check, before what was spent is on the disk."""
    first = ready(make)
    disk = first._worker.ledger._disk
    write = disk.write

    def replaced(path: Path, data: bytes) -> None:
        if path.name == "ledger":
            folder.rename(folder.with_name("away"))
            folder.mkdir()
        write(path, data)

    monkeypatch.setattr(disk, "write", replaced)
    first.report("tea")
    until(lambda: first.status().state == "broken")
    assert server.uploads == []


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_cannot_set_the_ledger_back(make: Make, server: HostileServer, folder: Path) -> None:
    reporter = ready(make)
    go, done = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.read(go[0], 1)
        refused = 0
        for step in (reporter.opt_out, reporter.opt_in):
            try:
                step()
            except FolderLost:
                refused += 1
        os._exit(0 if refused == 2 and reporter.status().state == "closed" else 1)
    spend_half(reporter)
    os.write(go[1], b"x")
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    for each in (*go, *done):
        os.close(each)
    page = json.loads((folder / "ledger").read_bytes().partition(b"\n")[0])
    assert page["reports"] == BUDGET // 2


def test_a_missing_ledger_is_damage_even_when_only_the_list_is_left(make: Make, folder: Path) -> None:
    ready(make).close()
    for name in ("ledger", "task", "bulletin", "lock"):
        (folder / name).unlink()
    with pytest.raises(LedgerDamaged):
        make()
