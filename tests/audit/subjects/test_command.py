"""A client behind a command, in a process of its own. The error rate of each audit is 1e-6; its draws are its own.

So these draws have no seed: an honest client fails once in a million runs, and the mistakes are as clear as day.
"""

import sys
from pathlib import Path

import pytest

from hgldp.audit import AuditResult, CommandClient, audit, pairs_of
from hgldp.audit.subjects.base import ClientFailed
from hgldp.audit.views import ABSENCE, REPORT
from hgldp.errors import InvalidField
from hgldp.model.bulletins import Bulletin
from hgldp.model.task import Task

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


def test_a_command_that_cannot_be_started_is_refused() -> None:
    with pytest.raises(InvalidField, match="must be a program that can be started, got /no/such/client"):
        CommandClient(["/no/such/client"], TASK, BULLETIN)
    with pytest.raises(InvalidField, match="command must be given"):
        CommandClient([], TASK, BULLETIN)
