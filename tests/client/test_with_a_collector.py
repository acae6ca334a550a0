"""The real client and the real collector: every report that was taken is counted once."""

from pathlib import Path

from hgldp.cli.commands.demo.server import running_server
from hgldp.client import Reporter
from tests.patience import PATIENCE


def test_reports_reach_a_real_collector_and_each_counts_once(tmp_path: Path) -> None:
    drinks = ["tea", "coffee", "mate", "water", "cocoa", "milk"]
    terms = {
        "name": "Drinks",
        "scheme": "dsr",
        "epsilon": 1.0,
        "level": "event",
        "k": 2,
        "domain": {"words": drinks},
        "results": "public",
    }
    with running_server(0) as server:
        made = server.service.post("/v1/tasks", terms)
        for _ in range(2):
            with Reporter(
                server.url, made["id"], made["write_key"], folder=tmp_path / "r", max_epsilon=1.0, most_batch=4
            ) as reporter:
                assert all(reporter.report(drink) for drink in drinks * 3)
                assert reporter.flush(PATIENCE)
            assert reporter.status().delivered == 18
            assert reporter.status().dropped == {}
        assert reporter.spent().reports == 36
        assert server.service.get(f"/v1/tasks/{made['id']}/top", k=2)["reports"] == 36
