"""Standard output and standard error: either may be closed, full, or unable to write a letter."""

import os
import sys
from contextlib import suppress
from typing import NoReturn, TextIO

from hgldp.errors import InvalidField

ANY_LETTER = "utf-8"


def check_output() -> None:
    """Refuse a closed standard output before anything is done for it."""
    if sys.stdout is None:
        _refuse_output("a closed one")


def write_output(text: str) -> None:
    """All of a text, or a refusal; letters that standard output cannot write become escapes such as `\\u03b5`."""
    check_output()
    try:
        sys.stdout.write(writable(text, sys.stdout))
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon(sys.stdout)
        raise
    except OSError as failure:
        _abandon(sys.stdout)
        _refuse_output(failure.strerror or "a failure")


def write_error(line: str) -> None:
    """One line for people. Where nobody can read it, the exit code has to do."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{writable(line, sys.stderr)}\n")
        sys.stderr.flush()
    except OSError:
        _abandon(sys.stderr)


def can_write(text: str, out: TextIO) -> bool:
    """Whether the encoding of a file has every letter of a text."""
    try:
        text.encode(out.encoding or ANY_LETTER)
    except UnicodeEncodeError:
        return False
    return True


def writable(text: str, out: TextIO) -> str:
    """The text itself, or with escapes for the letters that the encoding of a file does not have."""
    if can_write(text, out):
        return text
    encoding = out.encoding or ANY_LETTER
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _refuse_output(found: str) -> NoReturn:
    raise InvalidField("standard output", "must be open and take everything that is printed", found)


def _abandon(out: TextIO) -> None:
    """Let what is left in the buffer go nowhere, so that it cannot fail again when Python ends."""
    with suppress(OSError):
        place, nowhere = out.fileno(), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, place)
        os.close(nowhere)
