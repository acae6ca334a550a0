"""Sessions of the dashboard. A cookie is signed, so that signing in writes nothing and a restart changes nothing.

Only sign-outs are kept, until the cookie would have ended by itself, so that copies of the cookie open nothing.
"""

import json
import os
import re
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from heapq import nlargest
from hmac import compare_digest
from hmac import digest as hmac_digest
from math import ceil
from pathlib import Path

from hgldp.collector.tokens import digest, new_token
from hgldp.system.owner import write_privately

FILE = "dashboard-sessions.json"
SECONDS = 30 * 86_400
MOST_ENDED = 100
KEY_BYTES = 32
_SIGNED = re.compile(r"([A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{43}\.[0-9]{1,12})\.([0-9a-f]{64})")
Ended = dict[bytes, dict[str, int]]


@dataclass(frozen=True)
class Session:
    """From a sign-in until a sign-out, or for thirty days. `disguise` is what the cookie holds instead of the token."""

    disguise: str
    id: str
    ends: int

    @property
    def proof(self) -> bytes:
        """The hash that is kept of the token: a new token ends the sessions of the old one."""
        return digest(self.disguise)


class Sessions:
    """The last `MOST_ENDED` sessions that ended of each token are known by the hash of the token and by their ids.

    Once a token has so many, its sessions that began before all of those have ended too. So signing in and out again
    and again takes up no more room, and ends no session of another token.

    >>> from hgldp.collector.tokens import disguised
    >>> sessions = Sessions(bytes(32))
    >>> session = sessions.read(sessions.begin(disguised("tea"), 0.0))
    >>> session.ends, sessions.has_ended(session, 1.0), sessions.has_ended(session, SECONDS)
    (2592000, False, True)
    >>> sessions.end([session], 1.0)
    >>> sessions.has_ended(session, 1.0)
    True
    """

    def __init__(self, key: bytes, ended: Ended | None = None, entropy: Callable[[int], bytes] = os.urandom) -> None:
        self._key, self._ended, self._entropy = key, ended or {}, entropy

    def begin(self, disguise: str, now: float) -> str:
        """The cookie of a new session."""
        said = f"{disguise}.{new_token(self._entropy)}.{ceil(now) + SECONDS}"
        return f"{said}.{self._signature(said)}"

    def read(self, cookie: str) -> Session | None:
        """The session of a cookie that was made here; it may have ended."""
        found = _SIGNED.fullmatch(cookie)
        if found is None or not compare_digest(self._signature(found[1]), found[2]):
            return None
        disguise, name, ends = found[1].split(".")
        return Session(disguise, name, int(ends))

    def has_ended(self, session: Session, now: float) -> bool:
        """Whether its time is over, or its owner signed out."""
        ended = self._ended.get(session.proof, {})
        before_all = len(ended) >= MOST_ENDED and session.ends <= min(ended.values())
        return session.ends <= now or session.id in ended or before_all

    def end(self, sessions: Iterable[Session], now: float) -> None:
        """Somebody signed out. Durable on return; raises OSError or StorageFailed if it cannot be written."""
        self._ended = with_more(self._ended, sessions, now)

    def _signature(self, said: str) -> str:
        return hmac_digest(self._key, said.encode(), "sha256").hex()


def with_more(ended: Ended, sessions: Iterable[Session], now: float) -> Ended:
    """What there is to know when some more have ended."""
    found = {proof: dict(of_it) for proof, of_it in ended.items()}
    for each in sessions:
        found.setdefault(each.proof, {})[each.id] = each.ends
    still = {proof: [each for each in of_it.items() if each[1] > now] for proof, of_it in found.items()}
    return {
        proof: dict(nlargest(MOST_ENDED, of_it, key=lambda each: each[1])) for proof, of_it in still.items() if of_it
    }


class FolderSessions(Sessions):
    """In a file of the folder, with the key. Without the file, or if it is damaged, all have to sign in again.

    It is in no backup: a restored collector would accept cookies of people who have signed out since.
    """

    def __init__(self, folder: Path, entropy: Callable[[int], bytes] = os.urandom) -> None:
        self._folder, self._writing = folder, threading.Lock()
        try:
            key, ended = _read(folder / FILE)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            super().__init__(entropy(KEY_BYTES), entropy=entropy)
            with suppress(OSError):  # on a full disk sessions last until the next start
                self._write({})
        else:
            super().__init__(key, ended, entropy)

    def end(self, sessions: Iterable[Session], now: float) -> None:
        """Write it down before it counts: if that fails, the person can try again."""
        with self._writing:
            ended = with_more(self._ended, sessions, now)
            self._write(ended)
            self._ended = ended

    def _write(self, ended: Ended) -> None:
        said = {"key": self._key.hex(), "ended": {proof.hex(): of_it for proof, of_it in ended.items()}}
        write_privately(self._folder / FILE, json.dumps(said))


def _read(path: Path) -> tuple[bytes, Ended]:
    """The key and who signed out; raises one of several errors if the file is not one of ours."""
    said = json.loads(path.read_text(encoding="ascii"))
    key = bytes.fromhex(said["key"])
    if len(key) != KEY_BYTES:
        raise ValueError(path.name)
    return key, {
        bytes.fromhex(proof): {str(name): int(ends) for name, ends in of_it.items()}
        for proof, of_it in said["ended"].items()
    }
