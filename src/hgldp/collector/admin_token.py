"""The admin token: from the environment, or made at the first start, shown once, and kept only as a hash."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from hgldp.collector.settings import ADMIN_TOKEN_VARIABLE, SHORTEST_TOKEN
from hgldp.collector.tokens import kept, new_token
from hgldp.errors import InvalidField, MalformedState

FILE = "admin-token.sha256"


def settle_admin_token(
    folder: Path, environment: Mapping[str, str], entropy: Callable[[int], bytes] = os.urandom
) -> tuple[bytes, str | None]:
    """What counts as stored, and the token itself if it was made just now.

    A token in the environment wins and is never written down. Delete the file to get a new one at the next start.
    """
    given = environment.get(ADMIN_TOKEN_VARIABLE)
    if given is not None:
        if len(given) < SHORTEST_TOKEN:
            raise InvalidField(ADMIN_TOKEN_VARIABLE, f"must have at least {SHORTEST_TOKEN} characters", "fewer")
        return kept(given), None
    path = folder / FILE
    try:
        stored = bytes.fromhex(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        token = new_token(entropy)
        _write(path, kept(token))
        return kept(token), token
    except ValueError:
        stored = b""
    if len(stored) != 32:
        raise MalformedState(f"{FILE} must hold 64 hexadecimal digits: delete it to get a new token")
    return stored, None


def _write(path: Path, stored: bytes) -> None:
    """Only the owner may read it, and a crash leaves either the whole file or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(stored.hex())
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
