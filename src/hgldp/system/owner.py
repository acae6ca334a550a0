"""A folder that one user keeps private: nobody else reads what is made in it, and root does not touch it.

A user who may write to a folder can put links to any file of the machine into it, and root would follow them, as
SQLite does. So root works only in folders of its own.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hgldp.errors import InvalidField


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
    """A folder that does not exist yet will be root's own, unless a link of another user leads to it."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    try:
        folder.stat()
    except FileNotFoundError:
        pass
    except OSError:
        return  # such as links in a circle: opening the folder will say so
    if stranger := next(filter(None, _owners(folder.absolute())), 0):
        name = _name(stranger)
        rule = f"must not belong to another user if root works in it: run this as its owner (sudo -u {name} hgldp …)"
        raise InvalidField("data", rule, f"{folder} of {name}")


def _owners(path: Path) -> Iterator[int]:
    """Of a folder, and of every link on the way to it with what it leads to."""
    for each in (*reversed(path.parents), path):
        if each.is_symlink():
            yield each.lstat().st_uid
            yield from _owners(each.parent / each.readlink())
    with suppress(FileNotFoundError):
        yield path.stat().st_uid


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
