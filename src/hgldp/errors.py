"""The errors that several parts of the package raise. No message contains a raw item."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

LONGEST_TYPED = 80


class HgldpError(Exception):
    """The root of every error this package raises on purpose. It can go from one process to another."""

    def __reduce__(self) -> tuple[Any, ...]:
        """By its message and what else it knows: what it was made from is not kept."""
        return _again, (type(self), self.args, vars(self))


class InvalidField(HgldpError, ValueError):
    """A value that breaks a rule: names the field, the rule and the value.

    >>> raise InvalidField("epsilon", "must be finite and above 0", -1)
    Traceback (most recent call last):
    hgldp.errors.InvalidField: epsilon must be finite and above 0, got -1
    """

    def __init__(self, field: str, rule: str, value: object, hint: str = "") -> None:
        super().__init__(f"{field} {rule}, got {value}{hint}")
        self.field = field
        self.rule = rule
        self.value = value
        self.hint = hint


def did_you_mean(typed: str, known: Iterable[str]) -> str:
    """The end of a refusal: the known name that begins like the typed one or is near it, or nothing; case is ignored.

    >>> did_you_mean("simulat", ["simulate", "schemes"]), did_you_mean("dance", ["simulate", "schemes"])
    ('; did you mean simulate?', '')
    >>> did_you_mean("simulate" * 1_000_000, ["simulate"])
    ''
    >>> did_you_mean("--eps", ["--help", "--epsilon"])
    '; did you mean --epsilon?'
    """
    if len(typed) > LONGEST_TYPED:
        return ""
    names = {name.lower(): name for name in known}
    begun = [name for name in names if typed and name.startswith(typed.lower())]
    near = begun or get_close_matches(typed.lower(), names, n=1)
    return f"; did you mean {names[near[0]]}?" if near else ""


class OutsideDomain(HgldpError, ValueError):
    """An item that the domain does not hold. The item itself is not in the message: it is private.

    `place` tells which of several items it was, from 1.
    """

    def __init__(self, domain: str, place: int | None = None) -> None:
        which = "" if place is None else f" {place} of those asked for"
        super().__init__(f"item{which} is outside the domain ({domain}); the item is withheld from this message")
        self.domain = domain


class UnknownBulletin(HgldpError, LookupError):
    """A report that answers a bulletin the server never published or no longer remembers."""

    def __init__(self, version: str) -> None:
        super().__init__(f"bulletin must be one of the latest the server published, got version {version}")


class MalformedLine(HgldpError, ValueError):
    """A line of an input file that cannot be read. Named by its number; never by its text, which may be private.

    `withheld` says so where a reader would expect the text.
    """

    def __init__(self, source: str, line: int, rule: str, *, withheld: bool = False) -> None:
        why = "; the text is withheld from this message" if withheld else ""
        super().__init__(f"{source}, line {line}: {rule}{why}")
        self.line = line


class MalformedState(HgldpError, ValueError):
    """Bytes that are not a state of this package."""


class MalformedBytes(HgldpError, ValueError):
    """Bytes from the network that are not what they claim to be. What they hold is never repeated."""


class MissingExtra(HgldpError, ImportError):
    """A part of the package whose dependencies are not installed; says how to install them without PyPI."""

    def __init__(self, extra: str, missing: str) -> None:
        root = _checkout()
        how = (
            f"pip install '.[{extra}]' in a checkout of hgldp" if root is None else f"pip install -e '{root}[{extra}]'"
        )
        super().__init__(f"this needs the extra '{extra}' ({missing} is missing): {how}")


class BudgetSpent(HgldpError):
    """A person's whole budget is spent: nothing more is sent."""

    def __init__(self, events: int) -> None:
        super().__init__(
            f"events must be at most {events} per user, and that many are already reported: nothing is sent"
        )


class StorageFailed(HgldpError):
    """The database did not write or read what it was asked to; nothing of it happened."""


class DamagedLog(HgldpError):
    """A data folder that does not hold what this package wrote."""


class FolderInUse(HgldpError):
    """A folder that another process works on. `hint` says what to do, if that is more than to end the other one."""

    def __init__(self, folder: object, hint: str = "end the other one first") -> None:
        super().__init__(f"{folder} is in use by another process, and only one at a time may use it; {hint}")


class FolderLost(HgldpError):
    """The folder at the path is no longer the one that this process locked, or the process is another one."""

    def __init__(self) -> None:
        super().__init__(
            "folder must stay in its place and in this process while it is in use; it was closed, moved or replaced"
        )


def _again(kind: type[HgldpError], args: tuple[object, ...], known: dict[str, object]) -> HgldpError:
    found = kind.__new__(kind, *args)
    vars(found).update(known)
    return found


def _checkout() -> Path | None:
    """The folder of the checkout that this package runs from, if it is not an installed copy."""
    root = Path(__file__).resolve().parents[2]
    try:
        project = (root / "pyproject.toml").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return root if 'name = "hgldp"\n' in project else None
