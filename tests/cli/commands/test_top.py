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
        assert ("Started cold: estimates of survivors are too high" in screen.getvalue()) is cold


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


@pytest.mark.parametrize(
    ("epoch", "reports", "ends", "told"),
    [
        (0, 31, [], "ask for 16 reports or more."),
        (2, 80, [40, 80], "ask for 20 reports or more."),
        (3, 1_095, [40, 95], "ask for 500 reports or more."),
        (3, 5_095, [40, 95], "ask for a larger one."),
    ],
)
def test_a_window_that_is_too_small_is_told_how_large_it_must_be(
    epoch: int, reports: int, ends: list[int], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the first epoch, between two, in a later one; and where the epoch is older than its place."""
    answer = {"scheme": "pfr", "epoch": epoch, "reports": reports, "window": 3, "covered": 0, "top": []}

    class Fake:
        def get(self, path: str, first: int = 0, window: int = 0) -> object:
            if path.endswith("/history"):
                assert first == max(0, epoch - 2)
                return {"epochs": [{"reports": end} for end in ends]}
            return {"covered": 9 if window < 2_000 else 0}

    least = top_command._least_window(Fake(), "0" * 64, answer)  # type: ignore[arg-type]
    Console(width=100).print(top_command.table_of(answer, least))
    assert f"No whole epoch fits into this window: {told}" in capsys.readouterr().out


def test_the_collector_agrees_on_how_large_a_window_must_be(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, file = create(service, capsys, "--half-life", "778"), tmp_path / "events.txt"
    file.write_text("7\n" * 20, encoding="utf-8")
    words = ("--url", service.url, "--task", made["id"])
    assert run(capsys, "report", str(file), *words, "--key", made["write_key"], "--max-epsilon", "4")[0] == 0
    assert "ask for 10 reports or more." in run(capsys, "top", *words, "--window", "9")[1]
    assert json.loads(run(capsys, "top", *words, "--window", "10", "--json")[1])["covered"] == 20
