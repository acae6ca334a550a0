"""Who runs the collector: admins by name, each with a token of its own. The folder keeps only the tokens' hashes.

The admin called `admin` is in `admin-token.sha256`, as in 0.1.0; every other one is a file in the folder `admins`. A
file is written or removed as a whole, so the command line and a running collector need no lock between them.
"""

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path

from hgldp.collector.tokens import kept, new_token
from hgldp.errors import InvalidField, MalformedState
from hgldp.system.owner import write_privately

FIRST, CHOSEN = "admin", "environment"
FIRST_FILE, FOLDER, SUFFIX = "admin-token.sha256", "admins", ".sha256"
NEW_TOKEN_FILE = "admin-token.txt"  # noqa: S105 - a file's name
MOST_ADMINS = 100
DIGEST_BYTES = 32
SETTLED_SECONDS = 2.0
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")
Stamp = tuple[int, ...]


def checked_name(name: str) -> str:
    """The same; a name that could be anything but a plain file name is refused."""
    if not _NAME.fullmatch(name) or name == CHOSEN:
        rule = f"must have 1 … 32 characters of a-z, 0-9, dot, dash and underscore, and not be {CHOSEN}"
        raise InvalidField("name", rule, ascii(name)[:60])
    return name


def admin_file(folder: Path, name: str) -> Path:
    """Where the hash of an admin's token is."""
    checked_name(name)
    return folder / FIRST_FILE if name == FIRST else folder / FOLDER / f"{name}{SUFFIX}"


def admin_files(folder: Path) -> dict[str, Path]:
    """Every admin of a folder by name."""
    first = {FIRST: folder / FIRST_FILE} if (folder / FIRST_FILE).exists() else {}
    others = {path.name.removesuffix(SUFFIX): path for path in sorted((folder / FOLDER).glob(f"*{SUFFIX}"))}
    return first | {
        name: path for name, path in others.items() if _NAME.fullmatch(name) and name not in (FIRST, CHOSEN)
    }


def add_admin(folder: Path, name: str, entropy: Callable[[int], bytes] = os.urandom) -> str:
    """A new admin's token, which is told here and never again."""
    path = admin_file(folder, name)
    if path.exists():
        raise InvalidField("name", "must be new (hgldp admin rotate makes a new token)", name)
    if len(admin_files(folder)) >= MOST_ADMINS:
        raise InvalidField("name", f"must be one of at most {MOST_ADMINS} admins", name)
    return write_admin(folder, name, entropy)


def rotate_admin(folder: Path, name: str, entropy: Callable[[int], bytes] = os.urandom) -> str:
    """A new token for an admin; the old one opens nothing any more, nor do cookies that were made with it."""
    _known(folder, name)
    token = write_admin(folder, name, entropy)
    if name == FIRST:
        with suppress(OSError):  # nobody knows the new token yet: it must be told whatever happens
            (folder / NEW_TOKEN_FILE).unlink()
    return token


def remove_admin(folder: Path, name: str) -> None:
    """Take an admin away; the last one stays."""
    path = _known(folder, name)
    if len(admin_files(folder)) == 1:
        raise InvalidField("name", "must not be the last admin (hgldp admin add adds another)", name)
    path.unlink()


def write_admin(folder: Path, name: str, entropy: Callable[[int], bytes]) -> str:
    """Keep the hash of a new token."""
    token = new_token(entropy)
    write_privately(admin_file(folder, name), kept(token).hex())
    return token


def _known(folder: Path, name: str) -> Path:
    path = admin_file(folder, name)
    if not path.exists():
        there = ", ".join(admin_files(folder)) or "none"
        raise InvalidField("name", f"must be one of the admins ({there})", name)
    return path


def read_digest(path: Path) -> bytes:
    """The hash in a file; anything else is refused."""
    try:
        stored = bytes.fromhex(path.read_text(encoding="ascii"))
    except ValueError:
        stored = b""
    if len(stored) != DIGEST_BYTES:
        raise MalformedState(f"{path.name} must hold 64 hexadecimal digits; hgldp admin rotate makes a new token")
    return stored


class Admins:
    """The admins of a running collector. A change of the files counts from the next request on.

    A token that a person chose, in the environment, takes the place of the one called `admin`. It is compared only if
    `chosen` is true: unlike ours, it may be one that can be guessed.
    """

    def __init__(self, folder: Path, chosen: bytes | None = None) -> None:
        self._folder, self._chosen = folder, chosen
        self._stamp: Stamp = ()
        self._digests: dict[str, bytes] = {}

    def name_of(self, proof: bytes, *, chosen: bool = True) -> str | None:
        """Whose token or cookie has this hash. All are compared, so that time does not tell which one is near."""
        found = None
        for name, stored in self._current().items():
            if compare_digest(proof, stored):
                found = name
        if chosen and self._chosen is not None and compare_digest(proof, self._chosen):
            found = CHOSEN
        return found

    def _current(self) -> dict[str, bytes]:
        stamp = _stamp(self._folder / FIRST_FILE) + _stamp(self._folder / FOLDER)
        if stamp != self._stamp:
            self._digests = self._read()
            newest = max(stamp, default=0) / 1e9
            settled = time.time() - newest > SETTLED_SECONDS  # two changes within one tick have the same stamp
            self._stamp = stamp if settled else ()
        return self._digests

    def _read(self) -> dict[str, bytes]:
        found = {}
        for name, path in list(admin_files(self._folder).items())[:MOST_ADMINS]:
            if name == FIRST and self._chosen is not None:
                continue
            with suppress(OSError, MalformedState):
                found[name] = read_digest(path)
        return found


def _stamp(path: Path) -> Stamp:
    """What changes when a file is replaced, or a file in a folder."""
    try:
        found = path.stat()
    except OSError:
        return (0,)
    return (found.st_mtime_ns, found.st_ctime_ns)
