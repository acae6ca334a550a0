"""The memory of a device, without a memory: the words of a draw follow from a secret, the bulletin and the item.

So the same item against the same bulletin gives the same report, however often, and no list of items is kept. Whoever
does not know the secret cannot tell such words from fresh ones (HMAC-SHA-256 as a pseudorandom function).
"""

import os
from hashlib import sha256
from hmac import digest

from hgldp.model.domain import Code
from hgldp.model.randomness import Words

SECRET_BYTES = 32
WORD_BYTES = 8


def new_secret() -> bytes:
    """32 bytes of the operating system's entropy."""
    return os.urandom(SECRET_BYTES)


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
