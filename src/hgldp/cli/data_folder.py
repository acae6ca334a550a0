"""A data folder that a command works in: what it makes there is for the owner, and what the system refuses is said."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hgldp.collector.log.soundness import WRONG_FORM
from hgldp.errors import DamagedLog, HgldpError, InvalidField
from hgldp.system.owner import give_to_owner, private_files


@contextmanager
def usable(folder: Path) -> Iterator[None]:
    """Others can read nothing that is made in it, and what root makes belongs to the owner of the folder.

    >>> with usable(Path("data")):
    ...     raise PermissionError(13, "Permission denied")
    Traceback (most recent call last):
    hgldp.errors.InvalidField: data must be a folder that you may use, got data (Permission denied)
    """
    try:
        with private_files():
            before = _files(folder)
            try:
                yield
            finally:
                for each in _files(folder) - before:
                    give_to_owner(folder / each[0], folder)
    except (BrokenPipeError, HgldpError):
        raise
    except (sqlite3.Error, *WRONG_FORM) as failure:
        told = f"{folder} must hold what a collector wrote, but something in it is of another form"
        raise DamagedLog(f"{told} ({type(failure).__name__}). Restore a backup (hgldp restore)") from failure
    except OSError as failure:
        found = f"{folder} ({failure.strerror or 'unusable'})"
        raise InvalidField("data", "must be a folder that you may use", found) from None


def _files(folder: Path) -> set[tuple[str, int]]:
    """Names, each with what tells a new file from the one that it replaced."""
    return {(each.name, each.lstat().st_ino) for each in folder.iterdir()} if folder.is_dir() else set()
