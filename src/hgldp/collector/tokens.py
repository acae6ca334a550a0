"""Write keys, read tokens and admin tokens: 32 random bytes for their holders, a hash for the server."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from hmac import compare_digest

TOKEN_BYTES = 32
LONGEST = 512
_LABEL = b"hgldp session 2 "
_RANDOM = re.compile(r"[A-Za-z0-9_-]{43}|[0-9a-f]{64}")


def new_token(entropy: Callable[[int], bytes]) -> str:
    """A token that nobody can guess, in characters that need no escape in a path, a header or a shell.

    >>> new_token(bytes)
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    """
    return urlsafe_b64encode(entropy(TOKEN_BYTES)).rstrip(b"=").decode()


def digest(token: str) -> bytes:
    """What is stored of a write key.

    >>> digest("tea").hex()[:8]
    'a9f74d1e'
    """
    return sha256(token.encode(errors="surrogateescape")).digest()


def disguised(token: str) -> str:
    """What a browser's cookie holds instead of the token: enough to read, and the token cannot be computed from it.

    >>> disguised("tea") == disguised("tea") != disguised("mate")
    True
    """
    return urlsafe_b64encode(sha256(_LABEL + token.encode(errors="surrogateescape")).digest()).rstrip(b"=").decode()


def kept(token: str) -> bytes:
    """What is stored of a token that opens pages: the hash of its disguise. Neither can be computed from it.

    >>> kept("tea") in (digest("tea"), disguised("tea").encode())
    False
    """
    return digest(disguised(token))


def looks_random(token: str) -> bool:
    """Whether it has the form of the tokens that we make, or of the 64 hex digits that our manuals tell people to make.

    Nobody guesses one of those; others may be chosen badly.

    >>> looks_random(new_token(bytes)), looks_random("5f" * 32), looks_random("correct horse battery")
    (True, True, False)
    """
    return _RANDOM.fullmatch(token) is not None


def matches(token: str, stored: bytes) -> bool:
    """Whether a token is the stored one, compared in constant time.

    >>> matches("tea", kept("tea")), matches("", kept("tea")), matches(disguised("tea"), kept("tea"))
    (True, False, False)
    """
    return len(token) <= LONGEST and compare_digest(kept(token), stored)
