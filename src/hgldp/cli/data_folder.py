"""A data folder that a command works in: what it makes there is private, and what the system refuses is an error."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hgldp.collector.log.soundness import WRONG_FORM
from hgldp.errors import DamagedLog, HgldpError, InvalidField
from hgldp.system.owner import working_in


@contextmanager
def usable(folder: Path) -> Iterator[None]:
    """Nobody else can read what is made in it, and root does not work where another user can put links.

    >>> with usable(Path("data")):
    ...     raise PermissionError(13, "Permission denied")
    Traceback (most recent call last):
    hgldp.errors.InvalidField: data must be a folder that you may use, got data (Permission denied)
    """
    try:
        with working_in(folder):
            yield
    except (BrokenPipeError, HgldpError):
        raise
    except (sqlite3.Error, *WRONG_FORM) as failure:
        told = f"{folder} must hold what a collector wrote, but something in it is of another form"
        raise DamagedLog(f"{told} ({type(failure).__name__}). Restore a backup (hgldp restore)") from failure
    except OSError as failure:
        found = f"{folder} ({failure.strerror or 'unusable'})"
        raise InvalidField("data", "must be a folder that you may use", found) from None
