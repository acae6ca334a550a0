"""The documents as data: what they show is run, in order, in an empty folder.

A ```python block is run as it stands, or as a doctest if it has `>>>`. A ```console block holds commands after `$ `,
each with the output that it printed; speeds are left out of the comparison. `python -m tests.documents` pastes the
output again wherever it has changed.
"""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from doctest import ELLIPSIS, DocTestParser, DocTestRunner
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from hgldp.cli import main

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")))
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SPEED = re.compile(r"(?<=fetched) +M/s$")
_SPEED_CELL = re.compile(r" +M/s| +[\d.]+|─*")
_DEMO = re.compile(r"^demo:.*\n\t@\$\(BIN\)/(hgldp .*)$", re.MULTILINE)


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


def demo() -> str:
    """The command that `make demo` runs."""
    recipe = _DEMO.search(read("Makefile"))
    if recipe is None:
        raise LookupError("Makefile must have a target demo that runs hgldp")
    return recipe[1]


def output_of(command: str) -> str:
    """What `hgldp …` prints, or `make demo`, without trailing blanks."""
    words = shlex.split(demo() if command == "make demo" else command)
    if words[0] != "hgldp":
        raise LookupError(f"a console block shows only hgldp and make demo, not {command}")
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


def run_python(block: Block, names: dict[str, Any]) -> str:
    """Run a block; the complaints of its doctest, or nothing."""
    title = f"{block.document}, character {block.start}"
    if ">>>" not in block.text:
        exec(compile(block.text, title, "exec"), names)  # noqa: S102 - our own documents
        return ""
    complaints = StringIO()
    test = DocTestParser().get_doctest(block.text, names, title, block.document, 0)
    DocTestRunner(optionflags=ELLIPSIS, verbose=False).run(test, out=complaints.write, clear_globs=False)
    names.update(test.globs)
    return complaints.getvalue()


def replay(document: str, folder: Path) -> Iterator[tuple[Block, str, str, str]]:
    """Run a document from top to bottom: (block, what was run, what the document shows, what happened)."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with chdir(folder):
        for block in blocks(document):
            if block.kind == "python":
                yield block, block.text, "", run_python(block, names)
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
        elif happened and block.kind == "python":
            sys.stderr.write(happened)
    return text


if __name__ == "__main__":
    for name in sys.argv[1:] or DOCUMENTS:
        with TemporaryDirectory() as empty:
            (ROOT / name).write_text(renewed(name, Path(empty)), encoding="utf-8")
