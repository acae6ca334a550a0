"""Schemes whose list depends on the order of reports: the sealer gives them one, and all derive the same bytes."""

import random
from collections.abc import Iterator

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.views import Receipt
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from tests.collector.fakes import FakeClock, create, now, upload
from tests.collector.homes import DatabaseHome
from tests.collector.shared.one_process import differences

HOT_LISTS = [
    Task(scheme, Budget(2.0), RangeDomain(30), k=2, cells=4, epoch=9, growth=0.0) for scheme in ("bgr", "dsr", "cnr")
]


@pytest.fixture
def pair(postgres_url: str) -> Iterator[list[Collector]]:
    clock = FakeClock()
    both = [Collector.join(postgres_url, clock=clock, threaded=False) for _ in range(2)]
    yield both
    for each in both:
        each.close()


def test_two_collectors_and_one_alone_publish_the_same_bytes(
    postgres_url: str, pair: list[Collector], tmp_path_factory: pytest.TempPathFactory
) -> None:
    draw = random.Random(3)
    pair[0].step()
    views = create(pair[0], *HOT_LISTS)
    pair[1].step()
    for _ in range(20):
        offered = []
        for view in views:
            for each in draw.sample(pair, 2):
                here = now(each, view)
                answered = draw.choice((here.bulletin, here.bulletin, here.bulletins[0]))
                offered.append(each.offer(here, upload(here, draw.randrange(1, 5), answered)))
        for each in draw.sample(pair, 2):
            each.step()
        assert all(isinstance(each.outcome, Receipt) for each in offered)
        for each in pair:
            each.step()
    for view in views:
        one, other = (now(each, view) for each in pair)
        assert one.epoch == other.epoch > 3
        assert (one.bulletins, one.top, one.reports) == (other.bulletins, other.top, other.reports)
    report = DatabaseHome(postgres_url).replayed()
    assert report.agrees, str(report.difference)
    assert report.reports == sum(now(pair[0], view).reports for view in views)
    assert not differences(pair[0].storage, tmp_path_factory.mktemp("alone") / "data")
