"""The public class: what a web server's code meets."""

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from hgldp.cli.commands.demo.server import running_server
from hgldp.client import FolderInUse, LedgerDamaged, Outcome, Pace, People, Reporter
from hgldp.client.people.uploads import Uploads
from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.domain import Vocabulary
from hgldp.model.task import Task
from hgldp.wire.upload import Upload
from tests.client.conftest import TASK
from tests.client.hostile_server import HostileServer, answer
from tests.free_port import free_port
from tests.patience import PATIENCE, until

QUICK = Pace(gather=0.01, first_retry=0.02, longest_retry=0.05, timeout=0.5, deadline=1.0, least_renew=0.05)
Make = Callable[..., People]


@pytest.fixture
def people(server: HostileServer, tmp_path: Path) -> Iterator[Make]:
    made: list[People] = []

    def one(**options: object) -> People:
        terms = {"folder": tmp_path / "people", "max_epsilon": 1.0, "pace": QUICK} | options
        task = terms.pop("task_id", server.id)
        made.append(People(server.url, task, "k" * 43, **terms))
        return made[-1]

    yield one
    for each in made:
        each.close(wait=0)


def symbols(server: HostileServer) -> int:
    return sum(Upload.decode(body).count for body in set(server.uploads))


def test_reports_of_several_people_leave_together_and_each_ledger_knows_its_own(
    people: Make, server: HostileServer
) -> None:
    one = people(pace=Pace(gather=60, least_renew=0.05))
    assert one.report("ann", "tea") is Outcome.TAKEN
    assert one.report("ann", "gin") is Outcome.TAKEN  # the task is not known yet
    assert one.report("bob", "mate") is Outcome.TAKEN
    assert one.flush(PATIENCE)
    assert [Upload.decode(body).count for body in server.uploads] == [3]
    assert (one.spent("ann").reports, one.spent("bob").reports, one.spent("cem").reports) == (2, 1, 0)
    assert {each.upload for name in ("ann", "bob") for each in one.what_was_sent(name)} == {
        Upload.decode(server.uploads[0]).id.hex()
    }
    assert one.report("ann", "gin") is Outcome.AS_OTHER
    assert one.status().as_other == 1


def test_with_batches_of_one_no_upload_holds_two_reports(people: Make, server: HostileServer) -> None:
    one = people(most_batch=1)
    for name in ("ann", "bob", "ann"):
        one.report(name, "tea")
    assert one.flush(PATIENCE)
    assert [Upload.decode(body).count for body in server.uploads] == [1, 1, 1]


@pytest.mark.parametrize(
    ("task", "terms", "said", "outcome"),
    [
        (TASK, {"reports_per_day": 2}, "2 reports in 24 hours is reached (reports_per_day)", Outcome.DAILY_CAP),
        (TASK, {"max_total_epsilon": 2.0}, "ε = 2, which is spent (max_total_epsilon)", Outcome.SPENT),
        (
            Task("dsr", Budget(1.0), TASK.domain.base, k=2, cells=3, other=True, daily_reports=2),
            {},
            "2 reports in 24 hours is reached (the task's daily_reports)",
            Outcome.DAILY_CAP,
        ),
        (
            Task("dsr", Budget(1.0, "user", events=2, division="budget"), TASK.domain.base, k=2, cells=3, other=True),
            {},
            "2 reports at the level user",
            Outcome.SPENT,
        ),
    ],
)
def test_the_limit_that_was_reached_is_named(
    task: Task, terms: dict[str, object], said: str, outcome: Outcome, tmp_path: Path
) -> None:
    server = HostileServer(task)
    try:
        common = {"max_epsilon": 1.0, "pace": Pace(gather=0, take_over=0)} | terms
        reporter = Reporter(server.url, server.id, "k" * 43, folder=tmp_path / "one", **common)
        with reporter, People(server.url, server.id, "k" * 43, folder=tmp_path / "many", **common) as many:
            for _ in range(2):
                assert reporter.report("tea")
                assert many.report("ann", "tea")
                assert (reporter.flush(PATIENCE), many.flush(PATIENCE)) == (True, True)
            assert reporter.report("tea") is many.report("ann", "tea") is outcome
            assert said in reporter.status().cap
            assert said in reporter.status().reason
            assert reporter.status().state == "ready"
            assert said in many.cap("ann")
            assert many.cap("bob") == ""
    finally:
        server.close()


def test_a_limit_that_is_not_reached_is_not_named(server: HostileServer, tmp_path: Path) -> None:
    common = {"folder": tmp_path, "max_epsilon": 1.0, "pace": Pace(gather=60), "reports_per_day": 2}
    with Reporter(server.url, server.id, "k" * 43, **common) as reporter:
        reporter.report("tea")
        assert reporter.flush(PATIENCE)
        assert reporter.status().cap == reporter.status().reason == ""
        assert reporter.report("tea")  # it waits for the next tick, and no other may
        assert reporter.report("tea") is Outcome.DAILY_CAP
        assert "reports_per_day" in reporter.status().cap


def test_opting_out_deletes_what_waits_and_holds_in_all_workers(people: Make, server: HostileServer) -> None:
    slow = Pace(gather=60, least_renew=0.05)
    one, two = people(pace=slow), people(pace=slow)
    assert one.report("ann", "tea")
    assert one.flush(PATIENCE)
    assert one.report("ann", "tea")
    assert two.report("ann", "tea")
    two.opt_out("ann")
    assert one.opted_out("ann")
    assert one.report("ann", "tea") is two.report("ann", "tea") is Outcome.OPTED_OUT
    assert one.what_was_sent("ann") == ()
    one.opt_in("ann")
    assert one.flush(PATIENCE)
    two.flush(1)
    assert one.spent("ann").reports == 1
    assert one.report("ann", "tea")


def test_an_upload_with_a_person_who_opted_out_is_not_sent_again(people: Make, server: HostileServer) -> None:
    server.lies["/v1/in/"] = lambda request: answer(503)
    one = people()
    assert one.report("ann", "tea")
    assert one.report("bob", "tea")
    until(lambda: server.uploads)
    one.opt_out("ann")
    sent = len(server.uploads)
    time.sleep(0.3)
    assert len(server.uploads) <= sent + 1  # one may have been under way; sent again, it would come ten times
    assert one.status().queued == 0
    assert one.status().dropped["opted out"] == 1  # bob's, which was in it
    assert len(one.what_was_sent("bob")) == 1


def test_an_upload_that_never_left_goes_without_a_person_who_opted_out(
    people: Make, server: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = people()
    with monkeypatch.context() as away:
        away.setattr(Uploads, "left_at", lambda self, upload: (_ for _ in ()).throw(OSError("away")))
        assert one.report("ann", "tea")
        assert one.report("bob", "tea")
        until(lambda: one._live[0].database.read("SELECT 1 FROM uploads"))
        one.opt_out("ann")
    assert one.flush(PATIENCE)
    assert symbols(server) == 1
    assert len(one.what_was_sent("bob")) == 1


@pytest.mark.parametrize("level", ["event", "period"])
def test_no_file_and_no_request_holds_a_person_or_an_item(level: str, tmp_path: Path) -> None:
    task = Task("dsr", Budget(1.0, level), Vocabulary(("chamomile", "peppermint")), k=1, cells=1, other=True)
    server = HostileServer(task)
    try:
        with People(server.url, server.id, "k" * 43, folder=tmp_path, max_epsilon=1.0, pace=QUICK) as one:
            for item in ("chamomile", "peppermint", "rosehip"):
                assert one.report("ann@example.org", item)
                one.flush(PATIENCE)
            database = one._live[0].database
            assert database.read("SELECT count(*) FROM people") == [(1,)]
            files = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "task"]  # it lists them
            found = b"".join(path.read_bytes() for path in files)
        found += b"".join(one.head.encode() + one.body for one in server.requests)
    finally:
        server.close()
    assert len(found) > 10_000
    words = (b"ann@exam", b"example.org", b"chamomile", b"peppermint", b"rosehip")
    assert not [word for word in words if word in found]


def test_names_of_people_are_refused_without_repeating_them(people: Make) -> None:
    one = people()
    for person in ("", None, 7, b"ann"):
        with pytest.raises(InvalidField, match="withheld"):
            one.report(person, "tea")


def test_a_folder_belongs_to_one_task_and_is_none_of_a_reporter(people: Make, server: HostileServer) -> None:
    one = people()
    one.close()
    folder = one._folder
    with pytest.raises(InvalidField, match="must be new, or hold the ledgers of this task"):
        people(task_id="0" * 64)
    with pytest.raises(LedgerDamaged):
        Reporter(server.url, server.id, "k" * 43, folder=folder, max_epsilon=1.0)
    with Reporter(server.url, server.id, "k" * 43, folder=folder / "device", max_epsilon=1.0):
        pass
    with pytest.raises(InvalidField, match="the folder of a Reporter"):
        people(folder=folder / "device")


def test_a_database_that_is_gone_or_damaged_is_noticed(people: Make) -> None:
    one = people()
    one.close()
    path = one._folder / "people.db"
    path.write_bytes(b"this is no database, but it is long enough to be taken for one " * 100)
    with pytest.raises(LedgerDamaged):
        people()
    path.unlink()
    with pytest.raises(LedgerDamaged, match="must not vanish"):
        people()


def test_a_database_that_was_replaced_under_a_worker_breaks_it(people: Make) -> None:
    one = people(pace=Pace(gather=0))
    assert one.report("ann", "tea")
    assert one.flush(PATIENCE)
    path = one._folder / "people.db"
    path.rename(path.with_name("moved.db"))
    path.write_bytes(b"")
    until(lambda: one.report("ann", "tea") is Outcome.BROKEN)
    assert one.status().state == "broken"


def test_closed_people_take_nothing(people: Make) -> None:
    one = people()
    one.close()
    assert one.report("ann", "tea") is Outcome.CLOSED
    assert one.status().state == "closed"


FORKING = """
import os, sys
from hgldp.client import People, Pace
url, task, folder = sys.argv[1:]
people = People(url, task, "k" * 43, folder=folder, max_epsilon=1.0, reports_per_day=4, pace=Pace(gather=0))
if sys.argv[0] and os.environ.get("USED"):
    people.report("ann", "tea"), people.flush(60)
child = os.fork()
for _ in range(3):
    people.report("ann", "tea")
    people.flush(60)
if child:
    os.waitpid(child, 0)
    people.flush(60)
    print(people.spent("ann").reports, people.sends, people.status().queued)
people.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("used", ["", "before the fork"])
def test_it_may_be_made_before_a_server_forks_its_workers(used: str, server: HostileServer, tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORKING, server.url, server.id, str(tmp_path / "people")]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=os.environ | {"USED": used}
    )
    assert done.stdout == "4 True 0\n", done.stderr
    assert symbols(server) == 4


HOLDING = """
import sys, time
from hgldp.client import Reporter
url, task, folder, seconds = sys.argv[1:]
reporter = Reporter(url, task, "k" * 43, folder=folder, max_epsilon=1.0)
print("holds", flush=True)
time.sleep(float(seconds))
"""


def test_a_reporter_waits_for_a_process_that_is_about_to_end(server: HostileServer, tmp_path: Path) -> None:
    """As under a reloader: the new process starts while the old one ends."""
    command = [sys.executable, "-c", HOLDING, server.url, server.id, str(tmp_path), "1.0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as old:
        assert old.stdout is not None
        assert old.stdout.readline() == "holds\n"
        with Reporter(
            server.url, server.id, "k" * 43, folder=tmp_path, max_epsilon=1.0, pace=Pace(take_over=PATIENCE)
        ) as new:
            assert new.report("tea")


def test_a_reporter_in_a_second_worker_says_what_to_do(server: HostileServer, tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDING, server.url, server.id, str(tmp_path), "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "holds\n"
        try:
            with pytest.raises(FolderInUse, match=r"hgldp\.client\.People.*reloader"):
                Reporter(server.url, server.id, "k" * 43, folder=tmp_path, max_epsilon=1.0, pace=Pace(take_over=0.1))
        finally:
            other.kill()


APP = """
from hgldp.client import Reporter
VERSION = "{version}"
reporter = Reporter("{url}", "{task}", "{key}", folder="{folder}", max_epsilon=1.0)


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    text = f"{{VERSION}} {{reporter.report('tea').name}}" if scope["path"] == "/report" else VERSION
    await send({{"type": "http.response.start", "status": 200, "headers": []}})
    await send({{"type": "http.response.body", "body": text.encode()}})
"""


def test_a_reporter_outlives_a_reload_of_uvicorn(server: HostileServer, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    port = free_port()
    terms = {"url": server.url, "task": server.id, "key": "k" * 43, "folder": tmp_path / "device"}
    source = tmp_path / "code"
    source.mkdir()
    (source / "shop.py").write_text(APP.format(version="first", **terms))
    command = [sys.executable, "-m", "uvicorn", "shop:app", "--reload", "--port", str(port), "--log-level", "warning"]
    with subprocess.Popen(command, cwd=source, stderr=subprocess.PIPE, text=True) as uvicorn:
        try:
            until(lambda: asked(port, "/report") == "first TAKEN")
            time.sleep(1)  # uvicorn overlooks a change that comes before its first look at the file
            (source / "shop.py").write_text(APP.format(version="second", **terms))
            until(lambda: asked(port, "/") == "second")
            until(lambda: asked(port, "/report") == "second TAKEN")
        finally:
            uvicorn.terminate()
            _, said = uvicorn.communicate(timeout=PATIENCE)
            print(said)  # so that a failure shows it
    assert "FolderInUse" not in said


def asked(port: int, path: str) -> str:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        return connection.getresponse().read().decode()
    except OSError:
        return ""
    finally:
        connection.close()


def test_the_list_of_what_was_sent_keeps_the_latest(people: Make, server: HostileServer) -> None:
    one = people(pace=Pace(gather=0, most_listed=3))
    for _ in range(5):
        assert one.report("ann", "tea")
        assert one.flush(PATIENCE)
    sent = [Upload.decode(body).id.hex() for body in server.uploads]
    assert [each.upload for each in one.what_was_sent("ann")] == sent[-3:]
    assert one.spent("ann").reports == 5


def test_a_report_waits_for_nobody_who_writes(people: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hgldp.client.people.database.BUSY_SECONDS", 2 * PATIENCE)
    one = people(pace=Pace(gather=60, least_renew=0.05))
    assert one.report("ann", "tea")
    assert one.flush(PATIENCE)
    writer = sqlite3.connect(one._folder / "people.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    assert one.report("ann", "tea")
    assert one.spent("ann").reports == 1
    assert time.monotonic() - started < PATIENCE  # a writer would wait for twice that
    writer.execute("ROLLBACK")
    writer.close()


def test_reports_of_many_people_reach_a_real_collector_and_each_counts_once(tmp_path: Path) -> None:
    terms = {"name": "Drinks", "scheme": "dsr", "epsilon": 1.0, "level": "event", "k": 2, "results": "public"}
    with running_server(0) as collector:
        made = collector.service.post("/v1/tasks", terms | {"domain": {"words": ["tea", "coffee", "mate", "milk"]}})
        with People(collector.url, made["id"], made["write_key"], folder=tmp_path, max_epsilon=1.0) as one:
            assert all(one.report(f"person {number % 50}", "tea") for number in range(150))
            assert one.flush(PATIENCE)
            assert [one.spent(f"person {number}").reports for number in range(50)] == [3] * 50
        assert collector.service.get(f"/v1/tasks/{made['id']}/top", k=2)["reports"] == 150
