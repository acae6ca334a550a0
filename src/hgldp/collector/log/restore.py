"""A folder made from a backup. It may be there already, as a mounted volume is, so the work is done inside it.

What is unpacked lies in `restoring` until all of it is checked and on the disk. The database is moved last: a folder
that has `restoring` and no database was cut off. No collector starts in it, and a second restore begins again.
"""

import json
import os
import shutil
import tarfile
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from hgldp.collector.admins import give_to_owner
from hgldp.collector.log.backup import MANIFEST, MARK, SMALL_FILES, Backup
from hgldp.collector.log.reading import Frozen
from hgldp.collector.log.schema import FILE, FORMAT
from hgldp.errors import DamagedLog, StorageFailed
from hgldp.system.durable import sync
from hgldp.system.folder_lock import FolderLock

DRAFT, LOCK, ADMINS = "restoring", "collector.lock", "admins"
NO_DATA = {"lost+found", LOCK, "compiled"}
NAMES_SHOWN = 3


def is_half_restored(folder: Path) -> bool:
    """Whether a restore into this folder was cut off."""
    return (folder / DRAFT).is_dir() and not (folder / FILE).exists()


def refuse_half_restored(folder: Path) -> None:
    """A collector that started here would start from nothing."""
    if is_half_restored(folder):
        raise DamagedLog(f"{folder} was being restored from a backup, and that was cut off: run hgldp restore again")


def restore(backup: Path, folder: Path) -> Backup:
    """Make a folder from a backup. It must be new, empty, or what a restore that was cut off has left."""
    folder = folder.absolute()
    try:
        archive = backup.open("rb")
    except OSError as failure:
        raise StorageFailed(f"{backup} cannot be read: {failure.strerror}") from failure
    with archive:
        try:
            facts = _restore(archive, backup, folder)
        except OSError as failure:
            raise StorageFailed(f"{folder} cannot be restored: {failure.strerror or failure}") from failure
        size = os.fstat(archive.fileno()).st_size
    return Backup(facts["made"], facts["format"], facts["tasks"], facts["reports"], size)


def _restore(archive: IO[bytes], backup: Path, folder: Path) -> dict[str, Any]:
    _refuse_data(folder)
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FolderLock(folder, LOCK)
    try:
        _refuse_data(folder)  # again, now that nobody else works in it
        facts = _unpacked(archive, backup, folder)
        _publish(folder)
        for each in missing:
            sync(each.parent)
    except BaseException:
        if missing and not (folder / DRAFT).exists() and not (folder / FILE).exists():
            shutil.rmtree(folder)
        raise
    finally:
        lock.release()
    return facts


def _refuse_data(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise DamagedLog(f"{folder} must be a folder, but it is a file. Nothing was changed")
    found = {each.name for each in folder.iterdir()} - NO_DATA if folder.exists() else set()
    if is_half_restored(folder):
        found = {name for name in found if name not in (DRAFT, ADMINS) and not SMALL_FILES.fullmatch(name)}
    if found:
        shown = ", ".join(sorted(found)[:NAMES_SHOWN]) + (" and more" if len(found) > NAMES_SHOWN else "")
        raise DamagedLog(
            f"{folder} must be new or empty, but it holds {shown}: move that away, or restore into another folder. "
            "Nothing was changed"
        )


def _unpacked(archive: IO[bytes], backup: Path, folder: Path) -> dict[str, Any]:
    """Everything in the draft, checked and on the disk. If the backup is no good, nothing of it stays."""
    draft = folder / DRAFT
    if draft.exists():
        _forget(folder)
    draft.mkdir(mode=0o700)
    try:
        facts = _unpack(archive, backup, draft)
        Frozen(draft).close()
        for ending in ("-wal", "-shm"):
            (draft / f"{FILE}{ending}").unlink(missing_ok=True)
        for each in (*draft.rglob("*"), draft, folder / LOCK):
            give_to_owner(each, folder)
        for each in (*draft.rglob("*"), draft):
            sync(each)
    except BaseException:
        shutil.rmtree(draft)
        raise
    return facts


def _forget(folder: Path) -> None:
    """Delete what an earlier restore had moved; `restoring` goes last, because this may be cut off too."""
    for each in list(folder.iterdir()):
        if each.name == ADMINS:
            shutil.rmtree(each)
        elif SMALL_FILES.fullmatch(each.name):
            each.unlink()
    sync(folder)
    shutil.rmtree(folder / DRAFT)


def _publish(folder: Path) -> None:
    """Move all of it into place, the database last."""
    draft = folder / DRAFT
    for each in sorted(draft.iterdir()):
        if each.name != FILE:
            _move(each, folder / each.name)
    sync(folder)
    _move(draft / FILE, folder / FILE)
    draft.rmdir()
    sync(folder)


def _move(source: Path, target: Path) -> None:
    source.replace(target)


def _unpack(archive: IO[bytes], backup: Path, draft: Path) -> dict[str, Any]:
    """Only the files that a backup has, and only as their hashes say."""
    try:
        with tarfile.open(fileobj=archive, mode="r|") as files:
            facts: dict[str, Any] = {}
            for member in files:
                source = files.extractfile(member)
                if source is None or not (member.name in (MANIFEST, FILE) or SMALL_FILES.fullmatch(member.name)):
                    raise DamagedLog(f"{backup} must be a backup that hgldp made, but it holds other things")
                if member.name == MANIFEST:
                    facts = _read_manifest(source.read(1 << 20), backup)
                else:
                    _copy_checked(source, draft / member.name, facts.get("sha256", {}).get(member.name), backup)
            there = {each.relative_to(draft).as_posix() for each in draft.rglob("*")}
            missing = set(facts.get("sha256", {FILE: ""})) - there
    except (tarfile.TarError, EOFError) as wrong:
        raise DamagedLog(f"{backup} must be a whole backup that hgldp made, but it cannot be read: {wrong}") from None
    if missing:
        raise DamagedLog(f"{backup} must be whole, but it lacks {', '.join(sorted(missing))}")
    return facts


def _read_manifest(text: bytes, backup: Path) -> dict[str, Any]:
    try:
        facts = json.loads(text)
        right = facts["what"] == MARK and all(key in facts for key in ("made", "tasks", "reports", "sha256"))
    except (ValueError, KeyError, TypeError):
        right = False
    if not right:
        raise DamagedLog(f"{backup} must be a backup that hgldp made, but its first file says something else")
    if facts["format"] != FORMAT:
        raise DamagedLog(
            f"{backup} has the format {facts['format']}, and this version restores {FORMAT}: take the one that made it"
        )
    return dict(facts)


def _copy_checked(source: IO[bytes], target: Path, expected: str | None, backup: Path) -> None:
    digest = sha256()
    target.parent.mkdir(mode=0o700, exist_ok=True)
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while part := source.read(1 << 20):
            digest.update(part)
            file.write(part)
    if digest.hexdigest() != expected:
        raise DamagedLog(f"{target.name} in {backup} must be as it was backed up, but its bytes have changed")
