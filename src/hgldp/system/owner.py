"""A folder that one user keeps private: nobody else reads what is made in it, and root does not touch it.

A user who may write to a folder can put links to any file of the machine into it, and root would follow them, as
SQLite does. A user who may write to a folder above it can put a link in its place. So root works only where nobody else
can do either.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hgldp.errors import InvalidField

_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_MOST_LINKS = 40  # one after the other: Linux follows no more, and links in a circle would never end


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """While the block lasts, nobody else can read what any thread of the process makes. Refuses root where it must."""
    _refuse_root(folder)
    mask = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(mask)


def _refuse_root(folder: Path) -> None:
    """Below a sticky folder, such as /tmp, the folder must be there: others could make one of that name first."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    owner, shared = None, False
    with suppress(OSError):
        owner = folder.stat().st_uid
    for each in _way_to(folder.absolute()):
        try:
            found = each.lstat()
        except FileNotFoundError:
            if shared:
                rule = "must exist before root works in it, because others may write the folder above it"
                raise InvalidField("data", f"{rule}: mkdir -p -m 700 {folder}", folder) from None
            return
        except OSError:
            return  # such as a file on the way: opening the folder will say so
        if found.st_uid != 0:
            name = _name(found.st_uid)
            rule = "must not belong to another user, nor may a folder above it or a link to it, if root works in it"
            do = f"run this as that user (sudo -u {name} hgldp …)"
            if owner not in (None, found.st_uid):
                do = "use a folder that belongs to root with all that are above it"
            raise InvalidField("data", f"{rule}: {do}", f"{each} of {name}")
        shared = stat.S_ISDIR(found.st_mode) and bool(found.st_mode & _BY_OTHERS)
        if shared and (not found.st_mode & stat.S_ISVTX or os.path.realpath(each) == os.path.realpath(folder)):
            rule = "must not be writable by others, nor may a folder above it, if root works in it"
            do = f"use another folder, or if nobody else has to write there, chmod go-w {each}"
            raise InvalidField("data", f"{rule}: {do}", f"{each} with mode {stat.S_IMODE(found.st_mode):o}")


def _way_to(path: Path, most_links: int = _MOST_LINKS) -> Iterator[Path]:
    """All folders and links that the system goes through, from the root on, and the folder itself."""
    for each in (*reversed(path.parents), path):
        yield each
        if most_links and each.is_symlink():
            yield from _way_to(each.parent / each.readlink(), most_links - 1)


def _name(user: int) -> str:
    """As sudo takes it."""
    import pwd  # noqa: PLC0415 - not on every system

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"'#{user}'"


def write_privately(path: Path, text: str) -> None:
    """For the owner alone; a crash leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    draft.unlink(missing_ok=True)
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
