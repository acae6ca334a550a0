"""A client behind a command, in a process of its own. The error rate of each audit is 1e-6; its draws are its own.

So these draws have no seed: an honest client fails once in a million runs, and the mistakes are as clear as day.
"""

import os
import signal
import sys
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hgldp.audit import AuditResult, CommandClient, audit, pairs_of
from hgldp.audit.subjects.base import ClientFailed
from hgldp.audit.views import ABSENCE, REPORT, UPLOADS
from hgldp.errors import InvalidField
from hgldp.model.bulletins import Bulletin
from hgldp.model.task import Task
from hgldp.wire.upload import Upload
from tests.patience import PATIENCE, until

PRIVATE = "a private drink"
TASK = Task("dsr", epsilon=1.0, domain=[PRIVATE, "tea", "mate", "milk", "juice"], k=1, cells=2)
BULLETIN = Bulletin(TASK.id, 0, 5, (0, 1))


def client(mistake: str, **options: float) -> CommandClient:
    command = [sys.executable, str(Path(__file__).with_name("line_client.py")), mistake]
    return CommandClient(command, TASK, BULLETIN, **options)


def audited(mistake: str, draws: int = 6_000) -> AuditResult:
    with client(mistake) as subject:
        return audit(subject, pairs_of(TASK, BULLETIN, several=True), 1.0, draws=draws, error=1e-6)


def test_an_honest_client_is_not_blamed_and_its_spending_is_seen() -> None:
    result = audited("none", 12_000)
    assert result.sentences == ()
    assert 0.3 < result.spends_at_least <= 1.0


def test_a_client_that_is_silent_about_items_from_outside_is_found() -> None:
    broken = {(each.pair.kind, each.view) for each in audited("silent").broken}
    assert {("inside/outside", ABSENCE), ("inside/over-long", ABSENCE)} <= broken


def test_a_client_that_keeps_the_order_of_events_is_found() -> None:
    assert {(each.pair.kind, each.view) for each in audited("ordered").broken} == {("order", REPORT)}


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        ("ends", "it ended"),
        ("hangs", "it did not answer within 0.5 seconds"),
        ("no digits", "uploads in hexadecimal digits"),
        ("cut", "one of the sizes 64, 256"),
        ("crowd", "a line must have at most 256 uploads"),
        ("endless line", "a line of it is longer than 1,048,576 bytes"),
        ("stranger", "must answer the bulletin that was shown"),
    ],
)
def test_a_client_that_does_not_keep_to_the_protocol_is_told_why(mistake: str, said: str) -> None:
    with (
        client(mistake, patience=0.5 if mistake == "hangs" else 30.0) as subject,
        pytest.raises(ClientFailed) as failure,
    ):
        subject.draw((PRIVATE,), 3)
    assert said in str(failure.value)
    assert PRIVATE not in str(failure.value)


def test_a_client_that_sends_twice_in_a_few_draws_is_judged_like_any_other() -> None:
    """In most blocks of draws no device sends two reports, and in some parts of the draws none of all devices."""
    with client("rarely twice", block=100) as subject:
        assert audit(subject, pairs_of(TASK, BULLETIN), 1.0, draws=6_000, error=1e-6).sentences == ()


@pytest.mark.parametrize("mistake", ["one line more", "one line more, late"])
def test_a_line_too_many_is_noticed_and_not_taken_for_a_leak(mistake: str) -> None:
    """The late one comes when the next draw was already asked for, and then at least one is left at the end."""

    def draw_twice() -> None:
        with client(mistake) as subject:
            for item in (PRIVATE, "tea"):
                subject.draw((item,), 3)

    with pytest.raises(ClientFailed, match="it wrote more lines than it was asked for"):
        draw_twice()


def test_a_line_before_any_draw_is_surplus() -> None:
    """Whether it is seen with the first lines that are said or with the draw depends on who is faster."""

    def draw_once() -> None:
        with CommandClient(["sh", "-c", "echo hello; cat >/dev/null"], TASK, BULLETIN) as subject:
            time.sleep(0.5)
            subject.draw((PRIVATE,), 1)

    with pytest.raises(ClientFailed, match="it wrote more lines than it was asked for"):
        draw_once()


@pytest.fixture
def escaped(tmp_path: Path) -> Iterator[Path]:
    """Where a command writes the number of a process that left its session, and that nobody else ends."""
    yield tmp_path / "escaped"
    with suppress(FileNotFoundError, ProcessLookupError, ValueError):
        os.kill(int((tmp_path / "escaped").read_text()), signal.SIGKILL)


@pytest.mark.parametrize(
    "command", ["sleep 1000; true", "setsid sleep 1000 & echo $! >'{}'; wait", "sleep 1000 & wait"]
)
def test_a_client_whose_child_keeps_the_output_open_is_not_waited_for(command: str, escaped: Path) -> None:
    begun = time.monotonic()
    with (
        CommandClient(["sh", "-c", command.format(escaped)], TASK, BULLETIN, patience=0.5) as subject,
        pytest.raises(ClientFailed, match=r"it did not answer within 0\.5 seconds"),
    ):
        subject.draw((PRIVATE,), 1)
    assert time.monotonic() - begun < PATIENCE


def test_what_a_client_started_ends_with_it(tmp_path: Path) -> None:
    """Whether the client failed or not: here it ends well, and leaves a child behind."""
    command = f"sleep 1000 >/dev/null & echo $! > {tmp_path}/child; cat >/dev/null"
    with CommandClient(["sh", "-c", command], TASK, BULLETIN):
        while not (tmp_path / "child").exists() or not (tmp_path / "child").read_text().endswith("\n"):
            time.sleep(0.01)
    child = Path("/proc", (tmp_path / "child").read_text().strip(), "stat")
    until(lambda: not child.exists() or child.read_text().rpartition(")")[2].split()[0] == "Z")


def test_a_client_that_does_not_read_is_not_waited_for() -> None:
    many = Task("dsr", epsilon=1.0, domain=[f"a long word, number {number}" for number in range(20_000)], k=1, cells=2)
    begun = time.monotonic()
    with pytest.raises(ClientFailed, match=r"it did not read its input within 0\.5 seconds"):
        CommandClient(["sleep", "1000"], many, Bulletin(many.id, 0, 20_000, (0, 1)), patience=0.5)
    assert time.monotonic() - begun < PATIENCE


def test_the_memory_does_not_grow_with_what_the_devices_of_a_draw_send() -> None:
    """200 devices with the most uploads that are taken: 6.6 MB of lines, and as many objects again if kept."""
    upload = Upload.of(bytes(16), bytes.fromhex(BULLETIN.version), [1], 3).encode().hex()
    script = f"for _ in range(4): input()\nfor _ in range(200): print('{upload} ' * 256)"
    with CommandClient([sys.executable, "-c", script], TASK, BULLETIN) as subject:
        tracemalloc.start()
        views = subject.draw((PRIVATE,), 200)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert views[UPLOADS].tolist() == [[256, 256]] * 200
    assert peak < 2_000_000


def test_a_command_that_cannot_be_started_is_refused() -> None:
    with pytest.raises(InvalidField, match="must be a program that can be started, got /no/such/client"):
        CommandClient(["/no/such/client"], TASK, BULLETIN)
    with pytest.raises(InvalidField, match="command must be given"):
        CommandClient([], TASK, BULLETIN)
