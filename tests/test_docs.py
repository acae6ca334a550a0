"""Documentation that cannot rot: what it shows is run, what it names exists."""

import ast
import importlib
import pkgutil
import re
import shlex
from collections.abc import Iterator
from doctest import ELLIPSIS, DocTestFinder, DocTestRunner
from functools import cache
from importlib.util import find_spec
from io import StringIO
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import benchmarks
import hgldp
from hgldp.cli.parser import make_parser
from hgldp.client import Outcome, Status
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.frontier_size import LISTED_CELLS
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import HOT_LISTS
from tests.documents import (
    DOCUMENTS,
    ROOT,
    Block,
    blocks,
    measured_bytes,
    output_of,
    prose,
    read,
    replay,
    row_of,
    run_python,
    to_paste_by_hand,
    without_speeds,
)

RUN_WHEN_IMPORTED = ("hgldp.__main__", "hgldp.cli.__main__")
ROOMS = sorted(
    room.name
    for package in (hgldp, benchmarks)
    for room in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
)
PIN = re.compile(r"(tests/[\w/]+\.py)::(test_\w+)")
EPSILONS = (0.5, 1.0, 2.0, 4.0)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
RUN_ELSEWHERE = ("docs/spark.md",)  # tests/slow/spark/test_spark.py runs it, in the one session that it starts


@pytest.mark.parametrize("document", [each for each in DOCUMENTS if each not in RUN_ELSEWHERE])
def test_what_a_document_shows_is_what_happens(document: str, tmp_path: Path) -> None:
    """Also what its commands draw is the picture in docs/figures.

    If this fails and the new output is right, `python -m tests.documents` pastes it; a new picture is drawn by running
    the command in docs/figures.
    """
    for _block, ran, shown, happened in replay(document, tmp_path):
        assert without_speeds(happened) == without_speeds(shown), f"{document}: {ran}"
    for picture in tmp_path.glob("*.svg"):
        assert picture.read_bytes() == (ROOT / "docs/figures" / picture.name).read_bytes(), (
            f"{document}: {picture.name}"
        )


def test_another_number_in_a_pasted_table_would_be_noticed_and_another_speed_would_not() -> None:
    commands = (command for block in blocks("README.md") for command in block.commands)
    (shown,) = (shown for command, shown in commands if command == "make simulate")
    (row,) = (line for line in shown.splitlines() if line.startswith("dsr "))
    slower = row.replace(row.split()[-1], "9.9")
    worse = row.replace(row.split()[2], "0.123")
    assert row not in (slower, worse)
    assert without_speeds(shown.replace(row, slower)) == without_speeds(shown)
    assert without_speeds(shown.replace(row, worse)) != without_speeds(shown)


def modules(room: str) -> Iterator[str]:
    """A module, or all modules of a package, that can be imported here without running a command."""
    if room in RUN_WHEN_IMPORTED or (room.endswith(".spark") and find_spec("pyspark") is None):
        return
    yield room
    for module in pkgutil.walk_packages(getattr(importlib.import_module(room), "__path__", ()), f"{room}."):
        if module.name not in RUN_WHEN_IMPORTED:
            yield module.name


@pytest.mark.parametrize("room", ROOMS)
def test_the_examples_in_every_docstring_run(room: str) -> None:
    complaints, runner = StringIO(), DocTestRunner(optionflags=ELLIPSIS, verbose=False)
    for name in modules(room):
        for test in DocTestFinder(exclude_empty=True).find(importlib.import_module(name), name):
            runner.run(test, out=complaints.write)
    assert complaints.getvalue() == ""


def anchors(document: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", prose(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_somewhere(document: str, target: str) -> bool:
    path, _, anchor = target.partition("#")
    found = (ROOT / document).parent / path if path else ROOT / document
    return found.exists() and (not anchor or anchor in anchors(found.relative_to(ROOT).as_posix()))


def test_every_link_leads_somewhere() -> None:
    links = [(document, target) for document in DOCUMENTS for target in LINK.findall(prose(document))]
    assert [(document, target) for document, target in links if not leads_somewhere(document, target)] == []


def test_a_link_to_a_missing_page_or_heading_would_be_noticed() -> None:
    assert leads_somewhere("README.md", "docs/client.md")
    assert not leads_somewhere("README.md", "docs/clients.md")
    assert not leads_somewhere("README.md", "docs/client.md#no-such-heading")


@cache
def named_tests(path: str) -> set[str]:
    if not (ROOT / path).exists():
        return set()
    return {part.name for part in ast.walk(ast.parse(read(path))) if isinstance(part, ast.FunctionDef)}


def test_every_test_that_is_named_exists() -> None:
    pins = {(document, *pin) for document in DOCUMENTS for pin in PIN.findall(read(document))}
    assert len(pins) > 50
    assert [pin for pin in sorted(pins) if pin[2] not in named_tests(pin[1])] == []


def test_every_paper_note_names_the_test_that_pins_it() -> None:
    entries = re.split(r"^### ", prose("docs/paper-notes.md"), flags=re.MULTILINE)[1:]
    assert len(entries) > 20
    for entry in entries:
        assert PIN.search(entry), entry.splitlines()[0]


def shell_lines() -> Iterator[tuple[str, list[str]]]:
    for document in DOCUMENTS:
        for block in blocks(document):
            if block.kind == "sh":
                for line in block.text.splitlines():
                    yield document, shlex.split(line.partition(" #")[0].rpartition("| ")[2])


def test_every_command_line_that_is_only_shown_could_be_typed() -> None:
    """A make target exists, a module can be run, and `hgldp` understands its options."""
    targets = re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE)
    for document, words in shell_lines():
        program = words[0].removeprefix(".venv/bin/") if words else ""
        if program == "make":
            assert {word for word in words[1:] if "=" not in word} <= set(targets), f"{document}: {words}"
        elif program == "hgldp":
            make_parser().parse_args(words[1:])
        elif program == "python" and words[1] == "-m" and words[2] != "pip":
            assert words[2] == "pytest" or find_spec(words[2]), f"{document}: {words}"


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    for document in DOCUMENTS:
        assert set(re.findall(r"`make ([a-z-]+)`", prose(document))) <= targets, document


def test_every_command_has_its_help_page() -> None:
    (commands,) = (action.choices for action in make_parser()._actions if action.dest == "command")
    shown = {command for block in blocks("docs/command-line.md") for command, _ in block.commands}
    assert commands
    assert shown == {"hgldp --help", *(f"hgldp {name} --help" for name in commands)}
    assert "--epsilon" in output_of("hgldp simulate --help")


def test_the_bytes_in_the_table_of_promises_are_measured() -> None:
    assert set(measured_bytes()) == {*HOT_LISTS, "pfr", *MECHANISMS}
    assert to_paste_by_hand() == []


def test_the_share_that_an_item_needs_is_four_standard_errors() -> None:
    rows = re.findall(r"^\| (1[\d,]+) \| (\d+\.\d\d % .*) \|$", prose("docs/will-it-work.md"), re.MULTILINE)
    assert len(rows) == 4
    for reports, shares in rows:
        variances = [PFR(1_000, LISTED_CELLS, epsilon).mechanism.variance for epsilon in EPSILONS]
        errors = [sqrt(variance / int(reports.replace(",", ""))) for variance in variances]
        assert shares.split(" | ") == [f"{4 * error:.2%}".replace("%", " %") for error in errors], reports


def test_the_sentence_after_the_first_answer_says_what_the_answer_shows() -> None:
    shown, _, told = read("docs/will-it-work.md").partition("The answer of pfr")[2].partition("```")
    row = r"^ +\d+  (\S+) +\d+ +[\d,]+ +(\d+) +([\d,]+) … ([\d,]+) +([\d,]+)(  ✓)?$"
    likely, *columns, right = zip(*re.findall(row, shown, re.MULTILINE), strict=True)
    error, low, high, truth = (np.array([int(each.replace(",", "")) for each in column]) for column in columns)
    least, most, wrong = min(error), max(error), right.index("")
    ordered = ("none", "one", "two", "three", "four", "five", "six", "seven")[np.argmin(truth == np.sort(truth)[::-1])]
    assert f"errors (±) are {least} to {most}. Four standard errors are {4 * least:,} to {4 * most:,}," in told
    assert f"Nine of the ten items are right, the first {ordered} in the right order" in told
    place = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")[wrong]
    assert right.count("") == 1
    assert f"The {place} is wrong, and its likely ranks,\n{likely[wrong]}" in told
    assert "all ten intervals hold" in told
    assert np.all((low <= truth) & (truth <= high))


def test_the_client_page_lists_every_outcome_and_every_state() -> None:
    page = prose("docs/client.md")
    assert re.findall(r"^\| `([A-Z_]+)` \| (.+?) \|", page, re.MULTILINE) == [
        (each.name, each.value) for each in Outcome
    ]
    (told,) = re.findall(r"`state` is one of: (.*?)\. `reason`", str(Status.__doc__), re.DOTALL)
    states = re.sub(r"\s*\(.*?\)", "", told, flags=re.DOTALL).split(", ")
    listed = page.partition("### States")[2].partition("## ")[0]
    assert re.findall(r"^\| `([a-z ]+)` \|", listed, re.MULTILINE) == states


def test_a_wrong_figure_in_a_table_or_a_sentence_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    (state,) = {measured_bytes()[name][1] for name in HOT_LISTS}
    monkeypatch.setattr("tests.documents.prose", lambda page: prose(page).replace(f"| {state} |", "| 12 |", 1))
    assert [sentence.partition(":")[0] for sentence in to_paste_by_hand()] == ["docs/privacy.md, row bgr"]
    monkeypatch.setattr(
        "tests.documents.prose", lambda page: prose(page).replace(f"kept {state} bytes", "kept 12 bytes")
    )
    assert [sentence.partition(":")[0] for sentence in to_paste_by_hand()] == ["README.md"]


def test_another_output_of_an_example_is_pasted_in_its_place() -> None:
    text = ">>> for number in (1, 2):\n...     print(number)\n1\n3\n>>> half = 4 / 2\n>>> half\n9.0\n"
    right = text.replace("3\n", "2\n").replace("9.0", "2.0")
    assert run_python(Block("a.md", "python", text, 0), {}) == right
    assert run_python(Block("a.md", "python", right, 0), {}) == right


@pytest.mark.parametrize("name", [*HOT_LISTS, *MECHANISMS])
def test_every_scheme_and_mechanism_has_its_row_in_the_guide(name: str) -> None:
    assert row_of("docs/choosing-a-scheme.md", name)


def test_every_name_of_the_notation_is_in_its_file() -> None:
    rows = re.findall(r"^\|.*\| (`.*?`) \|.*\| \[.*\]\(\.\./(.*)\) \|$", prose("docs/notation.md"), re.MULTILINE)
    assert len(rows) > 20
    for names, path in rows:
        for name in re.findall(r"`([^`]+)`", names):
            assert re.search(rf"\b{name.rpartition('.')[2]}\b", read(path)), f"{name} in {path}"
