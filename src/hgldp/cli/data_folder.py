"""A data folder that a command works on: whatever the system refuses is one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hgldp.errors import InvalidField


@contextmanager
def usable(folder: Path) -> Iterator[None]:
    """For instance a folder of another user, a disk that is full, or one that can only be read.

    >>> with usable(Path("data")):
    ...     raise PermissionError(13, "Permission denied")
    Traceback (most recent call last):
    hgldp.errors.InvalidField: data must be a folder that you may use, got data (Permission denied)
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as failure:
        found = f"{folder} ({failure.strerror or 'unusable'})"
        raise InvalidField("data", "must be a folder that you may use", found) from None
