"""One address that asks without end does not keep the others from asking."""

import asyncio
import time
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.app import all_routes, build_app
from hgldp.collector.dashboard.live import Live
from hgldp.collector.http.monitoring.metrics import RequestCounts
from hgldp.collector.http.monitoring.upload_counts import UploadCounts
from hgldp.collector.http.question_limits import COSTS, UNLIMITED, QuestionLimits
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Refused
from hgldp.collector.settings import Limits
from tests.collector.fakes import FakeClock
from tests.collector.live_service import NUMBERS, Service, live_service

FEW, NEXT_TO_NOTHING = Limits(question_milliseconds=100), Limits(question_milliseconds=1)


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


def test_every_route_has_a_cost_or_is_unlimited_on_purpose(tmp_path: Path) -> None:
    with live_service(tmp_path / "data") as service:
        collector = service.collector
        routes = all_routes(collector, service.settings, RequestCounts(), UploadCounts(), Live(collector))
    assert set(COSTS) | UNLIMITED == {route.path for route in routes}
    assert not set(COSTS) & UNLIMITED


def busy(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


@pytest.mark.parametrize("where", ["on the loop", "in a thread"])
def test_a_slow_page_limits_itself(where: str) -> None:
    """It costs what it takes, not what somebody once guessed: 50 ms instead of 10."""

    async def slow(_: Request) -> Response:
        if where == "in a thread":
            await BoundedThreads().run(busy, 0.05)
        else:
            busy(0.05)
        return Response()

    app, clock = Starlette(routes=[Route("/", slow)]), FakeClock()
    QuestionLimits(FEW, (), clock).guard(app.routes)  # type: ignore[arg-type]
    app.add_exception_handler(Refused, lambda *_: Response(status_code=429))

    async def ask() -> list[int]:
        transport = httpx.ASGITransport(app, client=("192.0.2.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
            return [(await http.get("/")).status_code for _ in range(40)]

    found = asyncio.run(ask())
    assert 4 <= found.count(200) <= 10, "1,000 ms are there, and one address may have 382 of them at once"
    assert found[-1] == 429


def test_clients_get_bulletins_in_force_however_many_others_are_asked_for(tmp_path: Path) -> None:
    """A bulletin that is not in force costs 2 ms. For 400 of them to be answered, a machine would need minutes."""
    with live_service(tmp_path / "data", limits=NEXT_TO_NOTHING) as service:
        made = service.create(**NUMBERS)
        version = service.http.get(f"{made.path}/bulletin").json()["bulletin"]
        guessed = many(service, f"/v1/bulletins/{version[::-1]}", "192.0.2.1", 400)
        assert {answer.status_code for answer in guessed} == {404, 429}
        in_force = many(service, f"/v1/bulletins/{version}", "192.0.2.1", 400)
        assert {answer.status_code for answer in in_force} == {200}


def test_strangers_do_not_keep_a_watching_operator_from_the_metrics(tmp_path: Path) -> None:
    """Not even strangers at the same address, behind one proxy."""
    with live_service(tmp_path / "data", limits=FEW) as service:
        transport = httpx.ASGITransport(build_app(service.collector, service.settings), client=("192.0.2.1", 1))

        async def ask() -> tuple[set[int], set[int]]:
            strangers, operators = set(), set()
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
                for _ in range(200):
                    strangers.add((await http.get("/metrics")).status_code)
                    if 429 in strangers:
                        operators.add((await http.get("/metrics", headers=service.admin)).status_code)
            return strangers, operators

        assert asyncio.run(ask()) == ({200, 429}, {200})


def many(
    service: Service, path: str, client: str, number: int, accept: str = "*/*", body: object = None
) -> list[httpx.Response]:
    """The app as it is, asked from an address of our choice."""
    app, headers = build_app(service.collector, service.settings), service.admin | {"accept": accept}

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app, client=(client, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers) as http:
            return [await (http.get(path) if body is None else http.post(path, json=body)) for _ in range(number)]

    return asyncio.run(ask())


def test_costly_paths_are_429_in_the_end_and_cheap_ones_never(tmp_path: Path) -> None:
    with live_service(tmp_path / "data", limits=FEW) as service:
        made = service.create(**NUMBERS)
        service.upload(made, [7] * 50)
        costly = ((f"{made.path}/history", 80, 12), (f"{made.path}/export", 80, 6))
        for path, asked, most in (*costly, (f"{made.path}/top?k=2", 200, None)):  # a fast machine answers many of these
            answers = many(service, path, "192.0.2.1", asked)
            taken = sum(answer.status_code == 200 for answer in answers)
            assert taken >= 1
            assert most is None or taken <= most
            refused = next(answer for answer in answers if answer.status_code != 200)
            assert refused.status_code == 429
            assert int(refused.headers["retry-after"]) >= 1
            assert refused.headers["content-type"] == "application/problem+json"
        answers = many(service, f"{made.path}/ask", "192.0.2.1", 80, body={"items": [7]})
        assert {answer.status_code for answer in answers} == {200, 429}
        for path in (f"{made.path}/top", f"{made.path}/bulletin", f"{made.path}/document", "/ready", "/health"):
            assert {answer.status_code for answer in many(service, path, "192.0.2.1", 80)} == {200}


def test_a_person_gets_a_page(tmp_path: Path) -> None:
    with live_service(tmp_path / "data", limits=Limits(question_milliseconds=10)) as service:
        answers = many(service, "/", "192.0.2.1", 80, accept="text/html")
    answer = next(each for each in answers if each.status_code == 429)
    assert "Too busy" in answer.text
    assert int(answer.headers["retry-after"]) >= 1
