"""Where machine code is kept between two runs: in a folder that nobody else can write, or nowhere.

Loading machine code is running it, so whoever can write the folder can do whatever this process can. A folder is used
only if it and all folders above it belong to this user or to root, and nobody else may change what they hold. A folder
that cannot be written serves too if all the code is in it already: an image may bring it.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryFile

VARIABLE = "HGLDP_CACHE_DIR"
NOWHERE = "off"
COMPLETE = "complete"
VERSIONS = 4
_NAME = re.compile(r"hgldp-[0-9a-f]{16}")
_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_last_resort: list[Path] = []
_for_now: list[Path] = []


@dataclass(frozen=True)
class Place:
    """A folder that was looked at, and why it does not serve; `why_not` is empty if it does."""

    folder: Path
    why_not: str


def fall_back_on(folder: Path) -> None:
    """Use this folder when no other serves. Call it before the first kernel is called."""
    _last_resort[:] = [folder]


def keep_for_now(folder: Path | None) -> None:
    """Use this temporary folder if no other serves, even with `HGLDP_CACHE_DIR=off`; None ends that."""
    _for_now[:] = [] if folder is None else [folder]


def find_folder(name: str, source: str, given: str = "") -> str | None:
    """The first folder called `name`, for the code of this version, that serves."""
    return next((str(place.folder) for place in look(name, source, given) if not place.why_not), None)


def look(name: str, source: str, given: str = "") -> Iterator[Place]:
    """The folders in question, in order: set by hand, beside the source, the user's, the last resort, temporary."""
    beside = Path(source)
    chosen = os.environ.get(VARIABLE) or given
    if chosen and chosen != NOWHERE:
        yield _judged(Path(chosen) / name)
    if chosen != NOWHERE:
        yield _judged(beside / "__pycache__" / name, beside)
        with suppress(RuntimeError):
            yield _judged(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hgldp" / name)
        for folder in _last_resort:
            yield _judged(folder / name)
    for folder in _for_now:
        yield _judged(folder / name)


def _judged(folder: Path, source: Path | None = None) -> Place:
    """Make the folder if that is possible, and see whether it can be trusted and used."""
    folder = Path(os.path.realpath(folder))
    is_new = not os.path.exists(folder)  # Path.exists fails where this user may not look
    with suppress(OSError):
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    try:
        why_not = who_else_writes(folder, source)
        if is_new and not why_not:
            _forget_old_versions(folder.parent)
        if not why_not and not (folder / COMPLETE).exists():
            TemporaryFile(dir=folder).close()
    except OSError as failure:
        why_not = failure.strerror or "cannot be used"
    return Place(folder, why_not)


def who_else_writes(folder: Path, source: Path | None = None) -> str:
    """Why others could change what lies in a folder, or nothing if they cannot.

    Below a folder with source code, whoever may change the source may change the machine code too.
    """
    owners, shared = {0, _me()}, 0
    if source is not None:
        owners.add(source.stat().st_uid)
        shared = source.stat().st_mode
    for each in (folder, *folder.parents):
        if each == source:
            break
        found = each.stat()
        kept_apart = each != folder and found.st_mode & stat.S_ISVTX
        if _me() >= 0 and found.st_uid not in owners:
            return f"{each} belongs to another user"
        if _me() >= 0 and found.st_mode & _BY_OTHERS & ~shared and not kept_apart:
            return f"others can write {each}"
    return ""


def _me() -> int:
    """The user's number, or −1 on systems without numbers, which protect a user's folders in their own way."""
    return os.geteuid() if hasattr(os, "geteuid") else -1


def _forget_old_versions(folder: Path) -> None:
    """Keep the code of a few versions, so that upgrades do not pile up."""
    found = [each for each in folder.iterdir() if _NAME.fullmatch(each.name) and each.is_dir()]
    for old in sorted(found, key=lambda each: each.stat().st_mtime)[:-VERSIONS]:
        rmtree(old, ignore_errors=True)
