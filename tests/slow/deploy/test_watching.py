"""Prometheus and Grafana: their files are sound, and whatever they ask for is something that a collector tells."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from hgldp.collector.log.backup import back_up
from hgldp.collector.settings import Settings, read_settings
from tests.collector.http.monitoring.test_metrics import OF_A_STORE
from tests.collector.live_service import NUMBERS, live_service
from tests.documents import ROOT
from tests.slow.deploy.files import DEPLOY, configurations, documents, expressions, metrics_of
from tests.slow.deploy.programs import ran, require

TYPE = re.compile(r"^# TYPE (\S+) \w+$", re.MULTILINE)


def told(tmp_path: Path) -> set[str]:
    """The metrics of a running collector that has had an upload and a backup."""
    with live_service(tmp_path / "data") as service:
        made = service.create(**NUMBERS)
        assert service.upload(made, [1, 2, 3]).status_code == 200
        back_up(service.folder, tmp_path / "backup.tar")
        return set(TYPE.findall(service.http.get("/metrics", headers=service.admin).text))


def test_every_metric_that_is_watched_exists(tmp_path: Path) -> None:
    asked = {name for expression in expressions().values() for name in metrics_of(expression)}
    assert len(asked) > 20
    assert asked - told(tmp_path) - OF_A_STORE == set()


def test_a_metric_that_does_not_exist_would_be_noticed(tmp_path: Path) -> None:
    asked = metrics_of("histogram_quantile(0.9, rate(hgldp_nothing_seconds_bucket[5m])) + hgldp_tasks")
    assert asked - told(tmp_path) == {"hgldp_nothing_seconds"}


@pytest.mark.parametrize("name", configurations())
def test_every_setting_is_one_that_the_collector_takes(name: str) -> None:
    found = read_settings(configurations()[name], name)
    assert Settings(**found).public_url == "https://collect.example.org"


def test_prometheus_takes_its_files() -> None:
    require("promtool")
    checked = ran("promtool", "check", "config", "--syntax-only", str(DEPLOY / "prometheus/prometheus.yml"))
    assert checked.returncode == 0, checked.stderr
    checked = ran("promtool", "check", "rules", str(DEPLOY / "prometheus/alerts.yml"))
    assert checked.returncode == 0, checked.stderr
    (alerts,) = documents("prometheus/alerts.yml")
    assert f"{sum(len(group['rules']) for group in alerts['groups'])} rules found" in checked.stdout


def test_the_alerts_fire_when_they_should_and_not_otherwise() -> None:
    """Before: nobody heard of silence after a restart, nor of the first 500 of a route."""
    require("promtool")
    files = (ROOT / "tests/slow/deploy" / name for name in ("alerts.test.yml", "alerts_of_days.test.yml"))
    checked = ran("promtool", "test", "rules", *map(str, files))
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_prometheus_takes_every_question_of_the_dashboard(tmp_path: Path) -> None:
    require("promtool")
    rules = [{"record": f"asked:{number}", "expr": each} for number, each in enumerate(expressions().values())]
    (tmp_path / "rules.yml").write_text(json.dumps({"groups": [{"name": "asked", "rules": rules}]}))
    checked = ran("promtool", "check", "rules", str(tmp_path / "rules.yml"))
    assert checked.returncode == 0, checked.stderr
    (tmp_path / "rules.yml").write_text(
        json.dumps({"groups": [{"name": "a", "rules": [{"record": "b", "expr": "c("}]}]})
    )
    assert ran("promtool", "check", "rules", str(tmp_path / "rules.yml")).returncode == 1


def test_the_dashboard_asks_the_source_that_is_provided() -> None:
    (source,) = documents("grafana/datasource.yml")
    board = json.loads((DEPLOY / "grafana/collector.json").read_text(encoding="utf-8"))
    uid = source["datasources"][0]["uid"]
    assert {panel["datasource"]["uid"] for panel in board["panels"]} == {uid}
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


def test_no_panel_lies_on_another() -> None:
    board = json.loads((DEPLOY / "grafana/collector.json").read_text(encoding="utf-8"))
    taken: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells


OF_ONE_TASK = {
    'hgldp_reports_total{task="t",instance="%d"}': "0+120x20",
    'hgldp_epoch_reports{task="t",instance="%d"}': "50x20",
    'hgldp_epoch_length{task="t",instance="%d"}': "200x20",
    'hgldp_bulletin_timestamp_seconds{task="t",instance="%d"}': "600x20",
    'hgldp_tasks{instance="%d"}': "1x20",
}
SHOWN = {
    "Reports per second A": ("{}", 2),
    "Reports per second, by task A": ('{task="t"}', 2),
    "Open epoch, by task A": ('{task="t"}', 0.25),
    "Age of the bulletin, by task A": ('{task="t"}', 600),
    "Tasks A": ("{}", 1),
}


def what_a_board_shows(folder: Path, collectors: int, asked: Mapping[str, str]) -> CompletedProcess[str]:
    """All collectors tell the same of a task, as they do on one store. Exit code 1 if the board shows another value."""
    series = [
        {"series": name % one, "values": values} for name, values in OF_ONE_TASK.items() for one in range(collectors)
    ]
    wanted = [
        {"expr": asked[title], "eval_time": "20m", "exp_samples": [{"labels": labels, "value": value}]}
        for title, (labels, value) in SHOWN.items()
    ]
    tests = [{"interval": "1m", "input_series": series, "promql_expr_test": wanted}]
    (folder / "board.yml").write_text(json.dumps({"rule_files": [], "evaluation_interval": "1m", "tests": tests}))
    return ran("promtool", "test", "rules", str(folder / "board.yml"))


@pytest.mark.parametrize("collectors", [1, 3])
def test_the_dashboard_shows_a_task_once_however_many_collectors_tell_of_it(tmp_path: Path, collectors: int) -> None:
    """Before: with three collectors it showed three times as many reports as had come."""
    require("promtool")
    checked = what_a_board_shows(tmp_path, collectors, expressions())
    assert checked.returncode == 0, checked.stdout + checked.stderr
    planted = expressions() | {"Reports per second A": "sum(rate(hgldp_reports_total[5m]))"}
    assert what_a_board_shows(tmp_path, collectors, planted).returncode == int(collectors > 1)
