"""A terminal that is the same everywhere, a collector to talk to, and the command as it is typed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hgldp.cli import main
from tests.collector.live_service import ADMIN, Service, live_service


@pytest.fixture(autouse=True)
def _one_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HGLDP_TOKEN", ADMIN)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("HGLDP_WRITE_KEY", raising=False)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(list(words))
    return code, *capsys.readouterr()


def create(service: Service, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, str]:
    words = ("--name", "Pages", "--scheme", "pfr", "--epsilon", "4", "--range", "0", "50", "--k", "3", "--epoch", "400")
    if "--results" not in more:
        words = (*words, "--results", "public")
    if "--level" not in more:
        words = (*words, "--level", "event")
    code, out, _ = run(capsys, "task", "create", "--url", service.url, "--json", *words, *more)
    assert code == 0
    made: dict[str, str] = json.loads(out)
    return made
