"""An upload is sent again for a day after it first left, and no longer; one that never left may go later."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from hgldp.client.environment import Disk, Environment
from hgldp.client.pace import Pace
from hgldp.client.sending.outbox import Queue, SentList
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.status import Outcome
from hgldp.client.worker import Worker
from hgldp.system.clock import DAY_SECONDS
from hgldp.system.folder_lock import FolderLock
from hgldp.system.http import Answer, Unreachable
from hgldp.wire.upload import Upload
from tests.client.device import Wire, WrongClock
from tests.client.test_one_event_once import TASK

HOUR = 3600


class Line(Wire):
    """A line that may be cut, and a collector whose answers may be lost."""

    def __init__(self) -> None:
        super().__init__(TASK)
        self.cut = False
        self.received: list[bytes] = []

    def get(self, path: str, most_bytes: int = 0) -> Answer:
        if self.cut:
            raise Unreachable("cut")
        answer = super().get(path)
        return Answer(200, answer.body.replace(b'"max_age": 4000', b'"max_age": 40000000'))

    def open(self) -> None:
        if self.cut:
            raise Unreachable("cut")

    def post(self, path: str, body: bytes) -> Answer:
        self.received.append(body)
        return super().post(path, body)


class Device:
    """One client and its clock, which may be switched off and on."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock, self.line = folder, WrongClock(), Line()
        self.lock = FolderLock(folder)
        self.start()

    def start(self) -> None:
        self.lock.release()
        self.lock = FolderLock(self.folder)
        pace = Pace(gather=0, renew=1e9, most_age=1e9, most_listed=1)
        parts = (Ceilings(1.0, most_batch=1), pace, Environment(self.clock, chance=lambda: 0.0), self.line, self.lock)
        self.worker = Worker(self.folder, TASK.id.hex(), "key", *parts)

    def passes(self, seconds: float) -> None:
        self.clock.passed += seconds
        self.clock.date += seconds
        self.worker.round()

    @property
    def dropped(self) -> dict[str, int]:
        return self.worker.inbox.dropped


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Device]:
    device = Device(tmp_path)
    device.worker.round()
    yield device
    device.lock.release()


def test_an_upload_without_an_answer_is_repeated_for_a_day_and_then_counted_as_spent(device: Device) -> None:
    device.line.lapse = "answer lost"
    device.worker.take(1)
    for _ in range(24):
        device.passes(HOUR)
    assert len(device.line.received) == 24
    device.start()  # the time is on the disk
    device.passes(HOUR - 1)
    assert len(device.line.received) == 25
    device.passes(HOUR)
    assert len(set(device.line.received)) == 1
    assert len(device.line.received) == 25
    assert device.dropped == {Outcome.UNANSWERED.value: 1}
    assert not len(device.worker.queue)
    assert device.worker.ledger.page.reports == 1


def test_an_upload_that_never_left_goes_later(device: Device) -> None:
    device.worker.take(1)
    device.line.cut = True
    device.worker.round()
    device.passes(5 * DAY_SECONDS)
    assert device.worker.sent.latest == ()
    device.line.cut = False
    device.passes(HOUR)
    assert len(device.line.received) == len(device.line.counted) == 1
    assert device.dropped == {}


def test_an_upload_that_never_left_in_a_week_expires(device: Device) -> None:
    device.worker.take(1)
    device.line.cut = True
    device.worker.round()
    device.passes(8 * DAY_SECONDS)
    device.line.cut = False
    device.passes(HOUR)
    assert device.line.received == []
    assert device.dropped == {Outcome.EXPIRED.value: 1}


def test_one_forged_answer_that_asks_to_wait_costs_an_hour_and_no_more(device: Device) -> None:
    post = device.line.post
    device.line.post = lambda path, body: Answer(429, b"", 999_999_999.0)  # type: ignore[method-assign]
    device.worker.take(1)
    device.worker.round()
    device.line.post = post  # type: ignore[method-assign]
    device.passes(HOUR - 1)
    assert device.line.received == []
    device.passes(1)
    assert len(device.line.counted) == 1


def test_an_upload_that_others_push_off_the_list_is_still_known_to_have_left(device: Device) -> None:
    """The list shows only the latest upload here, and many come after the one that nobody acknowledges."""
    device.line.lapse = "answer lost"
    device.worker.take(1)
    device.passes(1)
    (poison,) = device.line.received
    device.line.lapse = "none"
    post = device.line.post

    def all_but_one(path: str, body: bytes) -> Answer:
        found = post(path, body)
        return Answer(503, b"") if body == poison else found

    device.line.post = all_but_one  # type: ignore[method-assign]
    for item in range(2, 16):
        device.worker.take(item)
        device.passes(HOUR)
    assert device.worker.delivery.delivered >= 13
    device.passes(11 * HOUR)
    assert device.dropped == {Outcome.UNANSWERED.value: 1}
    assert len(device.worker.sent.latest) == 1


def test_the_list_on_the_disk_stays_short(tmp_path: Path) -> None:
    queue = Queue(Disk(), tmp_path / "queue", 10)
    listed = SentList(Disk(), tmp_path / "sent", 3, queue)
    for number in range(40):
        body = Upload.of(number.to_bytes(16, "big"), bytes(32), [1], 4).encode()
        if number % 8 == 0:
            queue.put(body, number)
        listed.note(body, number)
        assert len((tmp_path / "sent").read_bytes().splitlines()) <= 2 * 3 + len(queue)
    again = SentList(Disk(), tmp_path / "sent", 3, queue)
    assert [again.left_at(one.upload) for one in queue.waiting] == [0, 8, 16, 24, 32]
    assert [one.second for one in again.latest] == [37, 38, 39]
    assert json.loads((tmp_path / "sent").read_text().splitlines()[0])["second"] == 0


def test_a_file_that_is_no_upload_is_left_alone_or_dropped_and_stops_no_other(device: Device) -> None:
    queue = device.folder / "queue"
    (queue / "notes-of-mine.upload").write_bytes(b"x")
    device.line.cut = True
    device.worker.take(1)
    device.worker.round()
    garbage = bytes(64)
    (queue / f"{1:011d}-{'0' * 32}-{sha256(garbage).hexdigest()[:16]}.upload").write_bytes(garbage)
    huge = queue / f"{2:011d}-{'1' * 32}-{'2' * 16}.upload"
    with huge.open("wb") as file:
        file.truncate(1 << 40)
    device.start()
    device.line.cut = False
    device.passes(HOUR)
    assert len(device.line.received) == 1
    assert device.dropped == {Outcome.DISK.value: 2}
    assert [path.name for path in queue.iterdir()] == ["notes-of-mine.upload"]
