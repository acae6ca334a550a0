"""One address that asks without end does not keep the others from asking."""

import asyncio
from pathlib import Path

import httpx
import pytest

from hgldp.collector.app import all_routes, build_app
from hgldp.collector.dashboard.live import Live
from hgldp.collector.http.monitoring.metrics import RequestCounts
from hgldp.collector.http.monitoring.upload_counts import UploadCounts
from hgldp.collector.http.question_limits import COSTS, QuestionLimits
from hgldp.collector.problems import Refused
from hgldp.collector.settings import Limits
from tests.collector.fakes import FakeClock
from tests.collector.live_service import NUMBERS, Service, live_service

FEW = Limits(question_milliseconds=100)


def asked(limits: QuestionLimits, address: str, cost: float = 10) -> bool:
    try:
        limits.check({"client": (address, 1), "headers": []}, cost)
    except Refused as refused:
        return refused.problem.slug != "too-many-requests" or refused.retry_after not in (1, 2, 3)
    return True


def test_one_address_gets_what_nobody_else_wants_and_no_more() -> None:
    clock = FakeClock()
    limits = QuestionLimits(FEW, (), clock)
    answered = 0
    for _ in range(600):
        clock.advance(0.1)
        while asked(limits, "192.0.2.1"):
            answered += 1
    assert answered * 10 == pytest.approx(100 * 60, rel=0.2)


@pytest.mark.parametrize("attackers", [1, 20])
def test_whoever_asks_little_is_answered_at_once(attackers: int) -> None:
    clock = FakeClock()
    limits, refused = QuestionLimits(FEW, (), clock), 0
    for step in range(600):
        clock.advance(0.1)
        for number in range(attackers):
            while asked(limits, f"192.0.2.{number}"):
                pass
        if step > 100 and step % 10 == 0:
            refused += not asked(limits, f"198.51.100.{step % 50}")
    assert refused == 0


def test_every_path_that_has_a_cost_is_a_route(tmp_path: Path) -> None:
    with live_service(tmp_path / "data") as service:
        collector = service.collector
        routes = all_routes(collector, service.settings, RequestCounts(), UploadCounts(), Live(collector))
    assert set(COSTS) <= {route.path for route in routes}


def many(service: Service, path: str, client: str, number: int, accept: str = "*/*") -> list[httpx.Response]:
    """The app as it is, asked from an address of our choice."""
    app, headers = build_app(service.collector, service.settings), service.admin | {"accept": accept}

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app, client=(client, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers) as http:
            return [await http.get(path) for _ in range(number)]

    return asyncio.run(ask())


def test_costly_paths_are_429_in_the_end_and_cheap_ones_never(tmp_path: Path) -> None:
    with live_service(tmp_path / "data", limits=FEW) as service:
        made = service.create(**NUMBERS)
        service.upload(made, [7] * 50)
        for path, most in ((f"{made.path}/history", 12), (f"{made.path}/export", 6), (f"{made.path}/top?k=2", 60)):
            answers = many(service, path, "192.0.2.1", 80)
            taken = sum(answer.status_code == 200 for answer in answers)
            assert 1 <= taken <= most
            refused = answers[-1]
            assert refused.status_code == 429
            assert int(refused.headers["retry-after"]) >= 1
            assert refused.headers["content-type"] == "application/problem+json"
        for path in (f"{made.path}/top", f"{made.path}/bulletin", f"{made.path}/document", "/ready", "/health"):
            assert {answer.status_code for answer in many(service, path, "192.0.2.1", 80)} == {200}


def test_a_person_gets_a_page(tmp_path: Path) -> None:
    with live_service(tmp_path / "data", limits=FEW) as service:
        answer = many(service, "/", "192.0.2.1", 80, accept="text/html")[-1]
    assert answer.status_code == 429
    assert "Too busy" in answer.text
    assert int(answer.headers["retry-after"]) >= 1
