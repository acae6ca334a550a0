"""The way in and the ways out of the command."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from hgldp import __version__
from hgldp.cli import command, main
from hgldp.cli.parser import NAMES
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ("simulate", "schemes", "check")
HEAVY = ("numpy", "numba", "rich", "shtab", "starlette", "uvicorn", "matplotlib")


def blocked(modules: Sequence[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a Python in which some modules do not exist."""
    return blocked_lines(modules, arguments)


def blocked_lines(modules: Sequence[str], *lines: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """The same for several command lines, one after the other in one process; the worst exit code counts."""
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({list(modules)!r}))\n"
        f"from hgldp.cli import main; sys.exit(max([main(line) for line in {[list(line) for line in lines]!r}]))"
    )
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=PATIENCE
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_its_options(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: hgldp {name} [-h]")
    assert f"examples:\n  hgldp {name}" in shown
    assert "--epsilon" in shown
    assert "--json" in shown


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"hgldp {name} " in shown for name in NAMES)


def test_the_command_alone_prints_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    alone = capsys.readouterr()
    assert main(["--help"]) == 0
    assert alone == capsys.readouterr()


def test_help_fits_a_hundred_columns(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("", *NAMES):
        main([*name.split(), "--help"])
    assert max(len(line) for line in capsys.readouterr().out.splitlines()) <= 100


@pytest.mark.parametrize(
    "arguments", [["dance"], ["simulate"], ["simulate", "x", "--k", "ten"], ["check", "--unknown"]]
)
def test_a_wrong_command_line_is_one_line_and_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("hgldp: error: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        (["dance"], "hgldp"),
        (["simulate"], "hgldp simulate"),
        (["simulate", "x", "--k", "ten"], "hgldp simulate"),
        (["check", "--unknown"], "hgldp check"),
    ],
)
def test_a_wrong_command_line_names_the_help_to_read(
    arguments: list[str], where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.endswith(f" ({where} --help)\n")


def test_version_and_help_need_no_extra() -> None:
    done = blocked_lines(HEAVY, ["--version"], [], *([name, "--help"] for name in NAMES))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"hgldp {__version__}\n")
    assert all(f"usage: hgldp {name} " in done.stdout for name in NAMES)


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("simulate uniform:n=9,d=3", "numpy"),
        ("simulate uniform:n=9,d=3", "numba"),
        ("simulate uniform:n=9,d=3", "rich"),
        ("schemes", "numpy"),
        ("check", "rich"),
    ],
)
def test_a_missing_extra_is_named(line: str, missing: str) -> None:
    done = blocked([missing], *line.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("hgldp: error: this needs the extra '")
    assert f"({missing} is missing): pip install -e '{ROOT}[" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("module", ["hgldp", "hgldp.cli"])
def test_the_module_is_the_command(module: str) -> None:
    command_line = [sys.executable, "-m", module, "--version"]
    done = subprocess.run(command_line, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.stdout == f"hgldp {__version__}\n"


def test_an_interruption_is_quiet_and_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_command", interrupt)
    assert main(["check"]) == 130
    assert capsys.readouterr() == ("", "")


def test_too_little_memory_is_a_refusal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def exhaust(name: str) -> None:
        raise MemoryError

    monkeypatch.setattr(command, "_command", exhaust)
    assert main(["check"]) == 2
    assert capsys.readouterr().err.startswith("hgldp: error: the stream and its domain do not fit into the memory")


def test_a_bug_is_not_dressed_up_as_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def blunder(name: str) -> None:
        raise ModuleNotFoundError(name="something_of_ours")

    monkeypatch.setattr(command, "import_module", blunder)
    with pytest.raises(ModuleNotFoundError):
        main(["check"])


@pytest.mark.parametrize("line", ["schemes --json", "simulate uniform:n=99,d=9 --scheme grr --k 2", "--help"])
def test_a_reader_that_leaves_early_is_no_error(line: str) -> None:
    program = f"import sys; from hgldp.cli import main; sys.exit(main({line.split()!r}))"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.close()
        assert started.stderr.read() == ""
        assert started.wait(timeout=PATIENCE) == 141
