"""Standard streams that are closed, full, or have too few letters."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest
from rich.console import Console
from rich.text import Text

from hgldp import __version__
from hgldp.cli import main
from hgldp.cli.output import write_error, write_output
from hgldp.cli.terminal import facts, legend, show
from hgldp.errors import InvalidField
from tests.patience import PATIENCE

needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
REFUSED_OUTPUT = "hgldp: error: standard output must be open and take everything that is printed, got "
TEAS = "tea\ntée\n茶\ntée\nчай\ntée\n茶\n"


def shell(redirections: str, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """The command with its standard streams redirected as a shell does it."""
    line = ["sh", "-c", f'exec "$0" -m hgldp.cli "$@" {redirections}', sys.executable, *arguments]
    environment = os.environ | {"PYTHONUTF8": "0"} | settings
    return subprocess.run(line, capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE, env=environment)


def printed(monkeypatch: pytest.MonkeyPatch, encoding: str, *arguments: str) -> str:
    """What the command prints on a standard output of another encoding."""
    page = io.BytesIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", io.TextIOWrapper(page, encoding=encoding))
        assert main(arguments) == 0
        return page.getvalue().decode(encoding)


@pytest.fixture
def teas(tmp_path: Path) -> str:
    path = tmp_path / "thé.csv"
    path.write_text(TEAS, encoding="utf-8")
    return str(path)


def test_a_closed_standard_input_is_a_refusal() -> None:
    done = shell("<&-", "simulate", "-")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("hgldp: error: STREAM must be a readable file")
    assert done.stderr.endswith("got standard input (closed)\n")


@pytest.mark.parametrize("line", ["check --epsilon 1 --scheme grr --json", "--help", "--version"])
def test_a_closed_standard_output_is_a_refusal(line: str) -> None:
    done = shell(">&-", *line.split())
    assert (done.returncode, done.stderr) == (2, f"{REFUSED_OUTPUT}a closed one\n")


def test_a_closed_standard_output_is_refused_before_the_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(name: str) -> NoReturn:
        raise AssertionError(name)

    monkeypatch.setattr("hgldp.cli.command._command", work)
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["schemes"]) == 2
    assert capsys.readouterr().err == f"{REFUSED_OUTPUT}a closed one\n"


@needs_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("line", ["schemes", "schemes --json", "simulate --help", "--version"])
def test_a_full_standard_output_is_a_refusal(line: str, unbuffered: str) -> None:
    done = shell(">/dev/full", *line.split(), PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr) == (2, f"{REFUSED_OUTPUT}No space left on device\n")


@needs_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("redirections", ["2>&-", "2>/dev/full", ">/dev/full 2>/dev/full", "<&- >&- 2>&-"])
@pytest.mark.parametrize("line", ["check --epsilon nan", "dance"])
def test_a_refusal_that_nobody_can_read_is_still_exit_code_2(redirections: str, line: str, unbuffered: str) -> None:
    done = shell(redirections, *line.split(), PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def test_without_a_standard_error_the_answer_still_comes() -> None:
    done = shell("2>&-", "--version")
    assert (done.returncode, done.stdout) == (0, f"hgldp {__version__}\n")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("line", ["--help", "simulate --help", "schemes", "check --scheme grr --epsilon 1"])
def test_letters_that_cannot_be_written_become_escapes(
    line: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = printed(monkeypatch, "utf-8", *line.split())
    shown = printed(monkeypatch, encoding, *line.split())
    assert "ε" in whole
    assert "\\u03b5" in shown
    assert shown.count("\n") == whole.count("\n")


def test_the_python_setting_for_another_encoding_is_obeyed() -> None:
    done = shell("", "simulate", "--help", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "bell around d/2" in done.stdout
    assert "0 \\u2026 1" in done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_is_whole_and_exact_in_any_encoding(encoding: str, teas: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = printed(monkeypatch, encoding, "simulate", teas, "--column", "tea", "--scheme", "grr", "--k", "3", "--json")
    result = json.loads(text)
    assert {line["item"] for line in result["runs"][0]["top"]} == {"tée", "茶", "чай"}
    assert result["stream"] == teas
    assert ("茶" in text) == (encoding == "utf-8")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_items_in_a_table_stay_apart_in_any_encoding(encoding: str, teas: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = printed(monkeypatch, encoding, "simulate", teas, "--column", "tea", "--scheme", "grr", "--k", "3")
    assert "\\u8336" in shown
    assert "\\u0447\\u0430\\u0439" in shown


def test_a_name_of_no_letters_at_all_is_printed_as_escapes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / os.fsdecode(b"\xff.dat")
    path.write_text("1 2 1 3")
    line = ("simulate", str(path), "--scheme", "grr", "--k", "1")
    assert json.loads(printed(monkeypatch, "utf-8", *line, "--json"))["stream"] == str(path)
    rows = list(csv.DictReader(io.StringIO(printed(monkeypatch, "utf-8", *line, "--csv"))))
    assert rows[0]["stream"].endswith("\\udcff.dat")


class Failing(io.StringIO):
    """A file that cannot be written and has no number."""

    def write(self, text: str) -> NoReturn:
        raise OSError(5, "Input/output error")


def test_a_failure_to_write_is_a_refusal_where_there_is_no_file_number_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Failing())
    monkeypatch.setattr(sys, "stderr", Failing())
    with pytest.raises(InvalidField, match=r"standard output must be open .* got Input/output error"):
        write_output("something")
    write_error("something")


def test_what_goes_into_a_pipe_is_neither_wrapped_nor_padded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COLUMNS")
    long = " ".join(["word"] * 100)
    show(Text(long), facts([("key", long), ("other", "short")]))
    assert capsys.readouterr().out == f"{long}\nkey    {long}\nother  short\n"


def test_a_secret_that_is_shown_once_is_not_dim() -> None:
    for table, dim in ((facts, False), (legend, True)):
        screen = io.StringIO()
        Console(file=screen, force_terminal=True, highlight=False).print(table([("write key", "secret")]))
        assert ("\x1b[2m" in screen.getvalue()) is dim
