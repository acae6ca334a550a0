"""A copy of a collector's folder in one file, made while the collector runs."""

import io
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO

from hgldp.collector.log.end_mark import check_end, read_end_mark
from hgldp.collector.log.manifest import NAME as NAME_OF_MANIFEST
from hgldp.collector.log.manifest import Manifest
from hgldp.collector.log.reading import Frozen, log_end, reason_of
from hgldp.collector.log.schema import FILE, FORMAT
from hgldp.errors import StorageFailed
from hgldp.system.durable import sync

MARK_OF_A_FILE = NAME_OF_MANIFEST.encode() + b"\0"
NAME_DIGITS = 32
WORKPLACE = ".hgldp-backup-"
MARK = "collector.backup"
SMALL_FILES = re.compile(r"admin-token\.sha256|admins/[a-z0-9][a-z0-9._-]*|admin-log(\.[0-9])?\.jsonl")


@dataclass(frozen=True)
class Backup:
    """What a backup holds."""

    made: float
    format: int
    tasks: int
    reports: int
    bytes: int


def back_up(folder: Path, target: Path) -> Backup:
    """Write a consistent copy; the target appears when it is whole and on the disk. A running collector goes on."""
    mark = read_end_mark(folder)  # before the moment that is copied: the mark never runs ahead of it
    target = target.absolute()
    try:
        with tempfile.TemporaryDirectory(prefix=WORKPLACE, dir=target.parent) as workplace:
            copy = Path(workplace) / FILE
            with closing(Frozen(folder)) as storage:
                storage.copy_to(copy)
            with closing(sqlite3.connect(copy)) as copied:
                tasks = copied.execute("SELECT COUNT(*) FROM tasks").fetchone()[0]
                position, _, reports = log_end(copied)
                secret = copied.execute("SELECT value FROM service WHERE name = 'secret'").fetchone()[0]
            check_end(mark, position, reports, None)
            files = _small_files(folder, Path(workplace) / "small") | {FILE: copy}
            hashes = {name: _digest(each) for name, each in files.items()}
            sizes = {name: each.stat().st_size for name, each in files.items()}
            facts = Manifest(time.time(), tasks, reports, hashes, sizes, _name_of(secret))
            draft = Path(workplace) / "draft"
            _pack(draft, files, facts)
            draft.replace(target)
            sync(target.parent)
    except sqlite3.Error as failure:
        raise StorageFailed(reason_of(failure)) from failure
    except OSError as failure:
        raise StorageFailed(f"the backup cannot be written: {failure.strerror}") from failure
    _leave_mark(folder, facts.made)
    return Backup(facts.made, FORMAT, tasks, reports, target.stat().st_size)


def last_backup(folder: Path) -> float | None:
    """When the last backup of a folder was made: the time of an empty file in it. None if nobody knows."""
    try:
        return os.lstat(folder / MARK).st_mtime
    except OSError:
        return None


def _leave_mark(folder: Path, made: float) -> None:
    """A folder that cannot be written, or that has something else in this place, does not spoil a good backup."""
    with suppress(OSError):
        path = folder / MARK
        path.unlink(missing_ok=True)
        mark = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.utime(mark, (made, made))
        finally:
            os.close(mark)


def _name_of(secret: bytes) -> str:
    """The same for all backups of a folder, wherever it is; nobody can tell the secret from it."""
    return sha256(b"hgldp collector " + secret).hexdigest()[:NAME_DIGITS]


def _small_files(folder: Path, workplace: Path) -> dict[str, Path]:
    """Copies of the admins and their log, which may change at any moment."""
    found = {}
    for each in sorted([*folder.glob("*"), *folder.glob("admins/*")]):
        name = each.relative_to(folder).as_posix()
        if SMALL_FILES.fullmatch(name) and each.is_file():
            found[name] = workplace / name
            found[name].parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(each, found[name])
    return found


def _pack(draft: Path, files: dict[str, Path], facts: Manifest) -> None:
    manifest = facts.packed()
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        with tarfile.open(fileobj=file, mode="w|") as archive:
            _add(archive, NAME_OF_MANIFEST, io.BytesIO(manifest), len(manifest))
            for name, each in files.items():
                with each.open("rb") as source:
                    _add(archive, name, source, each.stat().st_size)
        file.flush()
        os.fsync(file.fileno())


def _add(archive: tarfile.TarFile, name: str, source: IO[bytes], size: int) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, 0o600
    archive.addfile(info, source)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        digest = sha256()
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
