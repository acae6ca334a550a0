"""Answers that stay the same, without a list of items: a draw follows from a secret, the bulletin and the item.

So the same item against the same bulletin gives the same report, however often. Whoever does not know the
secret cannot tell such draws from fresh ones (HMAC-SHA-256 as a pseudorandom function).
"""

import os
from contextlib import suppress
from hashlib import sha256
from hmac import digest
from pathlib import Path

from hgldp.client.environment import Disk
from hgldp.model.domain import Code
from hgldp.model.randomness import Words

SECRET_BYTES = 32
WORD_BYTES = 8


def new_secret() -> bytes:
    """32 bytes of the operating system's entropy."""
    return os.urandom(SECRET_BYTES)


def kept_secret(disk: Disk, path: Path) -> bytes:
    """The device's secret for answers that stay the same; made and kept if there is none."""
    with suppress(FileNotFoundError):
        found = disk.read(path, SECRET_BYTES)
        if len(found) == SECRET_BYTES:
            return found
    secret = new_secret()
    disk.write(path, secret)
    return secret


class KeyedWords(Words):
    """HMAC-SHA-256 of bulletin, item and a counter.

    >>> secret = new_secret()
    >>> KeyedWords(secret, b"bulletin", 7).word() == KeyedWords(secret, b"bulletin", 7).word()
    True
    """

    def __init__(self, secret: bytes, bulletin: bytes, code: Code) -> None:
        self._secret = secret
        self._context = sha256(bulletin).digest() + sha256(_bytes_of(code)).digest()
        self._counter, self._ready = 0, b""

    def word(self) -> int:
        """The next eight bytes."""
        if not self._ready:
            self._ready = digest(self._secret, self._context + self._counter.to_bytes(8, "big"), "sha256")
            self._counter += 1
        word, self._ready = self._ready[:WORD_BYTES], self._ready[WORD_BYTES:]
        return int.from_bytes(word, "little")


def _bytes_of(code: Code) -> bytes:
    """A code as bytes, different for different codes."""
    if code is None:
        return b"none"
    return b"bytes" + code if isinstance(code, bytes) else b"number" + str(code).encode()
