"""What a stranger learns of a task whose results need a token: nothing, not even that it exists."""

from collections.abc import Iterator

import httpx
import pytest

from hgldp.model.bulletins import FrontierBulletin
from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.bulletin_with_set import with_set
from tests.collector.live_service import NUMBERS, Made, Service, live_service

NOBODY = "0" * 64
SECRET = NUMBERS | {"name": "Secret pages", "results": "token", "k": 5}
STREAM = [7] * 100 + [40] * 60 + [-3] * 40 + [22] * 25 + [90] * 15


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


@pytest.fixture(scope="module")
def secret(service: Service) -> Made:
    made = service.create(**SECRET)
    for seed in range(20):
        assert service.upload(made, STREAM, seed).status_code == 200
    return made


@pytest.fixture(scope="module")
def public(service: Service) -> Made:
    return service.create(**NUMBERS)


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def in_force(service: Service, made: Made) -> str:
    return str(service.http.get(f"{made.path}/bulletin", headers=bearer(made.key)).json()["bulletin"])


def same_answer(one: httpx.Response, other: httpx.Response) -> bool:
    """But for the moment at which they were sent."""
    left_out = {"date", "content-length"}
    heads = [{name: value for name, value in each.headers.items() if name not in left_out} for each in (one, other)]
    return (one.status_code, one.content, heads[0]) == (other.status_code, other.content, heads[1])


def test_a_stranger_reads_no_bulletin_and_so_no_top(service: Service, secret: Made) -> None:
    version = in_force(service, secret)
    for path in (f"{secret.path}/bulletin", f"/v1/bulletins/{version}", f"{secret.path}/document"):
        answer = service.http.get(path)
        assert answer.status_code == 404, answer.content


@pytest.mark.parametrize("part", ["document", "bulletin", "privacy"])
def test_a_task_that_a_stranger_may_not_see_answers_as_one_that_does_not_exist(
    service: Service, secret: Made, public: Made, part: str
) -> None:
    for headers in ({}, bearer("wrong"), bearer(public.key), bearer(public.token), {"authorization": secret.key}):
        answer = service.http.get(f"{secret.path}/{part}", headers=headers)
        assert (answer.status_code, answer.json()["type"]) == (404, "urn:hgldp:problem:unknown-task")
        assert same_answer(answer, service.http.get(f"/v1/tasks/{NOBODY}/{part}", headers=headers))


@pytest.mark.parametrize("part", ["top", "history", "export", "events"])
def test_results_too_do_not_tell_whether_the_task_exists(service: Service, secret: Made, part: str) -> None:
    for headers in ({}, bearer("wrong"), bearer(secret.key)):
        answer = service.http.get(f"{secret.path}/{part}", headers=headers)
        assert answer.status_code == 401
        assert same_answer(answer, service.http.get(f"/v1/tasks/{NOBODY}/{part}", headers=headers))
    assert service.http.get(f"/v1/tasks/{NOBODY}/{part}", headers=service.admin).status_code == 404


def test_its_page_does_not_either(service: Service, secret: Made) -> None:
    mine, nobodys = service.http.get(f"/tasks/{secret.id}"), service.http.get(f"/tasks/{NOBODY}")
    assert mine.status_code == nobodys.status_code == 401
    assert mine.text.replace(secret.id, NOBODY) == nobodys.text


def test_a_bulletin_that_a_stranger_may_not_see_answers_as_one_that_does_not_exist(
    service: Service, secret: Made, public: Made
) -> None:
    path = f"/v1/bulletins/{in_force(service, secret)}"
    for headers in ({}, bearer("wrong"), bearer(public.key)):
        answer = service.http.get(path, headers=headers)
        assert (answer.status_code, answer.json()["type"]) == (404, "urn:hgldp:problem:unknown-bulletin")
        assert same_answer(answer, service.http.get(f"/v1/bulletins/{NOBODY}", headers=headers))


def test_clients_readers_and_the_admin_see_it_and_no_shared_cache_keeps_it(service: Service, secret: Made) -> None:
    version = in_force(service, secret)
    for headers in (bearer(secret.key), bearer(secret.token), service.admin):
        for path in (
            *(f"{secret.path}/{part}" for part in ("document", "bulletin", "privacy")),
            f"/v1/bulletins/{version}",
        ):
            answer = service.http.get(path, headers=headers)
            assert answer.status_code == 200
            assert answer.headers["cache-control"].startswith("private, max-age=")
            assert answer.headers["vary"] == "authorization"
            held = headers | {"if-none-match": answer.headers["etag"]}
            assert service.http.get(path, headers=held).status_code == 304


def test_public_tasks_stay_open_to_all_and_every_cache_may_keep_them(service: Service, public: Made) -> None:
    version = in_force(service, public)
    for headers in ({}, bearer("wrong"), bearer(public.key)):
        for path in (f"{public.path}/document", f"{public.path}/bulletin", f"/v1/bulletins/{version}"):
            answer = service.http.get(path, headers=headers)
            assert answer.status_code == 200
            assert answer.headers["cache-control"].startswith("public, max-age=")


def test_a_web_page_may_ask_first_whether_it_may_send_the_key(service: Service, secret: Made) -> None:
    for path in (f"{secret.path}/document", f"/v1/tasks/{NOBODY}/bulletin", f"/v1/bulletins/{NOBODY}"):
        answer = service.http.options(path)
        assert (answer.status_code, answer.content) == (204, b"")
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["access-control-allow-headers"] == "authorization"


def test_a_web_page_may_read_why_it_was_refused(service: Service, secret: Made) -> None:
    for path in (f"{secret.path}/document", f"/v1/tasks/{NOBODY}/bulletin", f"/v1/bulletins/{NOBODY}/with-set"):
        answer = service.http.get(path, headers=bearer("wrong"))
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (404, "*")
    assert "access-control-allow-origin" not in service.http.get(f"{secret.path}/top").headers


def test_a_page_gets_the_set_with_the_bulletin_in_force_and_with_no_other(service: Service, secret: Made) -> None:
    version = in_force(service, secret)
    view = service.collector.view(bytes.fromhex(secret.id))
    assert view is not None
    answer = service.http.get(f"/v1/bulletins/{version}/with-set", headers=bearer(secret.key))
    assert answer.content == with_set(view.bulletin, scheme_of(view.task))
    assert answer.content.endswith(service.http.get(f"/v1/bulletins/{version}", headers=bearer(secret.key)).content)
    assert service.http.get(f"/v1/bulletins/{version}/with-set").status_code == 404


def test_metrics_name_a_private_task_to_nobody_but_the_admin(service: Service, secret: Made, public: Made) -> None:
    page = service.http.get("/metrics").text
    assert secret.id not in page
    assert f'hgldp_reports_total{{task="{public.id}"}} 0' in page
    assert f'hgldp_reports_total{{task="private"}} {20 * len(STREAM)}' in page
    assert "hgldp_tasks 2" in page
    assert (
        f'hgldp_reports_total{{task="{secret.id}"}} {20 * len(STREAM)}'
        in service.http.get("/metrics", headers=service.admin).text
    )


def test_a_wrong_metrics_token_is_refused_and_none_is_not(service: Service, secret: Made) -> None:
    """Before: 200 with the sums, so nobody noticed that Prometheus had an old token."""
    for wrong in ("a stale token of somebody", "5f" * 32, secret.token, secret.key):
        answer = service.http.get("/metrics", headers=bearer(wrong))
        assert (answer.status_code, answer.json()["type"]) == (401, "urn:hgldp:problem:token-needed")
    for empty in ("Bearer", f"Bearer {'x' * 600}"):
        assert service.http.get("/metrics", headers={"authorization": empty}).status_code == 401
    assert service.http.get("/metrics").status_code == 200


def test_who_may_see_a_bulletin_still_cannot_tell_the_order(service: Service, secret: Made) -> None:
    version = in_force(service, secret)
    data = service.http.get(f"/v1/bulletins/{version}", headers=bearer(secret.key)).content
    bulletin = read_bulletin(data, version)
    assert isinstance(bulletin, FrontierBulletin)
    assert bulletin.epoch > 3
    assert {12, 45, 2, 27, 95} <= set(bulletin.leaves)
    assert list(bulletin.leaves) == sorted(bulletin.leaves)
