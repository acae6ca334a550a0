"""`/v1/tasks/{id}/certificate`: for whoever may have the task's document, and accepted by the script."""

from collections.abc import Iterator

import jsonschema_rs
import pytest

from hgldp.checks.certificate import Uncertified
from hgldp.collector.http.documents.openapi import openapi_document
from hgldp.collector.http.routes import public
from hgldp.model.task import Task
from hgldp.wire.task import read_task
from tests.checks.certificate.made import accepted
from tests.collector.live_service import NUMBERS, WORDS, Service, live_service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


STRINGS = {"name": "Searches", "epsilon": 4.0, "k": 2, "domain": {"strings": 16}, "results": "public"}


@pytest.mark.parametrize("settings", [WORDS, NUMBERS, STRINGS], ids=["words", "numbers", "strings"])
def test_it_fits_its_schema_and_the_task(service: Service, settings: dict[str, object]) -> None:
    made = service.create(**{**settings, "results": "public", "name": f"Certified {settings['name']}", "epoch": 321})
    answer = service.http.get(f"{made.path}/certificate")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["access-control-allow-origin"] == "*"
    task = read_task(service.http.get(f"{made.path}/document").content)
    assert accepted(answer.content, task)
    schemas = openapi_document()["components"]["schemas"]
    assert jsonschema_rs.is_valid(schemas["Certificate"], answer.json())
    again = service.http.get(f"{made.path}/certificate", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


def test_it_is_as_private_as_the_document(service: Service) -> None:
    made = service.create(**{**WORDS, "name": "Hidden drinks", "epoch": 322})
    for token, status in ((None, 404), (made.token, 200), (made.key, 200)):
        headers = {"authorization": f"Bearer {token}"} if token else {}
        found = [service.http.get(f"{made.path}/{part}", headers=headers) for part in ("certificate", "document")]
        assert [answer.status_code for answer in found] == [status, status]


def test_a_scheme_of_others_has_none_and_the_answer_says_so(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_for(task: Task) -> bytes:
        raise Uncertified(task.scheme)

    made = service.create(**{**NUMBERS, "name": "Foreign", "epoch": 323})
    monkeypatch.setattr(public, "certificate", none_for)
    answer = service.http.get(f"{made.path}/certificate")
    assert answer.status_code == 404
    assert answer.json()["type"] == "urn:hgldp:problem:no-certificate"
    assert answer.json()["detail"] == "no certificate for pfr: only the package's own schemes have one"


def test_the_privacy_card_links_to_it(service: Service) -> None:
    made = service.create(**{**NUMBERS, "name": "Shown", "epoch": 324})
    assert f'href="{made.path}/certificate"' in service.http.get(f"/tasks/{made.id}").text
