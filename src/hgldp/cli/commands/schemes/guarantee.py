"""The four-line promise in the docstring of every scheme and mechanism, read from there."""

import re
from dataclasses import dataclass
from inspect import getdoc

from hgldp.errors import InvalidField

KEYS = {"Privacy": "privacy", "Report bytes": "report_bytes", "Memory": "memory", "Error": "error"}
_LINE = re.compile(rf"({'|'.join(KEYS)}):\s+(.*)")


@dataclass(frozen=True)
class Guarantee:
    """What is promised, in the words of the docstring.

    >>> from hgldp.mechanisms.grr import GRR
    >>> read_guarantee(GRR).memory
    'one counter per value.'
    """

    summary: str
    privacy: str
    report_bytes: str
    memory: str
    error: str


def read_guarantee(described: type) -> Guarantee:
    """The promise of a class; a docstring without one is refused."""
    lines = [line.strip() for line in (getdoc(described) or "").splitlines()]
    found: dict[str, str] = {}
    current = ""
    for line in lines[1:]:
        match = _LINE.match(line)
        if match:
            current = KEYS[match[1]]
            found[current] = match[2]
        elif not line:
            current = ""
        elif current:
            found[current] += f" {line}"
    missing = [key for key, name in KEYS.items() if name not in found]
    if missing:
        raise InvalidField("docstring", f"of {described.__name__} must promise {', '.join(KEYS)}", f"no {missing[0]}")
    summary = " ".join(lines[: lines.index("")] if "" in lines else lines)
    return Guarantee(summary, **found)
