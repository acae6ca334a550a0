"""A client that talks to a collector, which is played by the audit. The error rate of each audit is 1e-6."""

import json
import sys
from http.client import HTTPConnection
from math import log2
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from hgldp.audit import AuditResult, Pair, ReportingClient, audit
from hgldp.audit.subjects.base import ClientFailed
from hgldp.audit.subjects.fake_collector import FakeCollector
from hgldp.audit.views import ABSENCE, LENGTH, TIME, UPLOADS
from hgldp.model.bulletins import Bulletin
from hgldp.model.task import Task
from hgldp.wire.upload import Upload
from tests.patience import PATIENCE

TASK = Task("dsr", epsilon=1.0, domain=["tea", "mate", "milk", "juice"], k=1, cells=2, other=True)
BULLETIN = Bulletin(TASK.id, 0, 5, (0, 1))
PAIRS = [Pair("hot/cold", ("tea",), ("milk",))]


def client(mistake: str) -> ReportingClient:
    command = [sys.executable, str(Path(__file__).with_name("posting_client.py")), mistake]
    return ReportingClient(command, TASK, BULLETIN)


def audited(mistake: str, draws: int = 160) -> AuditResult:
    with client(mistake) as subject:
        return audit(subject, PAIRS, 1.0, draws=draws, error=1e-6)


def test_an_honest_client_is_not_blamed() -> None:
    result = audited("none")
    assert result.sentences == ()
    assert TIME in {each.view for each in result.comparisons}


def test_a_client_that_sends_nothing_for_one_item_is_found() -> None:
    assert ABSENCE in {each.view for each in audited("silent").broken}


def test_the_time_of_an_upload_counts_from_its_events() -> None:
    """What the audit makes of such times is in test_planted.py, without waiting."""
    with client("late") as subject:
        (at_once,), (late,) = (subject.draw((item,), 1)[TIME] for item in ("tea", "milk"))
    assert late >= 4 * log2(0.2 / 1e-6) - 1
    assert at_once > 0


def test_our_own_reporter_needs_no_change_to_be_audited() -> None:
    with client("reporter") as subject:
        views = subject.draw(("tea",), 3)
    assert views[UPLOADS].tolist() == [[1, 1]] * 3
    assert views[LENGTH].tolist() == [64] * 3
    assert (views[TIME] > 0).all()


def test_a_command_that_says_done_twice_is_refused() -> None:
    with pytest.raises(ClientFailed, match="it wrote more lines than it was asked for"), client("twice") as subject:
        subject.draw(("tea",), 1)


def test_a_command_that_says_something_else_is_refused() -> None:
    with client("babbling") as subject, pytest.raises(ClientFailed, match="must answer each draw with the line done"):
        subject.draw(("tea",), 1)


@pytest.mark.parametrize("said", ["abc", "-5", "1_0", "+7", "9" * 5_000])
def test_the_fake_collector_refuses_a_length_that_is_no_number(said: str, capfd: pytest.CaptureFixture[str]) -> None:
    with FakeCollector(TASK, BULLETIN) as collector:
        connection = HTTPConnection(urlsplit(collector.url).netloc, timeout=PATIENCE)
        connection.putrequest("POST", f"/v1/in/{collector.expect()}")
        connection.putheader("content-length", said)
        connection.endheaders()
        assert connection.getresponse().status == 400
        connection.close()
    assert capfd.readouterr().err == ""


def test_the_fake_collector_takes_known_keys_alone_and_counts_a_resend_once() -> None:
    upload = Upload.of(bytes(16), bytes.fromhex(BULLETIN.version), [1], 3).encode()
    with FakeCollector(TASK, BULLETIN) as collector:
        connection, key = HTTPConnection(urlsplit(collector.url).netloc), collector.expect()

        def post(path: str, body: bytes) -> tuple[int, object]:
            connection.request("POST", path, body)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

        assert post(f"/v1/in/{key}", upload) == (200, {"accepted": 1})
        assert post(f"/v1/in/{key}", upload) == (200, {"accepted": 1})
        assert post(f"/v1/in/{key[::-1]}", upload) == (404, {})
        assert post(f"/v1/in/{key}", b"nonsense") == (400, {})
        assert post(f"/v1/in/{key}", b"") == (413, {})
        connection.close()
        connection.request("GET", "/v1/tasks")
        assert connection.getresponse().status == 404
        connection.close()
        assert [each.upload for each in collector.arrived(key)] == [upload]
