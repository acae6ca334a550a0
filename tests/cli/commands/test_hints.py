"""--hints, where it works and where it does nothing and is refused."""

import json
import random
from argparse import Namespace
from pathlib import Path

import pytest

from hgldp.cli import main
from hgldp.cli.commands.task.run import FOR_CREATE, request_of
from hgldp.errors import InvalidField


def files(folder: Path) -> tuple[str, str]:
    """3,000 drinks, and a list that has two of the three."""
    drawn = random.Random(1)
    stream, hints = folder / "drinks.txt", folder / "hints.txt"
    stream.write_text("\n".join(drawn.choice(["tea"] * 3 + ["mate"] * 2 + ["gin"]) for _ in range(3_000)))
    hints.write_bytes("\ufefftea\r\nmate\r\n\r\nwine\r\n".encode())
    return str(stream), str(hints)


def test_simulate_says_how_much_is_on_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With ε = 8 and 2,000 reports on the rarer one, a wrong order has a chance far below 10^−6."""
    stream, hints = files(tmp_path)
    given = ["simulate", stream, "--open", "--hints", hints, "--epsilon", "8", "--k", "2", "--json", "--no-progress"]
    assert main(given) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["hints"], found["cells"]) == (3, 3072)
    assert 2_400 < found["on_list"] < 2_600
    assert [line["item"] for line in found["runs"][0]["top"]] == ["tea", "mate"]


def test_options_that_would_do_nothing_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stream, hints = files(tmp_path)
    for more, reason in (
        (["--hints", hints], "works with --open only"),
        (["--open", "--hints", hints, "--k", "10", "--cells", "100"], "at least 12 times k with --open and --hints"),
        (["--open", "--hints", str(tmp_path / "none")], "a readable file with one string per line"),
    ):
        assert main(["simulate", stream, *more]) == 2
        assert reason in capsys.readouterr().err


def test_a_new_task_sends_the_lines_of_the_file(tmp_path: Path) -> None:
    _, hints = files(tmp_path)
    chosen = Namespace(**dict.fromkeys(FOR_CREATE))
    chosen.name, chosen.epsilon, chosen.k, chosen.strings, chosen.hints = "Drinks", "1", 3, 16, hints
    wanted = request_of(chosen)
    assert (wanted["domain"], wanted["hints"]) == ({"strings": 16}, ["tea", "mate", "wine"])
    chosen.strings, chosen.range = None, [0, 9]
    with pytest.raises(InvalidField, match="--hints works with --strings only, got --range"):
        request_of(chosen)
