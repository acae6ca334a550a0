"""The OpenAPI document and the routes say the same, in both directions; and generated requests never find a bug."""

import asyncio
import os
import time
from collections.abc import Iterator

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.requests import Request

from hgldp.collector.app import all_routes
from hgldp.collector.dashboard.live import Live
from hgldp.collector.http.documents.openapi import openapi_document
from hgldp.collector.http.monitoring.metrics import RequestCounts
from hgldp.collector.http.monitoring.upload_counts import UploadCounts
from hgldp.wire import api
from tests.collector.live_service import NUMBERS, WORDS, Made, Service, live_service

SECONDS = float(os.environ.get("HGLDP_FUZZ_SECONDS", "0"))
EXAMPLES = 100 if SECONDS else 5
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
PAGES = (
    "/",
    "/plan",
    "/live",
    "/assets",
    "/favicon.ico",
    "/tasks",
    "/sign-in",
    "/sign-out",
    "/sdk/example",
    "/sdk/playground",
)
STREAMS = ("/v1/tasks/{id}/events",)
OPERATIONS = [
    (method.upper(), path, mode)
    for path, methods in openapi_document()["paths"].items()
    for method, entry in methods.items()
    for mode in GenerationMode
    if path not in STREAMS and (mode is GenerationMode.POSITIVE or entry["parameters"] or "requestBody" in entry)
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


def test_the_document_is_written_once_because_strangers_may_ask_for_it_without_a_limit(service: Service) -> None:
    routes = all_routes(service.collector, service.settings, RequestCounts(), UploadCounts(), Live(service.collector))
    endpoint = next(route.endpoint for route in routes if route.path == api.OPENAPI)
    asked = Request({"type": "http", "method": "GET", "headers": [], "query_string": b""})
    one, other = asyncio.run(endpoint(asked)), asyncio.run(endpoint(asked))
    assert one.body is other.body


def is_page(path: str) -> bool:
    return path == "/" or path.startswith(PAGES[1:])


def test_every_route_is_in_the_document_and_every_entry_has_a_route(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service.collector, "listen", lambda _: None)
    routes = all_routes(service.collector, service.settings, RequestCounts(), UploadCounts(), Live(service.collector))
    served = {
        (method, route.path)
        for route in routes
        for method in route.methods or ()
        if method not in ("HEAD", "OPTIONS") and not is_page(route.path)
    }
    documented = {(method.upper(), path) for path, methods in openapi_document()["paths"].items() for method in methods}
    assert documented - {("POST", api.UPLOAD)} == served
    assert ("POST", api.UPLOAD) in documented


def test_every_page_is_left_out_and_nothing_else(service: Service) -> None:
    assert not any(is_page(path) for path in openapi_document()["paths"])


def test_every_shape_is_a_legal_schema_and_every_reference_leads_somewhere() -> None:
    document = openapi_document()
    shapes = document["components"]["schemas"]
    for name, shape in shapes.items():
        jsonschema_rs.meta.validate(shape)
        assert name in repr(document["paths"]) or name in ("Task",), name
    names = {part.partition("'")[0] for part in repr(document).split("#/components/schemas/")[1:]}
    assert names <= set(shapes)


def test_the_document_is_served(service: Service) -> None:
    assert service.http.get("/openapi.json").json()["paths"].keys() == openapi_document()["paths"].keys()


def test_what_was_given_has_the_shape_that_is_documented(service: Service) -> None:
    made = service.create(**(NUMBERS | {"epsilon": 2.5}))
    for seed in range(3):
        service.upload(made, [7] * 150 + [8] * 50, seed)
    document, path = openapi_document(), "/v1/tasks/{id}"
    for part in ("/top", "/history", "/export?format=json", "/privacy", "/bulletin", ""):
        answer = service.http.get(path.format(id=made.id) + part, headers=service.admin)
        entry = document["paths"][path + part.partition("?")[0]]["get"]
        schema = entry["responses"]["200"]["content"]["application/json"]["schema"] | {
            "components": document["components"]
        }
        assert answer.status_code == 200
        jsonschema_rs.validate(schema, answer.json())


@pytest.fixture(scope="module")
def tasks(service: Service) -> list[Made]:
    return [service.create(**WORDS), service.create(**NUMBERS)]


def fuzz(service: Service, tasks: list[Made], method: str, path: str, mode: GenerationMode) -> int:
    """With the admin token, half of the time on tasks that exist; how many requests were as documented."""
    asked = 0
    operation = schemathesis.openapi.from_dict(openapi_document())[path][method]
    until = time.monotonic() + SECONDS / len(OPERATIONS)
    quick = settings(
        max_examples=EXAMPLES, deadline=None, database=None, derandomize=not SECONDS, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip

    @quick
    @given(case=operation.as_strategy(generation_mode=mode), task=st.sampled_from([*tasks, None, None]))
    def run(case: schemathesis.Case, task: Made | None) -> None:
        if task is not None:
            real = {"id": task.id, "write_key": task.key}
            case.path_parameters |= {name: real[name] for name in real.keys() & case.path_parameters.keys()}
        case.call_and_validate(base_url=service.url, headers=service.admin, checks=CHECKS)
        nonlocal asked
        asked += 1

    run()
    while time.monotonic() < until:
        run()
    return asked


@pytest.mark.parametrize(("method", "path", "mode"), OPERATIONS)
def test_generated_requests_get_documented_answers(
    service: Service, tasks: list[Made], method: str, path: str, mode: GenerationMode
) -> None:
    """Never 500, never a status, a media type or a shape that the document does not know."""
    assert fuzz(service, tasks, method, path, mode) > 0


def test_a_planted_bug_is_found(service: Service, tasks: list[Made], monkeypatch: pytest.MonkeyPatch) -> None:
    def blunder(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(service.collector, "bulletin_bytes", blunder)
    with pytest.raises(FailureGroup, match="Server error"):
        fuzz(service, tasks, "GET", "/v1/bulletins/{version}", GenerationMode.POSITIVE)
