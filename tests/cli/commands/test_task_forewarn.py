"""`hgldp task create` says what to expect, and warns before it creates what cannot work."""

import json
import sys
from io import StringIO
from pathlib import Path

import pytest

from tests.cli.conftest import run
from tests.collector.live_service import Service

pytestmark = pytest.mark.usefixtures("tokens")
USUAL = ("--epsilon", "1", "--range", "0", "5000", "--k", "10", "--level", "event")


class Typed(StringIO):
    """Standard input that is a terminal."""

    def isatty(self) -> bool:
        return True


def names(service: Service, capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [task["name"] for task in json.loads(run(capsys, "task", "list", "--json", "--url", service.url)[1])]


def test_it_says_after_how_many_reports_something_is_found(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "task", "create", "Pages", "--url", service.url, *USUAL)
    assert (code, err) == (0, "")
    assert "Expect the first of the top 10 after about 5,100 reports, and most of them after 510,000" in out
    code, out, _ = run(
        capsys, *("task", "create", "Searches", "--url", service.url, "--epsilon", "1", "--strings", "64", "--k", "5")
    )
    assert code == 0
    assert "Expect the first strings after about 150,000 reports" in out


def test_it_says_so_too_where_a_list_names_some_strings_and_of_a_tiny_list_no_more_than_it_knows(
    service: Service, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "expected.txt").write_text("weather\nnews\n", encoding="utf-8")
    words = ("--url", service.url, "--epsilon", "1", "--k", "5", "--strings", "64")
    hinted = (*words, "--hints", str(tmp_path / "expected.txt"))
    code, out, err = run(capsys, "task", "create", "Queries", *hinted)
    assert (code, err) == (0, "")
    assert "Expect the first strings after about" in out
    assert "Strings that are on the list come sooner than others." in out
    err = run(capsys, "task", "create", "Few", *hinted, "--reports-per-day", "10")[2]
    assert "warning: the first of the top 5 takes about" in err
    out = run(
        capsys, "task", "create", "Drinks", "--url", service.url, "--epsilon", "1", "--range", "0", "4", "--k", "3"
    )[1]
    assert "Expect the first of the top 3 after about" in out
    assert "most of them" not in out


def test_a_hot_list_from_nothing_gets_a_warning_and_is_created_where_nobody_can_be_asked(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("task", "create", "Cold", "--url", service.url, *USUAL, "--scheme", "dsr")
    code, out, err = run(capsys, *words)
    assert code == 0
    assert err.startswith("hgldp: warning: dsr starts from nothing here: among 5,001 items it takes about 2,700,000")
    assert err.count("\n") == 1
    assert "Expect" not in out
    assert "Cold" in names(service, capsys)


@pytest.mark.parametrize(
    ("typed", "more", "made"),
    [("n\n", (), False), ("", (), False), ("y\n", (), True), ("n\n", ("--yes", "--epoch", "300"), True)],
)
def test_who_sits_at_a_terminal_is_asked_before_it_is_created(
    service: Service,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    more: tuple[str, ...],
    made: bool,
) -> None:
    name = f"Asked {typed!r} {len(more)}"
    monkeypatch.setattr(sys, "stdin", Typed(typed))
    words = ("task", "create", name, "--url", service.url, *USUAL, "--scheme", "bgr", "--events", "1", *more)
    code, out, err = run(capsys, *words)
    assert ("Create it all the same?" in out) == (not more)
    assert "hgldp: warning: bgr starts from nothing here" in err
    assert (code == 0) == made
    assert ("no task was created" in err) == (not made)
    assert (name in names(service, capsys)) == made


def test_json_stays_json(service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Typed(""))
    words = ("task", "create", "Machine", "--url", service.url, *USUAL, "--scheme", "cnr", "--json")
    code, out, err = run(capsys, *words)
    assert code == 0
    assert json.loads(out)["write_key"]
    assert "starts from nothing" in err
