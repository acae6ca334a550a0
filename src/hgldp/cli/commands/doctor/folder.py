"""The data folder: whose it is, who can read it, and how much room there is."""

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from hgldp.cli.commands.doctor.finding import Finding, ok, problem, warning
from hgldp.cli.units import in_bytes
from hgldp.collector.log.backup import last_backup

ENOUGH, TOO_LITTLE = 10 << 30, 2 << 30
AHEAD_SECONDS = 300
OLD_DAYS = 2
OF_THE_FILE_SYSTEM = "lost+found"
AS_THE_USER = "run this as the user of the collector, such as with sudo -u hgldp"


def check_folder(folder: Path) -> Iterator[Finding]:
    """All that can be said without opening a file in it."""
    try:
        if not folder.is_dir():
            yield problem("folder", f"{folder} is not there", "make it, or start the collector, which makes it")
            return
        inside = [each for each in folder.iterdir() if each.name != OF_THE_FILE_SYSTEM]
    except OSError as failure:
        yield problem("folder", f"{folder} cannot be read ({failure.strerror})", AS_THE_USER)
        return
    yield _owner(folder, inside)
    yield _permissions(folder)
    yield _room(folder)
    yield _times(inside)
    yield _backup(folder)


def _owner(folder: Path, inside: list[Path]) -> Finding:
    found, me = folder.stat().st_uid, os.geteuid()
    strange = sorted({path.name for path in inside if path.lstat().st_uid != found})
    if strange:
        said = (
            f"{', '.join(strange[:3])} {'belongs' if len(strange) == 1 else 'belong'} to another user than the folder"
        )
        return problem("owner", said, f"give all to the owner of the folder: chown -R {found} {folder}")
    if me != found:
        return warning("owner", "the folder belongs to another user", AS_THE_USER)
    if found == 0:
        do = "for more than a try, run the collector as a user of its own: docs/deploy.md says how"
        return warning("owner", "the folder belongs to root", do)
    if not os.access(folder, os.W_OK | os.X_OK):
        return problem("owner", "the folder cannot be written", f"chmod u+rwx {folder}")
    return ok("owner", f"user {found}")


def _permissions(folder: Path) -> Finding:
    mode = folder.stat().st_mode & 0o777
    if mode & 0o002:
        return problem("permissions", f"others can write the folder ({mode:o})", f"chmod 700 {folder}")
    if mode & 0o077:
        return warning("permissions", f"its group or others can enter the folder ({mode:o})", f"chmod 700 {folder}")
    return ok("permissions", f"{mode:o}")


def _room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    says = f"{in_bytes(free)} free"
    if free < TOO_LITTLE:
        return problem("disk", says, "make room: uploads are refused when it is full")
    if free < ENOUGH:
        return warning("disk", says, "watch hgldp_disk_free_bytes, and make room in time")
    return ok("disk", says)


def _times(inside: list[Path]) -> Finding:
    """A file from the future means that the clock was put back."""
    ahead = max((path.lstat().st_mtime for path in inside), default=0.0) - time.time()
    if ahead > AHEAD_SECONDS:
        says = f"the folder holds a file from the future ({ahead:,.0f} s): the clock was put back, or is wrong now"
        return warning("file times", says, "compare the clock with another one, and set it right")
    return ok("file times", "none is from the future")


def _backup(folder: Path) -> Finding:
    """The file that hgldp backup leaves tells when it was."""
    made = last_backup(folder)
    if made is None:
        return ok("backup", "hgldp backup has made none yet")
    says = f"the last one is of {time.strftime('%Y-%m-%d %H:%M', time.gmtime(made))} UTC"
    if time.time() - made > OLD_DAYS * 86_400:
        return warning("backup", says, "run hgldp backup, and let something run it every night: docs/deploy.md")
    return ok("backup", says)
