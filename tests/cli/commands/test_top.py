"""`hgldp top`: what a task found, as people see it."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from hgldp.cli.commands.top import run as top_command
from hgldp.cli.service import Service as Caller
from hgldp.cli.service import Unreachable
from tests.cli.conftest import create, run
from tests.collector.live_service import Service

pytestmark = pytest.mark.usefixtures("tokens")


def test_what_may_be_noise_is_dim_and_explained() -> None:
    line = {"rank": 1, "item": "tea", "estimate": 9, "low": 1, "high": 19, "rank_change": 0}
    answer = {"scheme": "pfr", "epoch": 0, "reports": 99, "window": None, "covered": 99}
    for error, since, dim in ((5.0, 9, True), (2.25, 9, True), (2.24, 9, False), (2.24, 0, True), (None, 9, False)):
        table = top_command.table_of({**answer, "top": [{**line, "standard_error": error, "since": since}]})
        screen = io.StringIO()
        Console(file=screen, force_terminal=True, width=100, highlight=False).print(table)
        shown = screen.getvalue()
        (row,) = (each for each in shown.splitlines() if "tea" in each)
        assert ("\x1b[2m" in row) is dim
        assert ("may be noise" in shown) is dim


def test_a_hot_list_of_a_collector_says_that_it_started_cold() -> None:
    line = {"rank": 1, "item": "tea", "estimate": 9, "low": 1, "high": 19, "rank_change": 0}
    line |= {"standard_error": 1.0, "since": 9}
    for scheme, cold in (
        ("bgr", True),
        ("dsr", True),
        ("bdr", True),
        ("cnr", True),
        ("pfr", False),
        ("unknown here", False),
    ):
        answer = {"scheme": scheme, "epoch": 0, "reports": 99, "covered": 99, "window": None, "top": [line]}
        screen = io.StringIO()
        Console(file=screen, width=100).print(top_command.table_of(answer))
        assert ("Started cold: what came before an item was admitted" in screen.getvalue()) is cold


def test_watching_goes_on_while_the_collector_is_away(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Away at the second look, there at the third, Ctrl-C at the fourth."""
    made, looks = create(service, capsys, "--half-life", "777"), iter(range(100))
    real = Caller.get

    def sometimes(self: Caller, path: str, **query: object) -> object:
        look = next(looks)
        if look == 1:
            raise Unreachable("no collector answers")
        if look == 3:
            raise KeyboardInterrupt
        return real(self, path, **query)

    monkeypatch.setattr(top_command.Service, "get", sometimes)
    code, out, _ = run(capsys, "top", "--url", service.url, "--task", made["id"], "--watch", "--every", "0.01")
    assert code == 130
    assert next(looks) == 4
    assert "Epoch 0, 0 reports" in out


def test_a_window_that_is_too_small_is_told_so(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, file = create(service, capsys, "--half-life", "778"), tmp_path / "events.txt"
    file.write_text("7\n" * 20, encoding="utf-8")
    words = ("--url", service.url, "--task", made["id"])
    assert run(capsys, "report", str(file), *words, "--key", made["write_key"], "--max-epsilon", "4")[0] == 0
    told = "No whole epoch fits into this window: ask for a larger one, of at most 20 reports."
    assert told in run(capsys, "top", *words, "--window", "9")[1]
    assert json.loads(run(capsys, "top", *words, "--window", "20", "--json")[1])["covered"] == 20


def test_the_task_may_be_given_alone_or_after_its_option(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    made, url = create(service, capsys, "--half-life", "779"), ("--url", service.url)
    for command, last in (("top", "--json"), ("export", "--format=json")):
        told = run(capsys, command, *url, "--task", made["id"], last)
        assert told[0] == 0
        for words in ((made["id"], *url, last), (*url, last, made["id"]), (*url, made["id"], last)):
            assert run(capsys, command, *words) == told


def test_a_look_must_come_again_some_time(capsys: pytest.CaptureFixture[str]) -> None:
    for seconds in ("0", "-1", "nan", "inf"):
        code, _, err = run(capsys, "top", "--task", "x", "--watch", f"--every={seconds}")
        assert (code, "--every must be a number of seconds above 0" in err) == (2, True)
