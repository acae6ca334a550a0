"""A copy of a collector's folder in one file, made while the collector runs, and a folder made from it again."""

import io
import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from hgldp.collector.log.end_mark import check_end, read_end_mark
from hgldp.collector.log.reading import Frozen, reason_of
from hgldp.collector.log.schema import FILE, FORMAT
from hgldp.errors import DamagedLog, StorageFailed
from hgldp.system.durable import sync

MANIFEST = "hgldp-backup.json"
MARK_OF_A_FILE = MANIFEST.encode() + b"\0"
MARK = "hgldp backup"
SMALL_FILES = re.compile(r"admin-token\.sha256|admins/[a-z0-9][a-z0-9._-]*|audit(\.[0-9])?\.jsonl")


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
        with tempfile.TemporaryDirectory(prefix=".hgldp-backup-", dir=target.parent) as workplace:
            copy = Path(workplace) / FILE
            with closing(Frozen(folder)) as storage:
                storage.copy_to(copy)
            with closing(sqlite3.connect(copy)) as copied:
                tasks = copied.execute("SELECT COUNT(*) FROM tasks").fetchone()[0]
                end = copied.execute("SELECT value FROM service WHERE name = 'end'").fetchone()[0]
            position, _, reports = map(int, end.split())
            check_end(mark, position, reports, None)
            facts = {"what": MARK, "format": FORMAT, "made": time.time(), "tasks": tasks, "reports": reports}
            draft = Path(workplace) / "draft"
            _pack(draft, _small_files(folder, Path(workplace) / "small") | {FILE: copy}, facts)
            draft.replace(target)
            sync(target.parent)
    except sqlite3.Error as failure:
        raise StorageFailed(reason_of(failure)) from failure
    except OSError as failure:
        raise StorageFailed(f"the backup cannot be written: {failure.strerror}") from failure
    return Backup(facts["made"], FORMAT, tasks, facts["reports"], target.stat().st_size)


def _small_files(folder: Path, workplace: Path) -> dict[str, Path]:
    """Copies of admins and audit trail, which may change at any moment."""
    found = {}
    for each in sorted([*folder.glob("*"), *folder.glob("admins/*")]):
        name = each.relative_to(folder).as_posix()
        if SMALL_FILES.fullmatch(name) and each.is_file():
            found[name] = workplace / name
            found[name].parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(each, found[name])
    return found


def _pack(draft: Path, files: dict[str, Path], facts: dict[str, object]) -> None:
    digests = {name: _digest(each) for name, each in files.items()}
    manifest = json.dumps(facts | {"sha256": digests}, indent=1).encode()
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        with tarfile.open(fileobj=file, mode="w|") as archive:
            _add(archive, MANIFEST, io.BytesIO(manifest), len(manifest))
            for name, each in files.items():
                with each.open("rb") as source:
                    _add(archive, name, source, each.stat().st_size)
        file.flush()
        os.fsync(file.fileno())


def _add(archive: tarfile.TarFile, name: str, source: IO[bytes], size: int) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, 0o600
    archive.addfile(info, source)


def restore(backup: Path, folder: Path) -> Backup:
    """Make a folder from a backup. The folder must be new or empty; it appears only when it is whole and checked."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DamagedLog(f"{folder} must be a new or empty folder; nothing was changed")
    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".hgldp-restore-", dir=folder.parent) as workplace:
        draft = Path(workplace) / "folder"
        draft.mkdir(mode=0o700)
        facts = _unpack(backup, draft)
        Frozen(draft).close()
        for ending in ("-wal", "-shm"):
            (draft / f"{FILE}{ending}").unlink(missing_ok=True)
        for each in draft.rglob("*"):
            sync(each)
        if folder.exists():
            folder.rmdir()
        draft.replace(folder)
        sync(folder.parent)
    return Backup(facts["made"], facts["format"], facts["tasks"], facts["reports"], backup.stat().st_size)


def _unpack(backup: Path, draft: Path) -> dict[str, Any]:
    """Only the files that a backup has, and only as their hashes say."""
    try:
        with tarfile.open(backup, "r|") as archive:
            facts: dict[str, Any] = {}
            for member in archive:
                source = archive.extractfile(member)
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
        raise DamagedLog(f"{backup} has the format {facts['format']}, and this version restores {FORMAT}")
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


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        digest = sha256()
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
