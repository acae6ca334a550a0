"""Two collectors on one database, stepped by hand."""

from collections.abc import Iterator
from typing import Any

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.shared.writer import SharedWriter
from tests.collector.fakes import FakeClock

Pair = tuple[Collector, Collector]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def pair(postgres_url: str, clock: FakeClock) -> Iterator[Pair]:
    """The first is the sealer."""
    both = [Collector.join(postgres_url, clock=clock, threaded=False) for _ in range(2)]
    both[0].step()
    yield both[0], both[1]
    for each in both:
        each.close()


@pytest.fixture
def reloads(monkeypatch: pytest.MonkeyPatch) -> list[SharedWriter]:
    """Who has read everything again."""
    found: list[SharedWriter] = []
    honest = SharedWriter.reload

    def reload(writer: SharedWriter, *given: Any) -> None:
        found.append(writer)
        honest(writer, *given)

    monkeypatch.setattr(SharedWriter, "reload", reload)
    return found
