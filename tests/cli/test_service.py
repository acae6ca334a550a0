"""Questions to something that is not, or no longer, a collector: each failure is one sentence that names the place."""

import time
from collections.abc import Iterator

import pytest

from hgldp.cli.service import MOST_BYTES, Service, Turned, Unreachable
from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from tests.client.hostile_server import HostileServer, answer
from tests.collector.live_service import Service as LiveService
from tests.patience import PATIENCE


@pytest.fixture
def server() -> Iterator[HostileServer]:
    server = HostileServer(Task("dsr", Budget(1.0), RangeDomain(10), k=1, other=True))
    yield server
    server.close()


def test_a_document_and_a_file_come_as_they_were_sent(server: HostileServer) -> None:
    server.lies["/v1/tasks"] = lambda _: answer(200, b'{"tasks": [1.5, null, "\xc3\xa9"]}')
    server.lies["/file"] = lambda _: answer(200, bytes(200_000))
    service = Service(server.url, "token")
    assert service.get("/v1/tasks", k=3, window=None) == {"tasks": [1.5, None, "é"]}
    assert b"".join(service.download("/file")) == bytes(200_000)
    assert server.requests[0].path == "/v1/tasks?k=3"
    assert "authorization: Bearer token" in server.requests[0].head


@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff", b'{"a": NaN}', b'{"a": 1, "a": 2}', b"[" * 100_000])
def test_what_is_no_strict_json_is_not_an_answer(server: HostileServer, body: bytes) -> None:
    server.lies["/"] = lambda _: answer(200, body)
    with pytest.raises(Unreachable, match=rf"the answer of {server.url} must be JSON: is it a collector\?"):
        Service(server.url, "").get("/v1/tasks")


def test_a_file_that_breaks_off_is_told_from_nobody_at_home(server: HostileServer) -> None:
    server.lies["/"] = lambda _: iter([b"HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n" + bytes(66_000)])
    with pytest.raises(Unreachable, match=rf"the collector at {server.url} broke off \(4000 bytes are missing\)"):
        list(Service(server.url, "").download("/file"))
    with pytest.raises(
        Unreachable, match=r"no collector answers at http://127.0.0.1:9 \(Connection refused\); start one"
    ):
        Service("http://127.0.0.1:9", "").get("/")


def in_chunks(piece: bytes, wait: float) -> Iterator[bytes]:
    """A body that never ends."""
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"%x\r\n%b\r\n" % (len(piece), piece)
        time.sleep(wait)


def test_a_document_without_end_is_read_up_to_its_bound(server: HostileServer) -> None:
    server.lies["/"] = lambda _: in_chunks(b" " * (1 << 16), 0)
    for most, read in (
        (1 << 20, lambda: Service(server.url, "").fetch("/file", most_bytes=1 << 20)),
        (MOST_BYTES, lambda: Service(server.url, "").get("/v1/tasks")),
    ):
        with pytest.raises(Unreachable, match=rf"broke off \(more than {most} bytes\)"):
            read()


@pytest.mark.parametrize("promises_nothing", [False, True])
def test_a_document_that_drips_is_given_up(
    server: HostileServer, monkeypatch: pytest.MonkeyPatch, promises_nothing: bool
) -> None:
    """A body that ends with its connection looks whole when it is cut off."""

    def drips(_: object) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + b" "
        while True:
            time.sleep(0.05)
            yield b" "

    server.lies["/"] = drips if promises_nothing else lambda _: in_chunks(b" ", 0.05)
    monkeypatch.setattr("hgldp.cli.service.WHOLE_SECONDS", 0.5)
    service = Service(server.url, "")
    for read in (lambda: service.fetch("/file"), lambda: service.get("/v1/tasks")):
        begun = time.monotonic()
        with pytest.raises(Unreachable, match=rf"the collector at {server.url} took more than 0.5 seconds to answer"):
            read()
        assert time.monotonic() - begun < PATIENCE


def test_an_export_may_take_longer_than_a_document(server: HostileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.lies["/"] = lambda _: in_chunks(b" ", 0.05)
    monkeypatch.setattr("hgldp.cli.service.WHOLE_SECONDS", 0.5)
    begun = time.monotonic()
    for _ in Service(server.url, "").download("/file"):
        if time.monotonic() - begun > 1:
            return
    pytest.fail("the export ended")


def test_a_problem_is_told_in_its_own_words_without_control_characters(server: HostileServer) -> None:
    server.lies["/"] = lambda _: answer(404, b'{"title": "No \\u001b[31mtask", "detail": "of this id"}')
    with pytest.raises(Turned) as turned:
        list(Service(server.url, "").download("/file"))
    assert str(turned.value) == "the collector answered 404: No \N{REPLACEMENT CHARACTER}[31mtask: of this id"
    server.lies["/"] = lambda _: answer(401, b"what?")
    with pytest.raises(Turned, match=r"answered 401: this needs a token: give the admin token, .* with --token or"):
        Service(server.url, "").get("/")
    with pytest.raises(Turned, match=r"answered 401: this is not the right token: give the admin token"):
        Service(server.url, "another").get("/")


def test_a_wrong_value_is_told_without_the_title_and_knows_its_field(server: HostileServer) -> None:
    server.lies["/"] = lambda _: answer(400, b'{"title": "No task", "detail": "k must be at most 3, got 4, or 5"}')
    with pytest.raises(InvalidField, match=r"^k must be at most 3, got 4, or 5$") as refused:
        Service(server.url, "").get("/")
    assert refused.value.field == "k"
    for body in (b'{"title": "No task", "detail": "what?"}', b'["k"]', b'{"detail": ["k"]}'):
        server.lies["/"] = lambda _, body=body: answer(400, body)  # type: ignore[misc]
        with pytest.raises(Turned, match="the collector answered 400: "):
            Service(server.url, "").get("/")


def test_https_to_a_collector_without_it_leads_to_http(service: LiveService) -> None:
    place = service.url.replace("http:", "https:")
    with pytest.raises(
        Unreachable, match=rf"no collector answers at {place} \(it does not speak TLS; check the port, .*http://"
    ):
        Service(place, "").get("/")


def test_a_redirect_is_not_followed(server: HostileServer) -> None:
    server.lies["/v1"] = lambda _: answer(307, b"", "Location: /elsewhere")
    with pytest.raises(Turned, match="answered 307"):
        Service(server.url, "token").get("/v1/tasks")
    assert [request.path for request in server.requests] == ["/v1/tasks"]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("127.0.0.1:8080", "'127.0.0.1:8080'"),
        ("http://127.0.0.1:8080/a b", "'http://127.0.0.1:8080/a b'"),
        ("http://127.0.0.1:8080/?token=secret", "'http://127.0.0.1:8080/…'"),
    ],
)
def test_a_url_that_does_not_fit_is_shown_without_its_secrets(url: str, shown: str) -> None:
    with pytest.raises(
        InvalidField, match=r"url must be like http://127.0.0.1:8080 or https://example.org/path"
    ) as refused:
        Service(url, "")
    assert refused.value.value == shown
