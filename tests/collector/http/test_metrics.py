"""The page for Prometheus is in its format, and its numbers are those of the service."""

import re
from pathlib import Path

from hgldp.collector.http.metrics import BUCKETS, RequestCounts, family, sample
from tests.collector.live_service import NUMBERS, WORDS, live_service

LINE = re.compile(r'^[a-z_:]+(\{([a-z]+="(\\.|[^"\\\n])*",?)+\})? -?[0-9.e+-]+$')


def values(page: str) -> dict[str, float]:
    return {
        name: float(value) for name, _, value in (line.rpartition(" ") for line in page.splitlines() if line[0] != "#")
    }


def test_the_page_tells_what_happened(tmp_path: Path) -> None:
    with live_service(tmp_path / "data") as service:
        made, other = service.create(**WORDS), service.create(**NUMBERS)
        data = service.draw(made, ["tea"] * 7)
        for _ in range(2):
            service.http.post(f"/v1/in/{made.key}", content=data)
        service.http.post(f"/v1/in/{made.key}", content=b"nonsense")
        service.upload(other, [7] * 20)
        service.http.post(f"{other.path}/close", headers=service.admin)
        service.http.get("/nothing/secret-path")
        answer = service.http.get("/metrics", headers=service.admin)
    page, mine = answer.text, f'{{task="{made.id}"}}'
    found = values(page)
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert found[f"hgldp_reports_total{mine}"] == 7
    assert found[f"hgldp_uploads_accepted_total{mine}"] == 1
    assert found[f"hgldp_uploads_duplicate_total{mine}"] == 1
    assert found[f"hgldp_closed{mine}"] == 0
    assert found[f'hgldp_closed{{task="{other.id}"}}'] == 1
    assert found["hgldp_tasks"] == 2
    assert found["hgldp_ready"] == 1
    assert found["hgldp_disk_free_bytes"] > 0
    assert found['hgldp_http_requests_total{route="/v1/tasks",status="201"}'] == 2
    assert found['hgldp_http_requests_total{route="(unknown)",status="404"}'] == 1
    for secret in (made.key, made.token, "secret-path", "Drinks", "tea"):
        assert secret not in page


def test_every_line_is_legal_and_every_family_is_announced_once() -> None:
    counts = RequestCounts()
    for seconds in (0.0001, 0.003, 99.0):
        counts.note('/odd"path\\', 200, seconds)
    page = "\n".join(["# HELP x y", sample("hgldp_x", 3, task='a"b\\c\n')])
    assert all(LINE.match(line) for line in page.splitlines() if not line.startswith("#"))
    assert counts.buckets['/odd"path\\'] == [1, 1, *[0] * (len(BUCKETS) - 2), 1]
    assert family("n", "counter", "m", [({}, 1)]) == [
        "# HELP hgldp_n_total m",
        "# TYPE hgldp_n_total counter",
        "hgldp_n_total 1",
    ]


def test_buckets_add_up(tmp_path: Path) -> None:
    with live_service(tmp_path / "data") as service:
        for _ in range(3):
            service.http.get("/health")
        page = service.http.get("/metrics").text
    assert all(LINE.match(line) for line in page.splitlines() if not line.startswith("#"))
    announced = [line.split()[2] for line in page.splitlines() if line.startswith("# TYPE")]
    assert len(announced) == len(set(announced))
    mine = [
        value
        for name, value in values(page).items()
        if name.startswith('hgldp_http_request_seconds_bucket{route="/health"')
    ]
    assert mine == sorted(mine)
    assert mine[-1] == values(page)['hgldp_http_request_seconds_count{route="/health"}'] == 3
