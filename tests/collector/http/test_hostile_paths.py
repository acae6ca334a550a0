"""Paths, queries and headers that nobody would type: each gets an answer below 500, quickly, and no traceback.

`HGLDP_FUZZ_SECONDS` says for how long; `make test-long` takes a minute.
"""

import http.client
import logging
import os
import random
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.collector.http.test_fuzz import chosen_seed
from tests.collector.live_service import NUMBERS, WORDS, Service, live_service
from tests.patience import PATIENCE

SECONDS = float(os.environ.get("HGLDP_FUZZ_SECONDS", "0"))
SLOWEST = 1.0 if SECONDS else PATIENCE  # seconds: `make test-long` judges it
ENOUGH = 300
PIECES = [
    "9" * 19, "9" * 20, "9" * 300, "9" * 3_000, "-1", "1e9", "0x10", "٧", "%D9%A7", "%00", "%", "%zz", "%ff%fe",
    "%ed%a0%80", "%2e%2e", "..", ".", "//", "%2f", "\\", "~", "*", "{id}", "[", "]", "::", "%f0%9f%8d%b5",
    "a" * 3_000, "%41" * 900, "true", "null", "NaN", "inf", "1_000", " 1".replace(" ", "%20"), "+1", "1;2", "&&&&",
    "&" * 900, "=", "a=b=c", "?", "%3f", "..%5c", "%0d%0aX:%20y", "0" * 18 + "1", str(2**63 - 1), str(2**63),
    str(2**64), "1.0", "%C0%80", "'", "%22", "%3Cx%3E",
]  # fmt: skip
NAMES = ["k", "window", "first", "last", "format", "token", "epoch", "x", "%00", ""]
VALUES = ["csv", "json", "parquet", "1", "0", "", *PIECES]
HEADERS = [
    ("Authorization", "Bearer " + "é" * 900), ("Authorization", "Bearer"), ("Authorization", "basic x"),
    ("Range", "bytes=0-"), ("Cookie", 'x="' + '\\"' * 9_000 + '"'), ("Cookie", "hgldp-reader=\x80\xff"),
    ("Cookie", ";" * 9_000), ("Accept", "\xff"), ("If-None-Match", '"' * 9_000), ("If-None-Match", "," * 9_000),
    ("X-Forwarded-For", "," * 9_000), ("Host", ""), ("Origin", "\xff"), ("Content-Length", "0"),
    ("Expect", "100-continue"), ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Content-Type", ";" * 9_000),
    ("Transfer-Encoding", "chunked"), ("TE", "x"), ("Accept-Encoding", "gzip;q=" + "9" * 999),
]  # fmt: skip
METHODS = ["GET"] * 8 + ["HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, list[str]]]:
    folder: Path = tmp_path_factory.mktemp("hostile") / "data"
    with live_service(folder) as running:
        tasks = [running.create(**WORDS), running.create(**NUMBERS)]
        for _ in range(2):
            running.upload(tasks[1], [1] * 200)
        version = running.http.get(f"{tasks[1].path}/bulletin").json()["bulletin"]
        parts = ["document", "bulletin", "privacy", "top", "history", "export", "close", "seal"]
        known = [
            "/",
            "/live/x",
            "/health",
            "/ready",
            "/metrics",
            "/openapi.json",
            "/v1/tasks",
            f"/v1/bulletins/{version}",
        ]
        for made in tasks:
            known += [made.path, f"/tasks/{made.id}", f"/tasks/{made.id}/epochs/0", f"/v1/in/{made.key}"]
            known += [f"{made.path}/{part}" for part in parts]
        yield running, known


def target(draw: random.Random, known: list[str]) -> str:
    """A real path, or one with something done to it; and a query that may be one."""
    path = draw.choice(known)
    parts = path.split("/")
    for _ in range(draw.choice([0, 0, 1, 2])):
        where, piece = draw.randrange(1, len(parts) + 1), draw.choice(PIECES)
        parts[where : where + draw.randrange(2)] = [piece]
    pairs = (f"{draw.choice(NAMES)}={draw.choice(VALUES)}" for _ in range(draw.choice([0, 1, 1, 2, 3])))
    query = "&".join(pairs) or draw.choice(["", "", *PIECES])
    return ("/".join(parts) + ("?" + query if query else "")).replace(" ", "%20")


def ask(service: Service, method: str, path: str, headers: list[tuple[str, str]]) -> tuple[int, float]:
    """The raw bytes as they stand, and the status; 0 for a connection that was closed without one."""
    host, port = service.url.removeprefix("http://").split(":")
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: x",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers),
    ]
    before = time.monotonic()
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as line:
        line.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape"))
        if any(name == "Transfer-Encoding" for name, _ in headers):
            line.sendall(b"0\r\n\r\n")
        answer = http.client.HTTPResponse(line, method=method)
        try:
            answer.begin()
            while answer.status == 101:
                raise AssertionError("nothing here upgrades")
            return answer.status, time.monotonic() - before
        except (http.client.HTTPException, OSError):
            return 0, time.monotonic() - before


def test_the_epoch_of_4301_digits_is_a_problem(service: tuple[Service, list[str]]) -> None:
    """It was 500 with a traceback, because Python refuses to read such a number."""
    running, known = service
    path = next(path for path in known if path.endswith("/epochs/0")).removesuffix("0")
    for digits in ("9" * 4_301, "9" * 60_000, "0" * 4_301):
        answer = running.http.get(path + digits)
        assert answer.status_code in (400, 401, 404, 431)
        assert answer.headers["content-type"] == "application/problem+json"


def test_whatever_is_typed_gets_an_answer_below_500(
    service: tuple[Service, list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    running, known = service
    seed = chosen_seed()
    draw, until, statuses = random.Random(seed), time.monotonic() + SECONDS, dict[int, int]()
    with caplog.at_level(logging.ERROR):
        while time.monotonic() < until or sum(statuses.values()) < ENOUGH:
            method, path = draw.choice(METHODS), target(draw, known)
            headers = draw.sample(HEADERS, draw.choice([0, 0, 1, 2]))
            if draw.random() < 0.3:
                headers.append(("Authorization", running.admin["authorization"]))
            if path.startswith("/v1") and path.partition("?")[0].endswith(("/close", "/seal", "/v1/tasks")):
                headers = []
            status, taken = ask(running, method, path, headers)
            statuses[status] = statuses.get(status, 0) + 1
            assert status < 500 or status == 503, f"seed {seed}: {method} {path[:200]} {headers!r:.200} gave {status}"
            assert taken < SLOWEST, f"seed {seed}: {method} {path[:200]} {headers!r:.200} took {taken:.2f} s"
            assert not caplog.records, f"seed {seed}: {method} {path[:200]} {headers!r:.200}: {caplog.text[-2000:]}"
    assert statuses.keys() >= {200, 400}, f"seed {seed}: {statuses}"
