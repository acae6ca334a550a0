"""`hgldp check --certificate`: from a collector, from files, and for every scheme."""

import json
from fractions import Fraction
from itertools import chain, repeat
from pathlib import Path

import pytest

from hgldp.checks.certificate import certificate, hot_lists
from hgldp.model.task import Task
from tests.checks.certificate.made import accepted, changed_certificates
from tests.cli.conftest import run
from tests.client.hostile_server import HostileServer
from tests.collector.live_service import NUMBERS, WORDS, Service

pytestmark = pytest.mark.usefixtures("tokens")
Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("settings", [WORDS, NUMBERS], ids=["words", "numbers"])
def test_the_certificate_of_a_collectors_task_holds(
    service: Service, settings: dict[str, object], capsys: Capture
) -> None:
    made = service.create(**{**settings, "name": f"Certified {settings['name']}"})
    for task in (made.id, f"Certified {settings['name']}"):
        code, out, err = run(capsys, "check", "--certificate", "--url", service.url, "--task", task, "--json")
        assert (code, err) == (0, "")
        (found,) = json.loads(out)
        assert found["passed"] is True
        assert found["name"] == settings["scheme"]
        assert found["exact_epsilon"] <= found["epsilon"] == settings["epsilon"]


def test_a_certificate_without_end_is_not_read_on(capsys: Capture) -> None:
    server = HostileServer(Task("bgr", epsilon=1.0, domain=range(9), k=2))
    try:
        server.lies[f"/v1/tasks/{server.id}/certificate"] = lambda _: chain(
            [b"HTTP/1.1 200 OK\r\nContent-Length: 9000000000\r\n\r\n"], repeat(b" " * (1 << 16))
        )
        code, _, err = run(capsys, "check", "--certificate", "--url", server.url, "--task", server.id)
    finally:
        server.close()
    assert code == 2
    assert "broke off (more than 1048576 bytes)" in err


def files(folder: Path, data: bytes, task: Task) -> list[str]:
    (folder / "certificate").write_bytes(data)
    (folder / "document").write_bytes(task.canonical)
    return ["check", "--certificate", str(folder / "certificate"), "--document", str(folder / "document")]


def test_each_of_two_hundred_certificates_with_one_number_changed_is_refused(tmp_path: Path, capsys: Capture) -> None:
    seen = 0
    for task, place, change, data in changed_certificates(200, seed=4):
        code, out, _ = run(capsys, *files(tmp_path, data, task), "--json")
        assert code == 1, (task.scheme, place, change)
        assert json.loads(out)[0]["failures"]
        assert not accepted(data, task)
        seen += 1
    assert seen == 200


def test_the_table_says_which_number_is_wrong(tmp_path: Path, capsys: Capture) -> None:
    task = Task("bgr", epsilon=1.0, domain=range(9), k=2)
    code, out, _ = run(
        capsys, *files(tmp_path, certificate(task).replace(b'"certificate":1', b'"certificate":2'), task)
    )
    assert code == 1
    assert "REFUSED" in out
    assert "bgr, ε = 1: certificate must be 1, got 2" in out
    code, out, _ = run(capsys, *files(tmp_path, certificate(task), task))
    assert code == 0
    assert "it holds" in out


def test_every_scheme_is_certified_without_a_collector(capsys: Capture) -> None:
    code, out, _ = run(capsys, "check", "--certificate", "--epsilon", "1", "--json")
    assert code == 0
    names = [each["name"] for each in json.loads(out)]
    assert names == [
        "bgr", "dsr", "bdr", "bdr (printed split)", "cnr", "cnr (printed split)", "pfr", "pfr (strings)", "pfr (hints)",
    ]  # fmt: skip


def test_a_law_that_is_not_the_channels_breaks_the_command(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hot_lists, "LOOKOUT", Fraction(1, 11))
    code, out, _ = run(capsys, "check", "--certificate", "--scheme", "dsr", "--epsilon", "1")
    assert code == 1
    assert "item 0 has another row than a cold one" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--certificate", "FILE"], "document must be given together with --certificate FILE"),
        (["--certificate", "--document", "FILE"], "--document must be given together with --certificate FILE"),
        (["--certificate", "FILE", "--document", "gone"], "--document must be a file that can be read, got gone (No"),
        (["--certificate", "FILE", "--task", "Drinks"], "--task must be left out where a certificate is in a file"),
        (["--task", "Drinks"], "--task must be given together with --certificate"),
        (["--certificate", "--scheme", "grr"], "--scheme must be all or one of bgr, dsr, bdr, cnr, pfr, got grr"),
    ],
)
def test_a_wrong_use_is_refused(words: list[str], told: str, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "FILE").write_bytes(b"{}")
    code, _, err = run(capsys, "check", *(str(tmp_path / "FILE") if each == "FILE" else each for each in words))
    assert code == 2
    assert told in err
