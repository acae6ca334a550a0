"""Secrets that a service manager hands over as files: `NAME_FILE` in the environment says where `NAME` is."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from hgldp.errors import InvalidField

LONGEST = 4_096


def with_secrets(environment: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """The environment, with each secret that a file holds. A refusal names the file, and never repeats a secret.

    >>> with_secrets({"HOME": "/"}, ["TOKEN"])
    {'HOME': '/'}
    >>> with_secrets({"TOKEN": "a", "TOKEN_FILE": "b"}, ["TOKEN"])
    Traceback (most recent call last):
    hgldp.errors.InvalidField: TOKEN_FILE must not be set together with TOKEN, got both
    """
    found = dict(environment)
    for name in names:
        path = environment.get(f"{name}_FILE")
        if path and environment.get(name):
            raise InvalidField(f"{name}_FILE", f"must not be set together with {name}", "both")
        if path:
            found[name] = _read(f"{name}_FILE", Path(path))
    return found


def _read(variable: str, path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LONGEST + 1).strip()
    except OSError as failure:
        known = isinstance(failure, PermissionError) or _is_a_place(path)
        shown = path if known else "something that is no file; it is withheld, for it may be the secret"
        raise InvalidField(
            variable, "must name a file that can be read", f"{shown} ({failure.strerror or 'unreadable'})"
        ) from None
    except UnicodeDecodeError:
        raise InvalidField(variable, "must name a text file", f"{path} with other bytes") from None
    if not text or len(text) > LONGEST or "\n" in text:
        found = "which is empty" if not text else "with several lines" if "\n" in text else "whose line is too long"
        raise InvalidField(variable, "must name a file with one line", f"{path}, {found}")
    return text


def _is_a_place(path: Path) -> bool:
    """Whether its folder exists. Someone who put the secret itself in place of a file has named none."""
    return path.parent not in (Path(), Path("/")) and os.path.isdir(path.parent)
