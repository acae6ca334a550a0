"""Standard output and standard error: either may be closed, full, or unable to write a letter."""

import json
import os
import re
import sys
from contextlib import suppress
from typing import NoReturn, TextIO

from hgldp.errors import InvalidField
from hgldp.wire.strict_json import strict

ANY_LETTER = "utf-8"
# Of an address, also with one slash; of a database's also with blanks in it, or after a ?. Not that of an example.
PASSWORD = re.compile(
    r"(postgres(?:ql)?://?[^\s/:@]*:)(?!password@)(?:\S*|[^\n]*)(?=@)"
    r"|(://?[^\s/:@]*:)(?!password@)\S*(?=@)"
    r"|([?&](?:ssl)?password=)[^\s&]*"
)


def check_output() -> None:
    """Refuse a closed standard output before any work is done for it."""
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


def write_data(text: str) -> None:
    """What programs read, as it is; a terminal gets escapes for what it would obey."""
    check_output()
    write_output(visible(text.replace("\r\n", "\n")) if sys.stdout.isatty() else text)


def visible(text: str) -> str:
    r"""The text without letters that a terminal obeys or does not show: they become escapes. Line breaks stay.

    >>> print(visible("tea\x1b[2J\x9b\u202e"))
    tea\x1b[2J\x9b\u202e
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each == "\n" else _escape(each) for each in text)


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")


def write_json(value: object) -> None:
    """Strict JSON on standard output, in one piece: the standard has no NaN and no infinity, so they become null."""
    check_output()
    document = strict(value)
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
    text = "".join(each if each.isprintable() or each == "\n" else json.dumps(each)[1:-1] for each in text)
    if not can_write(text, sys.stdout):
        text = json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2)
    write_output(f"{text}\n")


def without_passwords(text: str) -> str:
    """The text with no password of an address in it, even where somebody typed the address in the wrong place.

    >>> without_passwords("postgresql://anna:secret@db:5432/hot and postgresql:/anna:s@cr:et@db")
    'postgresql://anna:…@db:5432/hot and postgresql:/anna:…@db'
    >>> without_passwords("like postgresql://user:password@host:5432/hot, got postgresql://db/hot?password=secret")
    'like postgresql://user:password@host:5432/hot, got postgresql://db/hot?password=…'
    """
    return PASSWORD.sub(lambda found: f"{found[1] or found[2] or found[3]}…", text)


def write_error(line: str) -> None:
    """One line for people: without passwords and without what commands their terminal. Or the exit code must do."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{writable(visible(without_passwords(line)), sys.stderr)}\n")
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
    """Send what is left in the buffer nowhere, so that it cannot fail again when Python ends."""
    with suppress(OSError):
        place, nowhere = out.fileno(), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, place)
        os.close(nowhere)
