"""A folder made from a backup. It may be there already, as a mounted volume is, so the work is done inside it.

What is unpacked lies in `restoring` until all of it is checked and on the disk. The database is moved last: a folder
that has `restoring` and no database was cut off. No collector starts in it, and a second restore begins again.
"""

import os
import shutil
import tarfile
from hashlib import sha256
from pathlib import Path
from typing import IO

from hgldp.collector.log.backup import SMALL_FILES, Backup
from hgldp.collector.log.manifest import MOST_BYTES, Manifest, read_manifest
from hgldp.collector.log.manifest import NAME as NAME_OF_MANIFEST
from hgldp.collector.log.reading import Frozen
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.soundness import refuse_unsound
from hgldp.errors import DamagedLog, StorageFailed
from hgldp.system.durable import sync
from hgldp.system.folder_lock import FolderLock

DRAFT, LOCK, ADMINS = "restoring", "collector.lock", "admins"
NO_DATA = {"lost+found", LOCK, "compiled"}
NAMES_SHOWN = 3
UNREADABLE = (tarfile.TarError, EOFError, ValueError, ArithmeticError, LookupError, RecursionError, MemoryError)


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
    return Backup(facts.made, facts.format, facts.tasks, facts.reports, size)


def _restore(archive: IO[bytes], backup: Path, folder: Path) -> Manifest:
    _refuse_data(folder)
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FolderLock(folder, LOCK)
    try:
        _refuse_data(folder)  # again, now that nobody else works in it
        facts = _unpacked(archive, backup, folder)
        try:
            _publish(folder)
        except BaseException:
            if is_half_restored(folder):
                _forget(folder)
            raise
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


def _unpacked(archive: IO[bytes], backup: Path, folder: Path) -> Manifest:
    """Everything in the draft, checked and on the disk. If the backup is no good, nothing of it stays."""
    draft = folder / DRAFT
    if draft.exists():
        _forget(folder)
    draft.mkdir(mode=0o700)
    try:
        facts = _unpack(archive, backup, draft)
        Frozen(draft).close()
        refuse_unsound(draft)
        for ending in ("-wal", "-shm"):
            (draft / f"{FILE}{ending}").unlink(missing_ok=True)
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


def _unpack(archive: IO[bytes], backup: Path, draft: Path) -> Manifest:
    """Only the files that a backup has, each once, and only as the first of them says."""
    try:
        with tarfile.open(fileobj=archive, mode="r|") as files:
            members = iter(files)
            facts = _read_first(files, next(members, None), backup)
            missing = set(facts.sha256) | {FILE}
            for member in members:
                if member.name not in missing or not (member.name == FILE or SMALL_FILES.fullmatch(member.name)):
                    raise DamagedLog(f"{backup} must be a backup that hgldp made, but it holds other things")
                if member.size != facts.size.get(member.name, member.size):
                    raise DamagedLog(_changed(member.name, backup))
                _copy_checked(_content(files, member, backup), draft / member.name, facts.sha256[member.name], backup)
                missing.remove(member.name)
    except UNREADABLE as wrong:
        raise DamagedLog(_not_whole(backup, wrong)) from None
    if missing:
        raise DamagedLog(f"{backup} must be whole, but it lacks {', '.join(sorted(missing))}")
    return facts


def manifest_of(backup: Path) -> Manifest:
    """What a backup says that it holds; nothing else of it is read."""
    try:
        with backup.open("rb") as archive, tarfile.open(fileobj=archive, mode="r|") as files:
            return _read_first(files, next(iter(files), None), backup)
    except UNREADABLE as wrong:
        raise DamagedLog(_not_whole(backup, wrong)) from None
    except OSError as failure:
        raise StorageFailed(f"{backup} cannot be read: {failure.strerror}") from failure


def _not_whole(backup: Path, wrong: BaseException) -> str:
    told = str(wrong) if isinstance(wrong, tarfile.TarError) else "its form is wrong"
    return f"{backup} must be a whole backup that hgldp made, but it cannot be read: {told}"


def _read_first(files: tarfile.TarFile, first: tarfile.TarInfo | None, backup: Path) -> Manifest:
    if first is None or first.name != NAME_OF_MANIFEST:
        raise DamagedLog(f"{backup} must be a backup that hgldp made, but its first file is another one")
    return read_manifest(_content(files, first, backup).read(MOST_BYTES + 1), backup)


def _content(files: tarfile.TarFile, member: tarfile.TarInfo, backup: Path) -> IO[bytes]:
    """A backup has neither links nor sparse files: a few bytes of those could stand for more than any disk holds."""
    source = files.extractfile(member) if member.isreg() and not member.issparse() else None
    if source is None:
        raise DamagedLog(f"{backup} must be a backup that hgldp made, but it holds other things")
    return source


def _copy_checked(source: IO[bytes], target: Path, expected: str, backup: Path) -> None:
    digest = sha256()
    target.parent.mkdir(mode=0o700, exist_ok=True)
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while part := source.read(1 << 20):
            digest.update(part)
            file.write(part)
    if digest.hexdigest() != expected:
        raise DamagedLog(_changed(target.name, backup))


def _changed(name: str, backup: Path) -> str:
    return f"{name} in {backup} must be as it was backed up, but its bytes have changed"
