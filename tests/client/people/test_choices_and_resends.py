"""What must hold between the two transactions of a report, and long after it left."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hgldp.client.environment import Environment
from hgldp.client.pace import Pace
from hgldp.client.people.uploads import Uploads, forget
from hgldp.client.people.worker import PeopleWorker
from hgldp.client.spending.ceilings import Ceilings
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from hgldp.system.clock import DAY_SECONDS
from tests.client.device import Wire, WrongClock

TASK = Task("dsr", Budget(1.0), RangeDomain(5), k=2, cells=3, other=True)


class Server:
    def __init__(self, folder: Path) -> None:
        self.clock, self.wire, self.posts = WrongClock(), Wire(TASK), 0
        post = self.wire.post

        def counting(path: str, body: bytes) -> object:
            self.posts += 1
            return post(path, body)

        self.wire.post = counting  # type: ignore[assignment,method-assign]
        terms = (Ceilings(1.0), Pace(gather=0, renew=1), Environment(self.clock, chance=lambda: 0.5), self.wire)
        self.worker = PeopleWorker(folder, TASK.id.hex(), "key", *terms)  # type: ignore[arg-type]
        self.worker.round()
        self.key = self.worker.key_of("ann")

    def report(self) -> None:
        assert self.worker.take(self.key, 1)
        self.worker.round()

    def choose(self, *, out: bool) -> None:
        with self.worker.database.write() as rows:
            person = self.worker.read(rows, self.key)
            person.choose(out=out)
            person.save(rows)
            forget(rows, self.key)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    yield server
    server.worker.settle()


def test_what_was_never_acknowledged_is_sent_again_for_a_day_and_no_longer(server: Server) -> None:
    server.wire.lapse = "answer lost"
    server.report()
    assert server.posts == 1
    server.clock.passed += DAY_SECONDS / 2
    server.worker.round()
    assert server.posts == 2
    server.clock.passed += DAY_SECONDS / 2 + 1
    server.worker.round()
    assert server.posts == 2
    assert server.worker.inbox.dropped == {"sent again and again, and the server never said that it took it": 1}
    assert [len(bodies) for bodies in server.wire.seen.values()] == [1]


@pytest.mark.parametrize("back_in", [False, True])
def test_who_opts_out_after_the_reservation_and_before_the_draw_is_not_reported(
    back_in: bool, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = Uploads.add

    def opting_out_first(self: Uploads, reports: object) -> int:
        server.clock.passed += 1
        server.choose(out=True)
        if back_in:
            server.choose(out=False)
        return add(self, reports)  # type: ignore[arg-type]

    monkeypatch.setattr(Uploads, "add", opting_out_first)
    server.report()
    server.worker.round()
    assert (server.posts, len(server.worker.uploads)) == (0, 0)
    assert server.worker.look_up(server.key).page.reports == 1  # spent, and wasted
    assert server.worker.inbox.dropped == {"opted out": 1}
