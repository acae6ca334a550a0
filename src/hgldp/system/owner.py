"""Files in a folder that belongs to somebody else: what root makes there is for the owner of the folder."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR


@contextmanager
def private_files() -> Iterator[None]:
    """As long as this lasts, nobody else can read what the process makes. The mask is that of all its threads."""
    mask = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(mask)


def write_privately(folder: Path, path: Path, text: str) -> None:
    """For the owner of the folder alone; a crash leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    draft.unlink(missing_ok=True)
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    for made in (path.parent, draft):
        give_to_owner(made, folder)
    draft.replace(path)


def give_to_owner(made: Path, folder: Path) -> None:
    """What root writes must stay readable for the collector, to which the folder belongs.

    Whoever may write the folder may put a link there. We do not follow it. A file with a second name keeps its owner.
    """
    if not hasattr(os, "fchown") or os.geteuid() != 0:
        return
    owner = folder.stat()
    with suppress(OSError):
        place = os.open(made, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            found = os.fstat(place)
            if S_ISDIR(found.st_mode) or found.st_nlink == 1:
                os.fchown(place, owner.st_uid, owner.st_gid)
        finally:
            os.close(place)
