"""A server that lies, stalls and breaks off: nothing is sent that must not be, and a resend is the same bytes."""

import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from gzip import compress
from itertools import repeat
from pathlib import Path

import pytest

from hgldp.client import Outcome, Pace, Reporter, Transport
from hgldp.model.budget import Budget
from hgldp.model.bulletins import Bulletin
from hgldp.model.domain import Vocabulary
from hgldp.model.task import Task
from hgldp.system.http import Address, Unreachable
from hgldp.wire.upload import Upload
from tests.client.conftest import DRINKS, QUICK, TASK
from tests.client.hostile_server import HostileServer, Request, answer
from tests.patience import PATIENCE, until

Make = Callable[..., Reporter]
Lie = Callable[[HostileServer], dict[str, Callable[[Request], object]]]
OTHER = Task("dsr", Budget(1.0), Vocabulary((*DRINKS, "gin")), k=2, cells=3, other=True)


def document(data: bytes) -> Lie:
    return lambda server: {f"/v1/tasks/{server.id}/document": lambda _: answer(200, data)}


def notice(**changed: object) -> Lie:
    return lambda server: {f"/v1/tasks/{server.id}/bulletin": lambda _: answer(200, server.notice(**changed))}


def forged(bulletin: Bulletin) -> Lie:
    """Named by its right hash, so that only what it says can give it away."""
    return lambda server: {
        f"/v1/tasks/{server.id}/bulletin": lambda _: answer(200, server.notice(bulletin=bulletin.version)),
        "/v1/bulletins/": lambda _: answer(200, bulletin.canonical),
    }


def redirect(server: HostileServer) -> dict[str, Callable[[Request], object]]:
    there = f"Location: http://localhost:{server.port}/elsewhere"
    return {f"/v1/tasks/{server.id}": lambda _: answer(307, b"{}", there)}


def drip(_: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"
    for _ in range(100):
        time.sleep(0.1)
        yield b"x"


def endless_head(_: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    for number in range(90):
        time.sleep(0.1)
        yield b"X-%d: y\r\n" % number


def huge(_: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"
    yield from repeat(bytes(1 << 16), 4000)


def drip_and_close(_: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5000\r\n\r\n"
    for _ in range(100):
        time.sleep(0.1)
        yield b"x"


def negative_chunk(_: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n"
    yield from repeat(bytes(1 << 16), 4000)


def bomb(_: Request) -> bytes:
    return answer(200, compress(bytes(50_000_000)), "Content-Encoding: gzip")


def long_line(_: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nX: "
    yield from repeat(b"y" * (1 << 16), 4000)


def many_headers(_: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    yield from repeat(b"X: y\r\n" * 1000, 10_000)


def always_continue(_: Request) -> Iterator[bytes]:
    yield from repeat(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000, 100_000)


def endless_trailer(_: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
    yield from repeat(b"X: y\r\n" * 1000, 100_000)


def vast_chunk(_: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"
    yield from repeat(bytes(1 << 16), 4000)


def commented_chunks(_: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    yield from repeat(b"1;" + b"x" * 60_000 + b"\r\nx\r\n", 4000)


def for_tasks(reply: Callable[[Request], object]) -> Lie:
    return lambda server: {f"/v1/tasks/{server.id}": reply}


LIES: dict[str, Lie] = {
    "another task's document": document(OTHER.canonical),
    "a document with one byte more": document(TASK.canonical + b" "),
    "a document that is no JSON": document(b"\xff\x00"),
    "a document nested deeply": document(b"[" * 100_000),
    "an empty document": document(b""),
    "a notice of another task": notice(task=OTHER.id.hex()),
    "a notice with a wrong hash": notice(bulletin="0" * 64),
    "a hash in capitals": notice(bulletin="A" * 64),
    "a path for a hash": notice(bulletin="../" * 21 + "x"),
    "another epoch than the bulletin's": notice(epoch=7),
    "an epoch that is no number": notice(epoch="0"),
    "an age of 0": notice(max_age=0),
    "an age that is true": notice(max_age=True),
    "a bulletin of another task": forged(Bulletin(OTHER.id, 0, 7, (0, 1, 2))),
    "a bulletin with fewer cells": forged(Bulletin(TASK.id, 0, 7, (0, 1))),
    "a bulletin of another domain": forged(Bulletin(TASK.id, 0, 8, (0, 1, 2))),
    "a redirect to another name": redirect,
    "garbage": for_tasks(lambda _: b"\x00\xff" * 1000),
    "no answer at all": for_tasks(lambda _: b""),
    "half an answer": for_tasks(lambda _: iter([b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"])),
    "a page of a hotel": for_tasks(lambda _: answer(200, b"<html>Welcome! Please log in</html>")),
    "304 though nobody asked": for_tasks(lambda _: answer(304, b"")),
    "404": for_tasks(lambda _: answer(404)),
    "500": for_tasks(lambda _: answer(500)),
    "a body that drips": for_tasks(drip),
    "a head that drips": for_tasks(endless_head),
    "a body without an end": for_tasks(huge),
    "a body that drips, and then a close": for_tasks(drip_and_close),
    "a chunk of a negative size": for_tasks(negative_chunk),
    "a bomb of zeros": for_tasks(bomb),
    "a header without an end": for_tasks(long_line),
    "headers without an end": for_tasks(many_headers),
    "always to be continued": for_tasks(always_continue),
    "a trailer without an end": for_tasks(endless_trailer),
    "a chunk larger than the world": for_tasks(vast_chunk),
    "chunks that are mostly comment": for_tasks(commented_chunks),
    "a number of ten million digits": document(b'{"epsilon":"1e10000000","level":"event","events":1}'),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_not_one_byte_of_a_report_leaves_while_the_server_lies(make: Make, server: HostileServer, lie: str) -> None:
    server.lies = LIES[lie](server)
    reporter = make()
    assert reporter.report("tea")
    until(lambda: bool(reporter.status().reason))
    assert not reporter.flush(wait=0.05)
    assert server.uploads == []
    assert reporter.spent().reports == 0
    assert not any("elsewhere" in request.path for request in server.requests)
    server.lies = {}
    assert reporter.flush(PATIENCE)
    assert [Upload.decode(body).count for body in server.uploads] == [1]


@pytest.mark.parametrize(
    ("task", "ceilings"),
    [
        (TASK, {"max_epsilon": 0.99}),
        (TASK, {"accepted": frozenset({"pfr", "cnr"})}),
        (replace(TASK, budget=Budget(9.5)), {}),
        (replace(TASK, budget=Budget(9.5, "user", 10, division="budget")), {"max_epsilon": 1.0}),
        (replace(TASK, scheme="bgr"), {"accepted": frozenset({"dsr"})}),
    ],
)
def test_a_task_above_the_ceilings_is_refused_for_good_and_its_events_are_forgotten(
    make: Make, server: HostileServer, task: Task, ceilings: dict[str, object]
) -> None:
    server.task, server.id = task, task.id.hex()
    server.tracker = type(server.tracker)(task, seed=1)
    reporter = make(task_id=task.id, **ceilings)
    reporter.report("tea")
    until(lambda: reporter.status().state == "refused" and not reporter.status().waiting)
    assert reporter.report("tea") is Outcome.REFUSED
    assert reporter.flush(PATIENCE)
    assert server.uploads == []
    assert reporter.spent().reports == 0
    assert reporter.status().dropped == {Outcome.REFUSED.value: 2}


def test_a_ceiling_that_was_lowered_deletes_what_was_queued_above_it(
    make: Make, server: HostileServer, tmp_path: Path
) -> None:
    server.lies["/v1/in/"] = lambda _: answer(503)
    reporter = make()
    reporter.report("tea")
    until(lambda: bool(server.uploads))
    reporter.close(wait=0)
    sent = len(server.uploads)
    stricter = make(max_epsilon=0.5)
    until(lambda: not list((tmp_path / "reporter" / "queue").iterdir()))
    assert not stricter.status().queued
    assert len(server.uploads) == sent


@pytest.mark.parametrize("epoch", [0, 2, 3])
def test_a_lie_after_the_truth_suspends_everything_until_the_truth_is_back(
    make: Make, server: HostileServer, epoch: int
) -> None:
    """An older epoch, the same epoch with another hash, a newer one whose bytes do not hash to it."""
    server.tracker.seal()
    server.tracker.seal()
    reporter = make(pace=replace(QUICK, renew=0.03))
    until(lambda: reporter.status().state == "ready")
    server.lies = notice(epoch=epoch, bulletin="1" * 64)(server)
    until(lambda: reporter.status().state == "suspended")
    assert reporter.report("tea")
    assert not reporter.flush(wait=0.1)
    assert server.uploads == []
    server.lies = {}
    assert reporter.flush(PATIENCE)
    assert len(server.uploads) == 1


@pytest.mark.parametrize("epoch", [0, 2])
def test_an_old_bulletin_or_a_second_one_is_refused_even_with_the_right_hash(
    make: Make, server: HostileServer, epoch: int
) -> None:
    server.tracker.seal()
    server.tracker.seal()
    hot = tuple(reversed(server.tracker.bulletin.hot))
    false = Bulletin(TASK.id, epoch, 7, hot)
    reporter = make(pace=replace(QUICK, renew=0.03))
    until(lambda: reporter.status().state == "ready")
    server.lies = {
        f"/v1/tasks/{server.id}/bulletin": lambda _: answer(200, server.notice(bulletin=false.version, epoch=epoch)),
        "/v1/bulletins/": lambda _: answer(200, false.canonical),
    }
    until(lambda: reporter.status().state == "suspended")
    assert reporter.report("tea")
    assert not reporter.flush(wait=0.1)
    assert server.uploads == []


@pytest.mark.parametrize(("size", "taken"), [(1000, True), (1001, False), (1 << 17, False)])
def test_an_answer_longer_than_expected_is_no_answer(server: HostileServer, size: int, taken: bool) -> None:
    server.lies["/"] = lambda _: answer(200, bytes(size))
    transport = Transport(Address.of(server.url), timeout=PATIENCE, deadline=PATIENCE)
    if taken:
        assert len(transport.get("/", 1000).body) == size
    else:
        with pytest.raises(Unreachable, match="no usable answer"):
            transport.get("/", 1000)
    transport.rest()


@pytest.mark.parametrize(
    "reply", [huge, bomb, long_line, many_headers, always_continue, endless_trailer, vast_chunk, commented_chunks]
)
def test_no_answer_takes_more_memory_than_was_allowed(
    server: HostileServer, reply: Callable[[Request], object]
) -> None:
    server.lies = {"/nothing": lambda _: answer(204, b""), "/": reply}
    transport = Transport(Address.of(server.url), timeout=1.0, deadline=1.5)
    transport.get("/nothing")
    transport.rest()
    tracemalloc.start()
    try:
        with suppress(Unreachable):
            transport.get("/", 1000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        transport.rest()
    assert peak < (60_000_000 if reply is bomb else 1_000_000)  # the server makes the bomb in this process


def test_a_bulletin_past_its_age_is_not_answered(make: Make, server: HostileServer) -> None:
    server.max_age = 1
    reporter = make(pace=replace(QUICK, renew=0.2))
    until(lambda: reporter.status().state == "ready")
    server.lies[f"/v1/tasks/{server.id}/bulletin"] = lambda _: answer(503)
    until(lambda: "503" in reporter.status().reason)  # no good answer is on its way any more
    until(lambda: reporter.status().state == "stale")
    assert reporter.report("tea")
    assert not reporter.flush(wait=0.1)
    assert server.uploads == []


def test_a_server_cannot_grant_a_bulletin_more_age_than_the_client_allows(make: Make, server: HostileServer) -> None:
    server.max_age = 1 << 31
    reporter = make(pace=replace(QUICK, renew=3600, most_age=0.1))
    until(lambda: reporter.status().state == "stale")
    assert reporter.report("tea")
    assert not reporter.flush(wait=0.1)
    assert server.uploads == []


@pytest.mark.parametrize(
    "reply",
    [
        lambda _: answer(503, b"{}", "Retry-After: 0"),
        lambda _: answer(429),
        lambda _: answer(500),
        lambda _: answer(404),
        lambda _: answer(302, b"", "Location: /v1/in/x"),
        lambda _: answer(200, b"<html>Welcome!</html>"),
        lambda _: answer(200, b'{"accepted": 2}'),
        lambda _: answer(200, b'{"accepted": true}'.replace(b"true", b"null")),
        lambda _: b"\x00\xff" * 1000,
        lambda _: b"",
        lambda _: iter([b"HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"]),
        lambda _: answer(200, b" " * (1 << 17)),
    ],
)
def test_what_is_no_acknowledgement_is_answered_with_the_same_bytes_again(
    make: Make, server: HostileServer, reply: Callable[[Request], object]
) -> None:
    server.lies["/v1/in/"] = reply
    reporter = make()
    reporter.report("tea")
    until(lambda: len(server.uploads) >= 4)
    assert len(set(server.uploads)) == 1
    server.lies.clear()
    assert reporter.flush(PATIENCE)
    assert len(set(server.uploads)) == 1
    assert len(reporter.what_was_sent()) == 1
    assert reporter.spent().reports == 1
    assert reporter.status().delivered == 1


@pytest.mark.parametrize("status", [400, 409, 410, 413])
def test_what_the_server_does_not_want_is_dropped_and_never_randomised_again(
    make: Make, server: HostileServer, status: int
) -> None:
    server.lies["/v1/in/"] = lambda _: answer(status)
    reporter = make()
    reporter.report("tea")
    assert reporter.flush(PATIENCE)
    assert len(server.uploads) == 1
    assert reporter.status().dropped == {Outcome.TURNED_DOWN.value: 1}
    assert reporter.spent().reports == 1


def test_a_server_that_asks_to_wait_is_left_alone_even_by_a_flush(make: Make, server: HostileServer) -> None:
    server.lies["/v1/in/"] = lambda _: answer(429, b"{}", "Retry-After: 60")
    reporter = make()
    reporter.report("tea")
    until(lambda: bool(server.uploads))
    assert not reporter.flush(wait=0.2)
    assert len(server.uploads) == 1


def test_one_upload_that_is_always_turned_away_stops_no_other(make: Make, server: HostileServer) -> None:
    reporter = make()
    until(lambda: reporter.status().state == "ready")
    poison: list[bytes] = []

    def reply(request: Request) -> bytes:
        poison[:] = poison or [request.body]
        return answer(500) if request.body == poison[0] else server.honest(request)

    server.lies["/v1/in/"] = reply
    reporter.report("tea")
    until(lambda: bool(poison))
    for drink in DRINKS:
        reporter.report(drink)
    until(lambda: reporter.status().delivered == 6)
    assert reporter.status().queued == 1


def test_an_upload_that_nobody_took_in_time_is_dropped(make: Make, server: HostileServer) -> None:
    server.lies["/v1/in/"] = lambda _: answer(503)
    reporter = make(pace=replace(QUICK, keep=0.001))
    reporter.report("tea")
    until(lambda: reporter.status().dropped == {Outcome.EXPIRED.value: 1})
    assert reporter.status().queued == 0


def test_an_upload_that_the_disk_changed_is_not_sent(make: Make, server: HostileServer, tmp_path: Path) -> None:
    server.lies["/v1/in/"] = lambda _: answer(503)
    reporter = make()
    reporter.report("tea")
    until(lambda: bool(server.uploads))
    reporter.close(wait=0)
    (queued,) = (tmp_path / "reporter" / "queue").iterdir()
    queued.write_bytes(queued.read_bytes()[:-1] + b"\x07")
    sent = list(server.uploads)
    assert make().flush(PATIENCE)
    assert server.uploads == sent


def test_when_the_queue_is_full_nothing_more_is_randomised(make: Make, server: HostileServer) -> None:
    server.lies["/v1/in/"] = lambda _: answer(503)
    reporter = make(most_batch=1, pace=replace(QUICK, most_uploads=3, most_waiting=4))
    until(lambda: reporter.status().state == "ready")
    for _ in range(3):
        reporter.report("tea")
    until(lambda: reporter.status().queued == 3)
    assert [bool(reporter.report("tea")) for _ in range(5)] == [True] * 4 + [False]
    assert reporter.spent().reports == 3
    server.lies.clear()
    assert reporter.flush(PATIENCE)
    assert reporter.spent().reports == 7


def test_the_folder_of_an_earlier_run_is_as_little_trusted_as_the_network(
    make: Make, server: HostileServer, tmp_path: Path
) -> None:
    """Task and bulletin on the disk are replaced by forged ones: they are fetched again, or refused."""
    make().close()
    folder = tmp_path / "reporter"
    false = Bulletin(OTHER.id, 0, 7, (0, 1, 2))
    head = {"notice": json.loads(server.notice(bulletin=false.version)), "fetched": time.time()}
    (folder / "task").write_bytes(OTHER.canonical)
    (folder / "bulletin").write_bytes(json.dumps(head).encode() + b"\n" + false.canonical)
    server.requests.clear()
    reporter = make(pace=Pace(gather=0.01, renew=3600))
    reporter.report("tea")
    assert reporter.flush(PATIENCE)
    assert Upload.decode(server.uploads[0]).bulletin.hex() == server.tracker.bulletin.version
    assert [request.path.rpartition("/")[2] for request in server.requests][:2] == ["document", "bulletin"]
