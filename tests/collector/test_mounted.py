"""A collector below a path of a host with other things on it, behind a proxy that takes the path off or does not."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from hgldp.cli import main
from hgldp.client import Reporter
from tests.collector.live_service import ADMIN, NUMBERS, Made, Service, live_service
from tests.collector.reverse_proxy import ReverseProxy, reverse_proxy
from tests.patience import PATIENCE

MOUNT = "/hot/words"


@dataclass
class Mounted:
    proxy: ReverseProxy
    service: Service
    made: Made
    secret: Made
    http: httpx.Client


@pytest.fixture(scope="module", params=[True, False], ids=["path taken off", "path passed on"])
def mounted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mounted]:
    folder = tmp_path_factory.mktemp("data")
    with (
        reverse_proxy(MOUNT, strips=request.param) as proxy,
        live_service(folder / "folder", public_url=proxy.url) as service,
        httpx.Client(trust_env=False, timeout=PATIENCE) as outside,
    ):
        proxy.target = int(service.url.rpartition(":")[2])
        made = service.create(**NUMBERS | {"level": "event"})
        for seed in range(2):
            assert service.upload(made, [1] * 100 + [2] * 50, seed=seed + 1).is_success
            assert service.http.post(f"{made.path}/seal", headers=service.admin).is_success
        secret = service.create(**NUMBERS | {"name": "Secret", "results": "token", "k": 2})
        yield Mounted(proxy, service, made, secret, outside)


def test_the_answers_name_paths_that_work_outside(mounted: Mounted) -> None:
    url, admin = mounted.proxy.url, mounted.service.admin
    answer = mounted.http.post(f"{url}/v1/tasks", json=NUMBERS | {"k": 1}, headers=admin)
    assert answer.status_code == 201
    assert answer.headers["location"] == f"{MOUNT}/v1/tasks/{answer.json()['id']}"
    assert answer.json()["upload"] == f"{MOUNT}/v1/in/{answer.json()['write_key']}"
    assert mounted.http.get(f"{url}/openapi.json").json()["servers"] == [{"url": url}]
    assert mounted.http.get(f"{url}/health").json() == {"status": "alive"}
    assert mounted.http.get(url).status_code == 200, "with no slash at its end"


def test_whoever_knows_the_port_needs_no_path(mounted: Mounted) -> None:
    for path in ("/", "/health", f"/tasks/{mounted.made.id}", f"{MOUNT}/health"):
        assert mounted.service.http.get(path).status_code == 200, path
    for path in (f"{MOUNT}x", f"{MOUNT}{MOUNT}/health", "/hot"):
        assert mounted.service.http.get(path).status_code == 404, path


def test_no_link_of_a_page_leads_astray(mounted: Mounted) -> None:
    for path in ("/", f"/tasks/{mounted.made.id}", f"/tasks/{mounted.made.id}?epoch=0", "/tasks/none"):
        text = mounted.http.get(mounted.proxy.url + path, headers={"accept": "text/html"}).text
        for part in text.replace('action="', 'href="').replace('src="', 'href="').split('href="')[1:]:
            link = part.partition('"')[0]
            assert link.startswith((f"{MOUNT}/", "#")), link


def test_the_client_and_the_command_take_the_path(
    mounted: Mounted, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    url, made = mounted.proxy.url, mounted.made
    before = mounted.service.collector.view(bytes.fromhex(made.id)).reports
    with Reporter(url, made.id, made.key, folder=tmp_path / "one", max_epsilon=3.0) as reporter:
        reporter.report(1)
        assert reporter.flush(10)
    assert mounted.service.collector.view(bytes.fromhex(made.id)).reports == before + 1
    assert main(["task", "list", "--url", f"{url}/", "--token", ADMIN, "--json"]) == 0
    assert made.id in capsys.readouterr().out
    assert main(["top", "--url", url, "--task", made.id, "--token", ADMIN, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reports"] >= before
    words = ["--name", "New", "--epsilon", "2", "--range", "0", "30", "--k", "2"]
    assert main(["task", "create", "--url", f"{url}/", "--token", ADMIN, *words]) == 0
    assert f"{url}/tasks/" in capsys.readouterr().out
    assert main(["top", "--url", f"{url}/elsewhere", "--task", made.id, "--token", ADMIN]) != 0
    assert mounted.proxy.strays == []
