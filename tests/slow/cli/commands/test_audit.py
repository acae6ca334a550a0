"""`hgldp audit` as it is typed."""

import json
import sys
from functools import partial
from pathlib import Path

import pytest

from hgldp.audit import steered_audit
from hgldp.model.bulletins import Bulletin
from hgldp.model.task import Task
from tests.cli.conftest import create, run
from tests.collector.live_service import Service

Capture = pytest.CaptureFixture[str]
CLIENT = [sys.executable, str(Path(__file__).parents[2] / "audit" / "subjects" / "line_client.py")]
STRINGS = Task("pfr", epsilon=1.0, domain=16, k=5)
LISTED = Task("dsr", epsilon=1.0, domain=["tea", "mate", "milk", "juice"], k=1, cells=2)


def file_of(folder: Path, task: Task) -> str:
    path = folder / "task.json"
    path.write_bytes(task.canonical)
    return str(path)


def test_our_own_client_is_audited_without_a_command(tmp_path: Path, capsys: Capture) -> None:
    """A fixed seed, and an error rate of 1e-6."""
    words = ("--task", file_of(tmp_path, STRINGS), "--draws", "12000", "--seed", "1", "--error", "1e-6")
    code, out, err = run(capsys, "audit", *words)
    assert (code, err) == (0, "")
    assert "verdict     nothing found\nε           at least 0." in out
    assert "error rate  at most 1e-06, for all comparisons together; 12,000 draws" in out
    assert "power       finds with a chance of 95 %: spending of 1." in out
    found = json.loads(run(capsys, "audit", *words, "--json")[1])
    assert found["passed"]
    assert found["claim"] == 1.0
    assert 0.2 < found["spends_at_least"] < 1 < found["found_from"]
    assert {each["view"] for each in found["audits"][0]["comparisons"]} >= {"spends", "absence", "length"}


def test_a_smaller_claim_is_refuted(tmp_path: Path, capsys: Capture) -> None:
    words = ("--task", file_of(tmp_path, STRINGS), "--draws", "12000", "--seed", "1", "--claim", "0.1")
    code, out, _ = run(capsys, "audit", *words)
    assert code == 1
    assert "LEAKS: " in out
    assert "where 0.1 is claimed" in out


def test_steered_the_result_is_exact(tmp_path: Path, capsys: Capture) -> None:
    words = ("audit", "--task", file_of(tmp_path, STRINGS), "--steered")
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, "")
    assert "leaf/leaf          0.14%         0.05%  0.999999999954        1  ✓" in out
    assert "verdict     spends no more than it claims on these pairs" in out
    found = json.loads(run(capsys, *words, "--json")[1])
    assert (found["passed"], found["claim"]) == (True, 1.0)
    assert {each["ratio"] for each in found["audits"][0]["comparisons"]} == {"5837465777/2147483648", "1"}
    code, out, _ = run(capsys, *words, "--claim", "0.9999999999")
    assert code == 1
    assert "leaf/leaf: spends 0.999999999954 where 0.9999999999 is claimed" in out


def test_a_silent_client_behind_a_command_can_be_steered(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hgldp.cli.commands.audit.run.steered_audit", partial(steered_audit, checks=100))
    (tmp_path / "bulletin").write_bytes(Bulletin(LISTED.id, 3, 4, (1, 2)).canonical)
    words = ("--task", file_of(tmp_path, LISTED), "--bulletin", str(tmp_path / "bulletin"), "--steered")
    code, _, err = run(capsys, "audit", *words, "--draws", "300", "--", *CLIENT, "silent")
    assert code == 2
    assert "the client's draws cannot be followed with the 300 runs that are left" in err
    code, out, _ = run(capsys, "audit", *words, "--claim", "0.5", "--", *CLIENT, "silent")
    assert code == 1
    assert "inside/outside: one of them sends what the other never sends" in out
    assert "inside/outside: the number of uploads or reports differs" in out


def test_a_silent_client_behind_a_command_ends_with_exit_code_1(tmp_path: Path, capsys: Capture) -> None:
    words = ("--task", file_of(tmp_path, LISTED), "--draws", "2000", "--", *CLIENT, "silent")
    code, out, _ = run(capsys, "audit", *words)
    assert code == 1
    assert "inside/outside: one of them sends nothing more often" in out
    assert "Cold reports name nothing" in out
    assert "Cold reports name their item" in out


def test_one_bulletin_may_be_given_and_items_from_outside_left_out(tmp_path: Path, capsys: Capture) -> None:
    """Honest inside the domain; an error rate of 1e-6."""
    (tmp_path / "bulletin").write_bytes(Bulletin(LISTED.id, 3, 4, (1, 2)).canonical)
    words = ("--task", file_of(tmp_path, LISTED), "--bulletin", str(tmp_path / "bulletin"), "--inside-only")
    code, out, _ = run(capsys, "audit", *words, "--draws", "2000", "--error", "1e-6", "--", *CLIENT, "silent")
    assert (code, "inside/outside" in out) == (0, False)


def test_a_task_of_a_running_collector_is_audited_against_its_bulletin(
    service: Service, capsys: Capture, tokens: None
) -> None:
    """A fixed seed, and an error rate of 1e-6."""
    made = create(service, capsys)
    words = ("--task", made["id"], "--url", service.url, "--draws", "2000", "--seed", "1", "--error", "1e-6", "--json")
    code, out, _ = run(capsys, "audit", *words, "--inside-only")
    found = json.loads(out)
    assert (code, found["task"]) == (0, made["id"])
    current = service.http.get(f"/v1/tasks/{made['id']}/bulletin").json()
    assert [each["bulletin"] for each in found["audits"]] == [current["bulletin"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--collector",), "COMMAND must be given with --collector, got none"),
        (("--seed", "1", "--", "client"), "--seed must be left out: a client behind a command draws by itself"),
        (("--draws", "5"), "--draws must be"),
        (("--steered", "--seed", "1"), "--seed must be left out with --steered"),
        (("--steered", "--error", "0.1"), "--error must be left out with --steered"),
        (("--steered", "--collector", "--", "client"), "--collector must be left out with --steered"),
        (("--error", "0"), "--error must lie between 0 and 1"),
        (("--bulletin", "no such file"), "--bulletin must be a file that can be read"),
        (("--", "/no/such/client"), "must be a program that can be started, got /no/such/client"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, capsys: Capture, words: tuple[str, ...], said: str) -> None:
    code, out, err = run(capsys, "audit", "--task", file_of(tmp_path, STRINGS), *words)
    assert (code, out) == (2, "")
    assert said in err


def test_a_bulletin_of_another_shape_is_refused(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "bulletin").write_bytes(Bulletin(LISTED.id, 3, 4, (1,)).canonical)
    words = ("--task", file_of(tmp_path, LISTED), "--bulletin", str(tmp_path / "bulletin"))
    code, _, err = run(capsys, "audit", *words)
    assert code == 2
    assert "bulletin must list 2 of 4 items, got 1 of 4" in err
