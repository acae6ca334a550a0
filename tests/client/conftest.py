"""A hostile server, and reporters that are in a hurry."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hgldp.client import Pace, Reporter
from hgldp.model.budget import Budget
from hgldp.model.domain import Vocabulary
from hgldp.model.task import Task
from tests.client.hostile_server import HostileServer

DRINKS = ("tea", "coffee", "mate", "water", "cocoa", "milk")
TASK = Task("dsr", Budget(1.0), Vocabulary(DRINKS), k=2, cells=3, other=True)
QUICK = Pace(
    gather=0.01, first_retry=0.02, longest_retry=0.05, timeout=0.5, deadline=1.0, least_renew=0.05, take_over=0
)


@pytest.fixture
def server() -> Iterator[HostileServer]:
    server = HostileServer(TASK)
    yield server
    server.close()


@pytest.fixture
def make(server: HostileServer, tmp_path: Path) -> Iterator[Callable[..., Reporter]]:
    """Reporters that are closed at the end, without waiting."""
    made: list[Reporter] = []

    def one(**options: object) -> Reporter:
        terms = {"folder": tmp_path / "reporter", "max_epsilon": 1.0, "pace": QUICK} | options
        url, task, key = (terms.pop(name, default) for name, default in
                          (("url", server.url), ("task_id", server.id), ("write_key", "k" * 43)))  # fmt: skip
        made.append(Reporter(url, task, key, **terms))
        return made[-1]

    yield one
    for each in made:
        each.close(wait=0)
