"""A reporter against an honest server: what it sends, what it keeps, and what it lets go of."""

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from hgldp.client import LedgerDamaged, Outcome, Pace, Reporter
from hgldp.collector.tokens import new_token
from hgldp.errors import FolderInUse, InvalidField
from hgldp.model.budget import Budget
from hgldp.model.domain import Vocabulary
from hgldp.model.task import Task
from hgldp.wire.upload import Upload
from tests.client.conftest import DRINKS, QUICK, TASK
from tests.client.hostile_server import HostileServer, answer
from tests.patience import PATIENCE, until

Make = Callable[..., Reporter]


def every_file(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_one_event_becomes_one_upload_of_64_bytes_that_answers_the_current_bulletin(
    make: Make, server: HostileServer
) -> None:
    reporter = make()
    assert reporter.report("tea") is Outcome.TAKEN
    assert reporter.flush(PATIENCE)
    (body,) = server.uploads
    upload = Upload.decode(body)
    assert len(body) == 64
    assert upload.bulletin.hex() == server.tracker.bulletin.version
    assert upload.symbols(4)[0] in range(4)
    assert reporter.status().delivered == 1
    assert reporter.spent().epsilon == Fraction(1)


def test_events_share_uploads_up_to_the_ceiling_and_the_server_counts_each_once(
    make: Make, server: HostileServer
) -> None:
    reporter = make(most_batch=8, pace=Pace(gather=60, least_renew=0.05))
    until(lambda: reporter.status().state == "ready")
    assert all(reporter.report(drink) for drink in DRINKS * 5)
    assert not server.uploads
    assert reporter.flush(PATIENCE)
    assert [Upload.decode(body).count for body in server.uploads] == [8, 8, 8, 6]
    for body in server.uploads:
        server.tracker.insert_many(Upload.decode(body).bulletin.hex(), Upload.decode(body).symbols(4))
    assert server.tracker.reports == 30


def test_the_status_says_why_the_last_upload_was_not_taken(make: Make, server: HostileServer) -> None:
    server.lies["/v1/in/"] = lambda _: answer(404)
    reporter = make()
    reporter.report("tea")
    until(lambda: reporter.status().reason == "the server answered 404: no task has this write key")
    server.lies["/v1/in/"] = lambda _: answer(409)
    until(lambda: reporter.status().reason == "the server answered 409: the task is closed")
    assert reporter.status().dropped == {"the server refused it": 1}
    del server.lies["/v1/in/"]
    reporter.report("tea")
    assert reporter.flush(PATIENCE)
    assert (reporter.status().reason, reporter.status().delivered) == ("", 1)


def test_what_was_sent_lists_exactly_what_the_server_received(make: Make, server: HostileServer) -> None:
    reporter = make()
    for drink in DRINKS:
        reporter.report(drink)
        assert reporter.flush(PATIENCE)
    listed = reporter.what_was_sent()
    assert [one.body for one in listed] == server.uploads
    assert {one.bulletin for one in listed} == {server.tracker.bulletin.version}
    assert all(one.reports == 1 and len(one.symbols) == 8 and abs(one.second - time.time()) < 60 for one in listed)
    reporter.close()
    assert make().what_was_sent() == listed


def test_the_item_is_in_no_file_no_request_no_repr_and_no_status(
    make: Make, server: HostileServer, tmp_path: Path
) -> None:
    private = "a-most-private-drink"
    task = Task("pfr", Budget(1.0), Vocabulary((*DRINKS, private, "x", "y", "z", "u", "v")), k=1, cells=8, other=True)
    server.task, server.id = task, task.id.hex()
    server.tracker = type(server.tracker)(task, seed=1)
    server.lies["/v1/in/"] = lambda _: answer(503)
    reporter = make(task_id=task.id)
    for _ in range(20):
        reporter.report(private)
    until(lambda: len(server.uploads) > 2)
    files = every_file(tmp_path)
    assert {Path(name).suffix for name in files} >= {"", ".upload"}
    assert not any(private.encode() in data for name, data in files.items() if not name.endswith("/task"))
    assert private.encode() in files["reporter/task"]  # the public vocabulary
    said = "".join(request.head + request.body.decode("latin-1") for request in server.requests)
    assert private not in said + repr(reporter) + repr(reporter.status()) + repr(reporter.what_was_sent())


def test_nothing_that_an_answer_said_is_sent_back_so_that_no_answer_marks_a_client(
    make: Make, server: HostileServer
) -> None:
    reporter = make(pace=Pace(gather=0.01, renew=0.02))
    until(lambda: len(server.requests) > 5)
    reporter.report("tea")
    assert reporter.flush(PATIENCE)
    said = "".join(request.head.lower() for request in server.requests)
    assert not any(word in said for word in ("cookie", "if-none-match", "number-7", "user-agent", "referer"))


def test_the_bulletin_is_renewed_on_a_timer_and_never_because_an_event_happened(
    make: Make, server: HostileServer
) -> None:
    reporter = make(pace=Pace(gather=0.01, renew=3600, least_renew=0.05))
    until(lambda: reporter.status().state == "ready")
    asked = [request.path for request in server.requests if request.method == "GET"]
    for drink in DRINKS:
        reporter.report(drink)
        assert reporter.flush(PATIENCE)
    assert [request.path for request in server.requests if request.method == "GET"] == asked
    assert len(asked) == 3


def test_a_new_bulletin_is_answered_after_the_next_renewal(make: Make, server: HostileServer) -> None:
    reporter = make(pace=Pace(gather=0.01, renew=0.02))
    until(lambda: reporter.status().state == "ready")
    server.tracker.seal()
    until(lambda: any(server.tracker.bulletin.version in request.path for request in server.requests))
    until(lambda: reporter._worker.agreement.agreed.bulletins._bulletin == server.tracker.bulletin)
    reporter.report("tea")
    assert reporter.flush(PATIENCE)
    assert Upload.decode(server.uploads[-1]).bulletin.hex() == server.tracker.bulletin.version


def test_events_wait_in_memory_for_the_first_bulletin(make: Make, server: HostileServer, tmp_path: Path) -> None:
    server.lies["/v1/tasks/"] = lambda _: answer(503)
    reporter = make()
    assert reporter.report("tea")
    assert reporter.report("not a drink")  # nobody knows the task yet
    until(lambda: len(server.requests) > 2)
    assert not server.uploads
    assert reporter.spent().reports == 0
    server.lies.clear()
    assert reporter.flush(PATIENCE)
    assert [Upload.decode(body).count for body in server.uploads] == [2]
    assert (reporter.status().dropped, reporter.status().as_other) == ({}, 1)
    assert reporter.report("not a drink") is Outcome.AS_OTHER


def test_the_daily_cap_is_the_stricter_one_and_holds_over_restarts(make: Make, server: HostileServer) -> None:
    task = Task("dsr", Budget(1.0), Vocabulary(DRINKS), k=2, cells=3, daily_reports=3, other=True)
    server.task, server.id, server.tracker = task, task.id.hex(), type(server.tracker)(task, seed=1)
    reporter = make(task_id=task.id, reports_per_day=50)
    until(lambda: reporter.status().state == "ready")
    assert [reporter.report("tea") for _ in range(5)] == [Outcome.TAKEN] * 3 + [Outcome.DAILY_CAP] * 2
    assert reporter.flush(PATIENCE)
    reporter.close()
    again = make(task_id=task.id, reports_per_day=50)
    assert again.report("tea") is Outcome.DAILY_CAP
    assert sum(Upload.decode(body).count for body in server.uploads) == 3
    stricter = Task("dsr", Budget(1.0), Vocabulary(DRINKS), k=2, cells=3, daily_reports=30, other=True)
    server.task, server.id, server.tracker = stricter, stricter.id.hex(), type(server.tracker)(stricter, seed=1)
    other = make(task_id=stricter.id, folder=again._worker.sent._path.parent.parent / "other", reports_per_day=2)
    for _ in range(5):
        other.report("tea")
    other.flush()
    assert sum(Upload.decode(body).count for body in server.uploads) == 3 + 2


def test_a_users_budget_ends_and_no_restart_brings_it_back(make: Make, server: HostileServer) -> None:
    task = Task("dsr", Budget(1.0, "user", 2, division="budget"), Vocabulary(DRINKS), k=2, cells=3, other=True)
    server.task, server.id, server.tracker = task, task.id.hex(), type(server.tracker)(task, seed=1)
    for _ in range(2):
        with make(task_id=task.id) as reporter:
            for _ in range(3):
                reporter.report("tea")
            reporter.flush()
    assert sum(Upload.decode(body).count for body in server.uploads) == 2
    assert reporter.spent().epsilon == 1
    assert reporter.status().dropped == {Outcome.SPENT.value: 3}


def test_an_event_beyond_the_budget_is_told_so_while_the_others_still_wait(make: Make, server: HostileServer) -> None:
    """Not that the day is over: tomorrow brings nothing back."""
    task = Task("dsr", Budget(1.0, "user", 2, division="budget"), Vocabulary(DRINKS), k=2, cells=3, other=True)
    server.task, server.id, server.tracker = task, task.id.hex(), type(server.tracker)(task, seed=1)
    reporter = make(task_id=task.id, pace=replace(QUICK, gather=60.0))
    until(lambda: reporter.status().state == "ready")
    assert [reporter.report("tea") for _ in range(4)] == [Outcome.TAKEN] * 2 + [Outcome.SPENT] * 2


def test_opting_out_deletes_everything_but_the_counts_and_lasts(
    make: Make, server: HostileServer, tmp_path: Path
) -> None:
    server.lies["/v1/in/"] = lambda _: answer(503)
    reporter = make(reports_per_day=4)
    for _ in range(3):
        reporter.report("tea")
    until(lambda: reporter.status().queued > 0)
    reporter.opt_out()
    seen = len(server.requests)
    assert set(every_file(tmp_path / "reporter")) == {"ledger", "lock"}
    assert reporter.report("tea") is Outcome.OPTED_OUT
    assert reporter.what_was_sent() == ()
    reporter.close()
    assert len(server.requests) - seen in (0, 1)  # one may have been under way
    seen = len(server.requests)
    again = make(reports_per_day=4)
    assert again.report("tea") is Outcome.OPTED_OUT
    time.sleep(0.1)
    assert len(server.requests) == seen
    server.lies.clear()
    again.opt_in()
    for _ in range(3):
        again.report("tea")
    until(lambda: again.status().state == "ready")
    again.flush()
    assert sum(Upload.decode(body).count for body in server.uploads[-1:]) == 1
    assert again.spent().reports == 4


def test_an_opt_out_that_a_crash_cut_short_is_finished_at_the_next_start(
    make: Make, server: HostileServer, tmp_path: Path
) -> None:
    server.lies["/v1/in/"] = lambda _: answer(503)
    reporter = make()
    reporter.report("tea")
    until(lambda: reporter.status().queued > 0)
    reporter._worker.ledger.opt(out=True)
    reporter.close(wait=0)
    assert make().status().queued == 0
    assert set(every_file(tmp_path / "reporter")) == {"ledger", "lock"}


def test_a_second_reporter_on_the_same_folder_is_refused_until_the_first_is_closed(make: Make) -> None:
    first = make()
    with pytest.raises(FolderInUse):
        make()
    first.close(wait=0)
    make()


def test_a_folder_of_another_task_is_refused(make: Make) -> None:
    make().close(wait=0)
    rule = r"^folder must be new, or hold the ledger of this task, got the ledger of task [0-9a-f]{12}; take another"
    with pytest.raises(InvalidField, match=rule):
        make(task_id="0" * 64)


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"task": 1}\n', b"\xff" * 9000])
def test_with_a_damaged_ledger_nothing_is_sent(
    make: Make, server: HostileServer, tmp_path: Path, damage: bytes
) -> None:
    make().close(wait=0)
    seen = len(server.requests)
    (tmp_path / "reporter" / "ledger").write_bytes(damage)
    with pytest.raises(LedgerDamaged, match="nothing is sent"):
        make()
    assert len(server.requests) == seen


def test_with_a_vanished_ledger_nothing_is_sent(make: Make, tmp_path: Path) -> None:
    make().close(wait=0)
    (tmp_path / "reporter" / "ledger").unlink()
    with pytest.raises(LedgerDamaged, match="must not vanish"):
        make()


def test_any_thread_may_report(make: Make, server: HostileServer) -> None:
    reporter = make(reports_per_day=1000, pace=QUICK)
    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(lambda number: reporter.report(DRINKS[number % 6]), range(400)))
    assert all(outcomes)
    assert reporter.flush(PATIENCE)
    assert sum(Upload.decode(body).count for body in server.uploads) == 400 == reporter.spent().reports
    assert len({Upload.decode(body).id for body in server.uploads}) == len(server.uploads)


def test_coroutines_may_report(make: Make, server: HostileServer) -> None:
    async def application() -> bool:
        async with make() as reporter:
            assert all(reporter.report(drink) for drink in DRINKS)
            return await reporter.aflush()

    assert asyncio.run(application())
    assert sum(Upload.decode(body).count for body in server.uploads) == 6


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_sends_nothing_and_takes_nothing_from_its_parent(make: Make) -> None:
    reporter = make()
    child = os.fork()
    if not child:
        quiet = reporter.report("tea") is Outcome.CLOSED and not reporter.flush()
        reporter.close()
        os._exit(0 if quiet else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with pytest.raises(FolderInUse):
        make()


def test_a_closed_reporter_takes_nothing_and_what_was_queued_is_sent_by_the_next(
    make: Make, server: HostileServer
) -> None:
    server.lies["/v1/in/"] = lambda _: answer(503)
    reporter = make()
    reporter.report("tea")
    until(lambda: bool(server.uploads))
    reporter.close(wait=0)
    assert reporter.report("tea") is Outcome.CLOSED
    server.lies.clear()
    assert make().flush(PATIENCE)
    assert len(set(server.uploads)) == 1
    assert len(server.uploads) > 1


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"url": "http://example.org"}, "url must be https"),
        ({"url": "https://me:you@example.org"}, "without user"),
        ({"url": "https://example.org/?q=1"}, "without user"),
        ({"url": "ftp://127.0.0.1"}, "url must be https"),
        ({"url": "http://127.0.0.1:70000"}, "url must be a URL"),
        ({"url": "http://127.0.0.1/a b"}, "path of letters"),
        ({"url": "http://127.0.0.1.example.org"}, "url must be https"),
        ({"url": 8080}, "url must be a text such as https://example.org, got int"),
        ({"url": "https://exa mple.org"}, "url must be a URL .*, got 'https://exa mple.org'"),
        ({"task_id": "ABC"}, "task_id must be 64 lower-case hexadecimal digits, got 'ABC'"),
        ({"task_id": "0" * 64 + "\n"}, "task_id must be 64"),
        ({"task_id": bytes(31)}, "task_id must be 64"),
        ({"task_id": "k" * 43}, r"task_id must be 64 .*, got what may be a write key \(withheld\)"),
        ({"task_id": 7}, "task_id must be 64 .*, got 7"),
        ({"write_key": "../tasks"}, r"write_key must be 43 .*, got 8 characters \(withheld\)"),
        ({"write_key": "a\r\nb"}, "write_key must be"),
        ({"write_key": "k" * 42}, "write_key must be 43 .*, got 42"),
        ({"write_key": "k" * 44}, "write_key must be 43 .*, got 44"),
        ({"write_key": "k" * 43 + "\n"}, "write_key must be 43 .*, got 44"),
        ({"write_key": "k" * 42 + "/"}, "write_key must be 43 letters, digits, - and _"),
        ({"write_key": b"k" * 43}, "write_key must be a text, got bytes"),
        ({"max_epsilon": float("nan")}, "max_epsilon must be finite"),
        ({"max_epsilon": "2"}, "max_epsilon must be finite and above 0, got '2'"),
        ({"max_epsilon": True}, "max_epsilon must be finite"),
        ({"reports_per_day": -1}, "reports_per_day must be"),
        ({"accepted": frozenset({"raw"})}, "accepted must be .*, got 'raw'"),
        ({"accepted": frozenset({"pfr", "ddsr"})}, r"accepted must be .*, got 'ddsr'; did you mean dsr\?"),
        ({"accepted": frozenset({7})}, "accepted must be .*, got 7"),
        ({"accepted": ["pfr"]}, r"accepted must be a set .*, got \['pfr'\]"),
        ({"most_batch": 0}, "most_batch must be"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_at_once_without_a_folder(
    make: Make, tmp_path: Path, wrong: dict[str, object], rule: str
) -> None:
    with pytest.raises(InvalidField, match=rule) as refused:
        make(**wrong)
    assert not list(tmp_path.iterdir())
    assert "you@" not in str(refused.value)
    assert "kkk" not in str(refused.value)


def test_a_write_key_that_a_collector_made_is_taken(make: Make) -> None:
    reporter = make(write_key=new_token(os.urandom))
    assert reporter.report("tea")


def test_the_names_of_accepted_schemes_may_be_in_capitals(make: Make, server: HostileServer) -> None:
    reporter = make(accepted=frozenset({"DSR", "Pfr"}))
    assert reporter.report("tea")
    assert reporter.flush(PATIENCE)
    assert len(server.uploads) == 1


def test_reports_are_taken_even_when_the_server_is_not_there(make: Make) -> None:
    reporter = make(url="http://127.0.0.1:9", pace=Pace(most_waiting=100))
    outcomes = [reporter.report("tea") for _ in range(200)]
    assert outcomes == [Outcome.TAKEN] * 100 + [Outcome.FULL] * 100
    assert TASK.id


def test_a_key_of_another_task_is_told_from_a_server_that_is_down(make: Make, server: HostileServer) -> None:
    server.lies["/v1/tasks/"] = lambda _: answer(404)
    reporter = make()
    until(lambda: "the task is gone, or the write key is not its own (status 404)" in reporter.status().reason)
