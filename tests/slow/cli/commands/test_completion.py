"""`hgldp completion`: the script of each shell, sourced by that shell where it is installed."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from hgldp.cli import main
from hgldp.cli.commands.completion import SHELLS
from hgldp.cli.parser import NAMES
from hgldp.sources.datasets import DATASETS
from tests.patience import PATIENCE

BASH = shutil.which("bash")
SYNTAX = {"bash": ("-n",), "zsh": ("-n",), "fish": ("--no-execute",)}


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return str(out)


def offered(script_file: Path, line: str, folder: Path) -> set[str]:
    """What bash offers after a line whose last word may be empty, by the function that the script registers."""
    words = line.split(" ")
    current, previous = words[-1], words[-2]
    program = f"""
source {shlex.quote(str(script_file))}
COMP_WORDS=({" ".join(shlex.quote(word) for word in words)})
COMP_CWORD={len(words) - 1}
COMP_LINE={shlex.quote(line)}
COMP_POINT={len(line)}
complete_with=$(complete -p hgldp | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$complete_with" hgldp {shlex.quote(current)} {shlex.quote(previous)}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    assert BASH is not None
    done = subprocess.run(
        [BASH, "--norc", "-c", program], capture_output=True, text=True, check=True, cwd=folder, timeout=PATIENCE
    )
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.skipif(BASH is None, reason="bash is not installed here")
@pytest.mark.parametrize(
    ("line", "expected", "absent"),
    [
        ("hgldp ", set(NAMES), {"dance"}),
        ("hgldp si", {"simulate"}, {"schemes"}),
        ("hgldp simulate --ep", {"--epsilon", "--epoch"}, {"--json"}),
        ("hgldp simulate --scheme ", {"all", "pfr", "dsr", "grr", "heavyguardian"}, set()),
        ("hgldp check --scheme p", {"pfr"}, {"dsr", "heavyguardian"}),
        ("hgldp task create --scheme ", {"pfr", "dsr"}, {"grr"}),
        ("hgldp task ", {"create", "list", "show", "close", "seal"}, set()),
        ("hgldp task create --level ", {"event", "window", "user"}, set()),
        ("hgldp data fetch ", set(DATASETS), set()),
        ("hgldp reproduce --only ", {"ndcg", "warm-up"}, set()),
        ("hgldp reproduce --only ndcg w", {"warm-up"}, {"ndcg"}),
        ("hgldp export --format ", {"csv", "json", "parquet"}, set()),
        ("hgldp report or", {"orders.csv"}, {"folder"}),
        ("hgldp replay f", {"folder"}, {"orders.csv"}),
        ("hgldp completion ", set(SHELLS), set()),
    ],
)
def test_bash_completes_commands_options_names_and_files(
    line: str, expected: set[str], absent: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "here"
    (folder / "folder").mkdir(parents=True)
    (folder / "orders.csv").touch()
    (tmp_path / "hgldp.bash").write_text(script("bash", capsys), encoding="utf-8")
    found = offered(tmp_path / "hgldp.bash", line, folder)
    assert expected <= found
    assert not absent & found


@pytest.mark.parametrize("shell", SHELLS)
def test_every_script_knows_every_command_and_the_options(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(shell, capsys)
    assert all(re.search(rf"\b{name}\b", text) for name in NAMES)
    assert all(option in text for option in ("max-epsilon", "half-life", "no-progress"))
    assert "heavyguardian" in text


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_itself_can_read_its_script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed here, so it cannot read the script")
    (tmp_path / "script").write_text(script(shell, capsys), encoding="utf-8")
    done = subprocess.run(
        [program, *SYNTAX[shell], str(tmp_path / "script")],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
