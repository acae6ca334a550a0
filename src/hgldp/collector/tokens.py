"""Write keys, read tokens and the admin token: 32 random bytes for whoever holds one, a hash for the server."""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from hmac import compare_digest

TOKEN_BYTES = 32
LONGEST = 512


def new_token(entropy: Callable[[int], bytes]) -> str:
    """A token that nobody can guess, in letters that a path, a header and a shell take as they are.

    >>> new_token(bytes)
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    """
    return urlsafe_b64encode(entropy(TOKEN_BYTES)).rstrip(b"=").decode()


def digest(token: str) -> bytes:
    """What is stored of a token.

    >>> digest("tea").hex()[:8]
    'a9f74d1e'
    """
    return sha256(token.encode(errors="surrogateescape")).digest()


def matches(token: str, stored: bytes) -> bool:
    """Whether a token is the one whose digest is stored, in a time that does not tell how nearly.

    >>> matches("tea", digest("tea")), matches("", digest("tea"))
    (True, False)
    """
    return len(token) <= LONGEST and compare_digest(digest(token), stored)


def session(stored: bytes) -> str:
    """What a browser's cookie holds instead of the token: enough to read, and no way back to the token.

    >>> session(digest("tea")) == session(digest("tea")) != session(digest("mate"))
    True
    """
    return urlsafe_b64encode(sha256(b"hgldp session 1" + stored).digest()).rstrip(b"=").decode()
