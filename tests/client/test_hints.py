"""A list of strings that a task names: fetched once, believed only by its hash, and then half of every answer."""

import random
from pathlib import Path

import httpx

from hgldp import Task
from hgldp.audit.bulletins import made_bulletins
from hgldp.audit.subjects.fake_collector import FakeCollector
from hgldp.cli.commands.demo.server import RunningServer, running_server
from hgldp.cli.tasks import fetch_task
from hgldp.client import Randomizer, Reporter
from hgldp.client.agreement import TaskFile
from hgldp.client.environment import Disk
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.randomness import SeededWords
from hgldp.schemes.registry import scheme_of
from hgldp.wire import api
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.upload import Upload
from tests.collector.live_service import live_service
from tests.patience import PATIENCE

LIST = ["tea", "mate", "coffee", "water", "cocoa", "milk"]
TERMS = {
    "name": "Drinks", "scheme": "pfr", "epsilon": 8.0, "level": "event", "k": 3, "epoch": 500,
    "domain": {"strings": 16}, "hints": LIST, "results": "public",
}  # fmt: skip


def a_task() -> Task:
    return Task("pfr", epsilon=4.0, domain=StringDomain(16, Hints.of(LIST)), k=3)


def anything(_: Task) -> None:
    """Agrees to any task."""


def send(server: RunningServer, made: dict[str, str], events: list[str], seed: int) -> None:
    """One upload of many reports, as clients would randomise them."""
    task = fetch_task(server.service, made["id"])
    version = server.service.get(api.CURRENT_BULLETIN.format(id=made["id"]))["bulletin"]
    bulletin = read_bulletin(server.service.fetch(api.BULLETIN.format(version=version), most_bytes=1 << 20), version)
    client = Randomizer(task, 8.0, SeededWords(seed))
    symbols = [client.report(event, bulletin).symbol for event in events]
    limit = scheme_of(task).symbol_limit(bulletin)
    upload = Upload.of(seed.to_bytes(16, "big"), bytes.fromhex(version), symbols, limit).encode()
    assert httpx.post(server.url + api.UPLOAD.format(write_key=made["write_key"]), content=upload).status_code == 200


def test_strings_on_the_list_and_others_are_found_through_a_real_collector(tmp_path: Path) -> None:
    """With ε = 8 and this seed. Nearly every report is the truth: a wrong order has a chance far below 10^−6."""
    drawn, digest = random.Random(1), Hints.of(LIST).digest
    with running_server(0) as server:
        made = server.service.post(api.TASKS, TERMS)
        shown = server.service.get(api.TASK.format(id=made["id"]))
        assert shown["domain"]["hints"] == {"sha256": digest, "strings": len(LIST)}
        assert server.service.fetch(api.HINTS.format(sha256=digest), most_bytes=1 << 20) == Hints.of(LIST).data
        with Reporter(
            server.url, made["id"], made["write_key"], folder=tmp_path / "r", max_epsilon=8.0, most_batch=4
        ) as reporter:
            assert all(reporter.report(drink) for drink in ("mate", "gin", "milk", "mate"))
            assert reporter.flush(PATIENCE)
            assert reporter.status().delivered == 4
        assert (tmp_path / "r" / "hints").read_bytes() == Hints.of(LIST).data
        for seed in range(1, 13):
            events = [drawn.choice(["mate"] * 5 + ["gin"] * 3 + ["milk"] * 2) for _ in range(500)]
            send(server, made, events, seed)
        top = server.service.get(api.TOP.format(id=made["id"]), k=3)
        assert top["reports"] == 6_004
        assert [line["item"] for line in top["top"]] == ["mate", "gin", "milk"]
        asked = server.service.post(api.ASK.format(id=made["id"]), {"items": ["gin", "tea", "rum"]})
        gin, tea, rum = (line["estimate"] for line in asked["items"])
        assert gin > 1_000 > tea
        assert rum == 0
        privacy = server.service.get(api.PRIVACY.format(id=made["id"]))
        assert privacy["epsilon"] == 8


def test_the_list_of_a_private_task_is_shown_to_who_takes_part_alone(tmp_path: Path) -> None:
    with live_service(tmp_path) as service:
        made = service.create(**TERMS | {"results": "token"})
        path = api.HINTS.format(sha256=Hints.of(LIST).digest)
        assert service.http.get(path).status_code == 404
        shown = service.http.get(path, headers={"authorization": f"Bearer {made.key}"})
        assert shown.content == Hints.of(LIST).data
        assert "immutable" in shown.headers["cache-control"]
        assert service.http.get(api.HINTS.format(sha256="0" * 64)).status_code == 404


def test_a_list_that_breaks_a_rule_is_refused_with_the_line(tmp_path: Path) -> None:
    with live_service(tmp_path) as service:
        for wrong, reason in (
            (["tea", "mate", "tea"], "line 3"),
            (["tea"], "must hold 2"),
            (["tea", ""], "line 2"),
            (["tea", "a string that is too long"], "at most 16 bytes"),
            ("tea", "must be a list of texts"),
        ):
            body = {**TERMS, "hints": wrong}
            answer = service.http.post(api.TASKS, json=body, headers=service.admin)
            assert answer.status_code == 400
            assert reason in answer.json()["detail"]
        numbers = {**TERMS, "domain": {"range": [0, 9]}}
        assert "unless the domain is strings" in service.http.post(api.TASKS, json=numbers, headers=service.admin).text


def test_a_collector_goes_on_with_its_list_after_a_restart(tmp_path: Path) -> None:
    with live_service(tmp_path) as service:
        made = service.create(**TERMS)
    with live_service(tmp_path) as service:
        assert service.http.get(api.HINTS.format(sha256=Hints.of(LIST).digest)).content == Hints.of(LIST).data
        assert service.http.get(f"{made.path}/certificate").status_code == 200


def test_a_list_with_other_bytes_is_refused_and_nothing_is_sent(tmp_path: Path) -> None:
    """The planted list differs in one letter."""
    task = a_task()
    with FakeCollector(task, made_bulletins(task)[0]) as collector:
        path = api.HINTS.format(sha256=Hints.of(LIST).digest)
        kind, right = collector.pages[path]
        collector.pages[path] = kind, right.replace(b"milk", b"silk")
        key = collector.expect()
        with Reporter(collector.url, task.id.hex(), key, folder=tmp_path / "r", max_epsilon=4.0) as reporter:
            reporter.report("milk")
            assert not reporter.flush(3)
            assert "must hash to its name" in str(reporter.status())
        assert collector.arrived(key) == []
        assert not (tmp_path / "r" / "hints").exists()


def test_a_list_is_fetched_once_and_then_read_from_the_disk(tmp_path: Path) -> None:
    task = a_task()
    with FakeCollector(task, made_bulletins(task)[0]) as collector:
        for _ in range(2):
            key = collector.expect()
            with Reporter(collector.url, task.id.hex(), key, folder=tmp_path / "r", max_epsilon=4.0) as reporter:
                reporter.report("milk")
                assert reporter.flush(PATIENCE)
            collector.pages.pop(api.HINTS.format(sha256=Hints.of(LIST).digest), None)


def test_a_task_above_the_ceiling_is_refused_before_its_list_is_fetched(tmp_path: Path) -> None:
    """The list is not even there. The next run knows without asking."""
    task = a_task()
    with FakeCollector(task, made_bulletins(task)[0]) as collector:
        del collector.pages[api.HINTS.format(sha256=Hints.of(LIST).digest)]
        key = collector.expect()
        for _ in range(2):
            with Reporter(collector.url, task.id.hex(), key, folder=tmp_path / "r", max_epsilon=1.0) as reporter:
                reporter.report("milk")
                reporter.flush(3)
                assert "must be at most this client's ceiling 1.0" in str(reporter.status())
            collector.pages.clear()
    assert (tmp_path / "r" / "task").read_bytes() == task.canonical


def test_a_damaged_copy_is_fetched_again(tmp_path: Path) -> None:
    task = a_task()
    (tmp_path / "task").write_bytes(task.canonical)
    file = TaskFile(Disk(), tmp_path / "task", task.id.hex())
    assert file.load(anything) is None
    (tmp_path / "hints").write_bytes(Hints.of(LIST).data[:-1])
    assert file.load(anything) is None
    (tmp_path / "hints").write_bytes(Hints.of(LIST).data)
    loaded = file.load(anything)
    assert loaded is not None
    assert loaded.hints is not None
    assert list(loaded.hints.strings) == LIST
