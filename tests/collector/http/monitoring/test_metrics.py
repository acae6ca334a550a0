"""The page for Prometheus is in its format, and its numbers are those of the service."""

import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hgldp.collector.http.monitoring import shared_page
from hgldp.collector.http.monitoring.metrics import BUCKETS, RequestCounts, family, histograms, sample
from hgldp.collector.http.monitoring.upload_counts import UploadCounts
from hgldp.collector.log.backup import back_up
from hgldp.collector.problems import Problem
from hgldp.collector.timings import Histogram
from hgldp.collector.writer import Intake
from tests.collector.live_service import NUMBERS, WORDS, Made, Service, live_service
from tests.patience import PATIENCE

LINE = re.compile(r'^[a-z_:]+(\{([a-z]+="(\\.|[^"\\\n])*",?)+\})? -?[0-9.e+-]+$')
UNITS = ("_total", "_seconds", "_bytes", "_info", "_ratio")
OF_A_STORE = {"hgldp_sealing", "hgldp_inbox_bytes"}  # tests/collector/shared/test_metrics.py sees them there
WITHOUT_A_UNIT = {
    "hgldp_ready", "hgldp_tasks", "hgldp_epoch", "hgldp_epoch_reports", "hgldp_epoch_length", "hgldp_closed",
    "hgldp_streams", "hgldp_connections", "hgldp_uploads_under_way", "hgldp_uploads_waiting", "process_open_fds",
    "process_max_fds", "hgldp_log_entries_damaged", "hgldp_sealing",
}  # fmt: skip


def values(page: str) -> dict[str, float]:
    return {
        name: float(value) for name, _, value in (line.rpartition(" ") for line in page.splitlines() if line[0] != "#")
    }


def refused(service: Service, page: str | None = None) -> dict[str, float]:
    found = values(page or service.http.get("/metrics").text)
    return {name: number for name, number in found.items() if name.startswith("hgldp_uploads_refused_total")}


def test_the_page_tells_what_happened(tmp_path: Path) -> None:
    before = time.time()
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
    assert found[f'hgldp_uploads_refused_total{{task="{made.id}",problem="malformed-upload"}}'] == 1
    assert found[f"hgldp_closed{mine}"] == 0
    assert found[f'hgldp_closed{{task="{other.id}"}}'] == 1
    assert found["hgldp_tasks"] == 2
    assert found["hgldp_ready"] == 1
    assert found["hgldp_disk_free_bytes"] > 0
    assert found["hgldp_data_bytes"] > 4_096
    assert "hgldp_last_backup_timestamp_seconds" not in found
    assert found["hgldp_uploads_under_way"] == found["hgldp_uploads_waiting"] == found["hgldp_waiting_bytes"] == 0
    assert found["hgldp_waiting_seconds"] == 0
    assert found["hgldp_upload_seconds_count"] == 3
    assert 0 < found["hgldp_upload_seconds_sum"] < PATIENCE
    assert found["hgldp_commit_seconds_count"] >= 4
    assert found["hgldp_seal_seconds_count"] == 1
    assert found["hgldp_top_seconds_count"] >= 1
    for name in ("hgldp_last_commit", f"hgldp_last_upload{mine}", f"hgldp_bulletin{mine}"):
        stem, _, labels = name.partition("{")
        at = found[f"{stem}_timestamp_seconds{'{' if labels else ''}{labels}"]
        assert before - 1 <= at <= time.time() + 1
    assert found["process_resident_memory_bytes"] > 1 << 20
    assert 0 < found["process_open_fds"] < found["process_max_fds"]
    assert found['hgldp_http_requests_total{route="/v1/tasks",status="201"}'] == 2
    assert found['hgldp_http_requests_total{route="(unknown)",status="404"}'] == 1
    for secret in (made.key, made.token, "secret-path", "Drinks", "tea", "127.0.0.1"):
        assert secret not in page


def test_the_last_backup_is_told_by_whoever_made_it(tmp_path: Path) -> None:
    with live_service(tmp_path / "data") as service:
        made = back_up(service.folder, tmp_path / "copy.tar").made
        found = values(service.http.get("/metrics").text)
    assert found["hgldp_last_backup_timestamp_seconds"] == pytest.approx(made, abs=0.01)


def test_every_bug_is_counted_from_zero_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, the first 500 of a route made a new series, in whose first value Prometheus sees no increase."""
    monkeypatch.setattr(shared_page, "FRESH_SECONDS", 0.0)

    def failures() -> float:
        return values(service.http.get("/metrics").text)["hgldp_failures_total"]

    with live_service(tmp_path / "data") as service:
        made = service.create(**WORDS)
        assert failures() == 0
        with monkeypatch.context() as broken:
            broken.setattr(service.collector, "tasks", lambda: 1 / 0)
            assert service.http.get("/v1/tasks", headers=service.admin).status_code == 500
        assert failures() == 1
        monkeypatch.setattr(Intake, "submit", lambda *_: 1 / 0)
        assert service.upload(made, ["tea"]).status_code == 500
        assert failures() == 2


def _refusals(service: Service, made: Made) -> dict[str, Callable[[], int]]:
    """One way to each refusal that a stranger can bring about."""
    http, path = service.http, f"/v1/in/{made.key}"
    good = service.draw(made, ["tea"])
    stale = good[:20] + bytes(32) + good[52:]
    return {
        "malformed-upload": lambda: http.post(path, content=b"nonsense").status_code,
        "unknown-key": lambda: http.post("/v1/in/nobody", content=good).status_code,
        "method-not-allowed": lambda: http.get(path).status_code,
        "bulletin-too-old": lambda: http.post(path, content=stale).status_code,
        "too-large": lambda: http.post(path, content=bytes(service.settings.limits.body_bytes + 1)).status_code,
        "wrong-media-type": lambda: http.post(path, json={}).status_code,
        "too-many-reports": lambda: http.post(path, content=service.draw(made, ["tea"] * 60)).status_code,
    }


def test_every_refusal_is_counted_once_by_its_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, 400, 404, 410, 413, 415 and 429 were in no metric: only what the writer itself refused was."""
    monkeypatch.setattr(shared_page, "FRESH_SECONDS", 0.0)
    with live_service(tmp_path / "data") as service:
        made = service.create(**WORDS | {"results": "public"}, reports_per_second=10)
        for slug, provoke in _refusals(service, made).items():
            before = refused(service)
            status = provoke()
            after = refused(service)
            grown = {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}
            labels = f'problem="{slug}"' if slug == "unknown-key" else f'task="{made.id}",problem="{slug}"'
            assert grown == {f"hgldp_uploads_refused_total{{{labels}}}": 1}
            assert status == next(each.status for each in Problem if each.slug == slug)
        service.http.post(f"{made.path}/close", headers=service.admin)
        assert service.http.post(f"/v1/in/{made.key}", content=service.draw(made, ["tea"])).status_code == 409
        assert refused(service)[f'hgldp_uploads_refused_total{{task="{made.id}",problem="task-closed"}}'] == 1


def test_refusals_of_tasks_that_are_not_shown_are_added_up_without_their_names() -> None:
    counts = UploadCounts()
    for task in (b"a", b"b", b"b", None):
        counts.refuse(task, Problem.TOO_LARGE)
    assert counts.by_problem([b"a"]) == [
        ({"problem": "too-large"}, 3),
        ({"task": "61", "problem": "too-large"}, 1),
    ]


def test_every_line_is_legal_and_every_family_is_announced_once() -> None:
    counts = RequestCounts()
    for seconds in (0.0001, 0.003, 99.0):
        counts.note('/odd"path\\', 200, seconds)
    page = "\n".join(["# HELP x y", sample("hgldp_x", 3, task='a"b\\c\n')])
    assert all(LINE.match(line) for line in page.splitlines() if not line.startswith("#"))
    assert counts.seconds['/odd"path\\'].counts == [1, 1, *[0] * (len(BUCKETS) - 2), 1]
    assert family("n", "counter", "m", [({}, 1)]) == [
        "# HELP hgldp_n_total m",
        "# TYPE hgldp_n_total counter",
        "hgldp_n_total 1",
    ]


def test_a_histogram_is_cumulative() -> None:
    some = Histogram((0.1, 1.0))
    for seconds in (0.05, 0.5, 7.0):
        some.observe(seconds)
    assert histograms("h", "m", [({"a": "b"}, some)]) == [
        "# HELP hgldp_h m",
        "# TYPE hgldp_h histogram",
        'hgldp_h_bucket{a="b",le="0.1"} 1',
        'hgldp_h_bucket{a="b",le="1.0"} 2',
        'hgldp_h_bucket{a="b",le="+Inf"} 3',
        'hgldp_h_sum{a="b"} 7.55',
        'hgldp_h_count{a="b"} 3',
    ]


def test_a_failed_block_is_not_timed() -> None:
    some = Histogram()
    with pytest.raises(ValueError, match="no"), some.timed():
        raise ValueError("no")
    assert not sum(some.counts)


def whole_page(folder: Path) -> str:
    with live_service(folder) as service:
        service.upload(service.create(**WORDS), ["tea"])
        for _ in range(3):
            service.http.get("/health")
        back_up(service.folder, folder.parent / "backup.tar")
        return service.http.get("/metrics").text


def test_buckets_add_up_and_names_have_units(tmp_path: Path) -> None:
    page = whole_page(tmp_path / "data")
    assert all(LINE.match(line) for line in page.splitlines() if not line.startswith("#"))
    announced = [line.split()[2] for line in page.splitlines() if line.startswith("# TYPE")]
    assert len(announced) == len(set(announced))
    assert {name for name in announced if not name.endswith(UNITS)} <= WITHOUT_A_UNIT
    mine = [
        value
        for name, value in values(page).items()
        if name.startswith('hgldp_http_request_seconds_bucket{route="/health"')
    ]
    assert mine == sorted(mine)
    assert mine[-1] == values(page)['hgldp_http_request_seconds_count{route="/health"}'] == 3


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_promtool_has_nothing_to_say(tmp_path: Path) -> None:
    page = whole_page(tmp_path / "data")
    told = subprocess.run(
        ["promtool", "check", "metrics"],  # noqa: S607
        input=page,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")


def test_what_operators_are_told_to_watch_is_there(tmp_path: Path) -> None:
    text = (Path(__file__).parents[4] / "docs" / "collector.md").read_text(encoding="utf-8")
    section = text.partition("## What to watch")[2].partition("\n## ")[0]
    told = set(re.findall(r"(?:hgldp|process)_[a-z_]+", section))
    page = whole_page(tmp_path / "data")
    announced = {line.split()[2] for line in page.splitlines() if line.startswith("# TYPE")}
    assert len(told) > 20
    assert told - OF_A_STORE <= announced
    slugs = set(re.findall(r'problem="([a-z-]+)"', section))
    assert slugs <= {each.slug for each in Problem}
