"""The documents as data: what they show is run, in order, in an empty folder.

A ```python block is run as it stands, or as a doctest if it has `>>>`. A ```console block holds commands after `$ `,
each with the output that it printed; speeds are left out of the comparison. `python -m tests.documents` pastes the
output again wherever it has changed, of doctests too; figures in tables and sentences must be pasted by hand, and it
says which, with exit code 1.
"""

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from doctest import ELLIPSIS, DocTest, DocTestParser, DocTestRunner, Example
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from hgldp.cli import main
from hgldp.schemes.registry import HOT_LISTS

ROOT = Path(__file__).resolve().parent.parent
_PAGES = (path for pattern in ("*.md", "docs/*.md", "docs/reference/*.md") for path in ROOT.glob(pattern))
DOCUMENTS = sorted(path.relative_to(ROOT).as_posix() for path in _PAGES)
PROMISES = "docs/privacy.md"  # the page with the table of what each scheme promises
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SPEED = re.compile(r"(?<=fetched) +M/s$")
_SPEED_CELL = re.compile(r" +M/s| +<?[\d.]+|─*")
_SIMULATE = re.compile(r"^simulate:.*\n\t@\$\(BIN\)/(hgldp .*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its text, and where the text starts."""

    document: str
    kind: str
    text: str
    start: int

    @property
    def commands(self) -> list[tuple[str, str]]:
        """Each command of a console block with the output shown for it."""
        parts = re.split(r"^\$ (.*)$", self.text, flags=re.MULTILINE)
        return [(command, shown.strip("\n")) for command, shown in zip(parts[1::2], parts[2::2], strict=True)]


def read(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def prose(document: str) -> str:
    """The text without its fenced blocks."""
    return _FENCE.sub("", read(document))


def blocks(document: str) -> list[Block]:
    return [Block(document, kind[1], kind[2], kind.start(2)) for kind in _FENCE.finditer(read(document))]


def simulate() -> str:
    """The command that `make simulate` runs."""
    recipe = _SIMULATE.search(read("Makefile"))
    if recipe is None:
        raise LookupError("Makefile must have a target simulate that runs hgldp")
    return recipe[1]


def output_of(command: str) -> str:
    """What `hgldp …` prints, or `make simulate`, without trailing blanks."""
    words = shlex.split(simulate() if command == "make simulate" else command)
    if words[0] != "hgldp":
        raise LookupError(f"a console block shows only hgldp and make simulate, not {command}")
    with patch.dict(os.environ, {"COLUMNS": "100"}), redirect_stdout(StringIO()) as printed:
        for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
            os.environ.pop(name, None)
        code = main(words[1:])
    if code != 0:
        raise RuntimeError(f"{command} must end well, but has exit code {code}")
    return "\n".join(line.rstrip() for line in printed.getvalue().splitlines()).strip("\n")


def without_speeds(text: str) -> str:
    """The same text without the column of speeds, which is the last one of its table and as wide as they are."""
    lines, column = [], None
    for line in text.splitlines():
        if _SPEED.search(line):
            column = len(_SPEED.sub("", line))
        speed = column is not None and _SPEED_CELL.fullmatch(line[column:])
        lines.append(line[:column].rstrip() if speed else line)
    return "\n".join(lines)


class _Pasting(DocTestRunner):
    """Notes what each example prints where the document shows something else."""

    def __init__(self) -> None:
        super().__init__(optionflags=ELLIPSIS, verbose=False)
        self.changed: list[tuple[Example, str]] = []

    def report_failure(self, out: object, test: DocTest, example: Example, got: str) -> None:
        self.changed.append((example, got))

    def report_unexpected_exception(self, out: object, test: DocTest, example: Example, exc_info: Any) -> None:
        raise RuntimeError(f"{test.name}: {example.source.strip()}") from exc_info[1]


def run_python(block: Block, names: dict[str, Any]) -> str:
    """Run a block; its text with the output that its examples really have."""
    title = f"{block.document}, character {block.start}"
    if ">>>" not in block.text:
        exec(compile(block.text, title, "exec"), names)  # noqa: S102 - our own documents
        return block.text
    runner = _Pasting()
    test = DocTestParser().get_doctest(block.text, names, title, block.document, 0)
    runner.run(test, clear_globs=False)
    names.update(test.globs)
    lines = block.text.splitlines(keepends=True)
    for example, got in reversed(runner.changed):
        first = example.lineno + example.source.count("\n")
        shown = [" " * example.indent + line for line in got.splitlines(keepends=True)]
        lines[first : first + example.want.count("\n")] = shown
    return "".join(lines)


def replay(document: str, folder: Path) -> Iterator[tuple[Block, str, str, str]]:
    """Run a document from top to bottom: (block, what was run, what the document shows, what happened)."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with chdir(folder):
        for block in blocks(document):
            if block.kind == "python":
                yield block, block.text, block.text, run_python(block, names)
            elif block.kind == "console":
                for command, shown in block.commands:
                    yield block, command, shown, output_of(command)


def renewed(document: str, folder: Path) -> str:
    """The document with every output that has changed pasted again."""
    text = read(document)
    for block, command, shown, happened in replay(document, folder):
        if block.kind == "console" and without_speeds(shown) != without_speeds(happened):
            text = text.replace(
                f"$ {command}\n{shown}\n" if shown else f"$ {command}\n", f"$ {command}\n{happened}\n", 1
            )
        elif block.kind == "python":
            text = text.replace(shown, happened, 1)
    return text


def row_of(document: str, name: str) -> list[str]:
    """The cells of the table row that begins with a name."""
    (row,) = re.findall(rf"^\| `{name}` \|(.*)\|$", prose(document), re.MULTILINE)
    return [cell.strip() for cell in row.split("|")]


def measured_bytes() -> dict[str, list[str]]:
    """Report and state bytes of every scheme, two sizes where a nominating bulletin asks for longer reports."""
    entries = json.loads(output_of("hgldp schemes --epsilon 1 --k 10 --cells 20 --domain 41270 --json"))
    found = {}
    for name in dict.fromkeys(entry["name"] for entry in entries):
        mine = [entry for entry in entries if entry["name"] == name]
        sizes = [list(dict.fromkeys(entry[field] for entry in mine)) for field in ("report_bytes", "state_bytes")]
        found[name] = [" or ".join("–" if size is None else f"{size:,}" for size in some) for some in sizes]
    return found


def to_paste_by_hand() -> list[str]:
    """One sentence for each figure in a table or in the README's prose that is not what is measured."""
    measured, found = measured_bytes(), []
    for name, sizes in measured.items():
        if row_of(PROMISES, name)[-2:] != sizes:
            found.append(f"{PROMISES}, row {name}: the last two cells must be {' | '.join(sizes)}")
    states = {measured[name][1] for name in HOT_LISTS}
    kept = re.findall(r"kept\s([\d,]+)\sbytes", prose("README.md"))
    if len(kept) != 1 or set(kept) != states:
        found.append(f"README.md: the servers of the first four rows must have kept {' or '.join(states)} bytes")
    return found


if __name__ == "__main__":
    for name in sys.argv[1:] or DOCUMENTS:
        with TemporaryDirectory() as empty:
            (ROOT / name).write_text(renewed(name, Path(empty)), encoding="utf-8")
    missing = to_paste_by_hand()
    for sentence in missing:
        sys.stderr.write(f"{sentence}\n")
    sys.exit(1 if missing else 0)
