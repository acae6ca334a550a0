"""What is logged is JSON, and holds nothing about a person and no secret."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from hgldp.collector.http.monitoring.logs import LOGGER, JsonLines, TextLines, log, start_logging
from tests.collector.live_service import ADMIN, WORDS, live_service


@pytest.fixture
def _restored() -> Iterator[None]:
    names = (LOGGER, "uvicorn", "uvicorn.error", "uvicorn.access", "asyncio")
    before = {name: (logging.getLogger(name).handlers, logging.getLogger(name).level) for name in names}
    yield
    for name, (handlers, level) in before.items():
        logging.getLogger(name).handlers = handlers
        logging.getLogger(name).setLevel(level)
        logging.getLogger(name).propagate = True
    logging.getLogger("uvicorn.access").disabled = False


@pytest.mark.usefixtures("_restored")
def test_a_day_of_requests_leaves_no_secret_in_the_logs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines_out = start_logging("debug")
    with live_service(tmp_path / "data") as service:
        made = service.create(**WORDS)
        service.upload(made, ["tea"] * 5)
        service.http.post(f"/v1/in/{made.key}", content=b"nonsense-body")
        service.http.post(f"/v1/in/wrong-{made.key}", content=b"nonsense-body")
        service.http.get(f"/v1/inn/{made.key}?token={made.token}")
        service.http.get(f"/tasks/{made.id}?token={made.token}")
        service.http.get(f"{made.path}/top?k=1&later=private-query", headers={"authorization": f"Bearer {made.token}"})
        for item in ("tea", "an-unknown-item"):
            service.http.post(f"{made.path}/ask", json={"items": [item]}, headers=service.admin)
            service.http.post(f"/tasks/{made.id}", data={"item": item}, headers=service.admin)
        service.http.request("SECRETMETHOD", "/health")
        service.http.get("/health", headers={"x-forwarded-for": "203.0.113.7", "user-agent": "a-person"})
    lines_out.flush()
    out, err = capfd.readouterr()
    lines = [json.loads(line) for line in err.splitlines()]
    assert out == ""
    requests = [line for line in lines if line["event"] == "request"]
    assert {"method": "POST", "route": "/v1/tasks", "status": 201}.items() <= requests[0].items()
    assert {line["route"] for line in requests} >= {"/v1/tasks/{id}/top", "/v1/tasks/{id}/ask", "(unknown)", "/health"}
    assert {"task created"} <= {line["event"] for line in lines}
    secrets = (made.key, made.token, ADMIN, "private-query", "nonsense-body", "127.0.0.1", "203.0.113.7", "a-person")
    for secret in (*secrets, "SECRETMETHOD", "tea", "an-unknown-item"):
        assert secret not in err, secret


@pytest.mark.usefixtures("_restored")
def test_what_balancers_ask_all_day_is_logged_only_if_it_fails(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = start_logging("info")
    with live_service(tmp_path / "data") as service:
        for path in ("/health", "/ready", "/metrics", "/v1/tasks", "/ready?much=1"):
            service.http.get(path, headers=service.admin)
    lines.flush()
    logged = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    asked = [(each["route"], each["status"]) for each in logged if each["event"] == "request"]
    assert asked == [("/v1/tasks", 200), ("/ready", 400)]


def test_a_failure_is_one_line_with_its_traceback() -> None:
    blunder = RuntimeError("of our own")
    failure = (RuntimeError, blunder, None)
    line = JsonLines().format(logging.LogRecord("x", logging.ERROR, "", 0, "failed\nbadly", None, failure))
    assert "\n" not in line
    assert "RuntimeError: of our own" in json.loads(line)["failure"]


@pytest.mark.usefixtures("_restored")
def test_a_level_silences_what_is_below_it(capfd: pytest.CaptureFixture[str]) -> None:
    lines = start_logging("warning")
    log("quiet")
    log("loud", logging.ERROR)
    lines.flush()
    assert [json.loads(line)["event"] for line in capfd.readouterr().err.splitlines()] == ["loud"]


def test_text_lines_keep_an_event_on_one_line_and_show_the_traceback_below() -> None:
    failure = (RuntimeError, RuntimeError("of our own"), None)
    text = TextLines().format(logging.LogRecord("x", logging.ERROR, "", 0, "failed\nbadly", None, failure))
    first, *rest = text.splitlines()
    assert first.endswith("  error    failed badly")
    assert rest[-1] == "RuntimeError: of our own"


@pytest.mark.usefixtures("_restored")
def test_json_is_for_files_unless_text_is_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    for form in (None, "json", "text"):
        lines = start_logging("info", form)
        log("started", tasks=2)
        lines.flush()
    first, second, third = capfd.readouterr().err.splitlines()
    assert json.loads(first)["tasks"] == json.loads(second)["tasks"] == 2
    assert third.endswith("  info     started  tasks=2")
