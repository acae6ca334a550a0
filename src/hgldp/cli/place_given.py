"""Which folder or store was typed, or is named by the environment."""

import os
from argparse import Namespace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from hgldp.cli.output import PASSWORD, write_error
from hgldp.collector.settings import STORE_VARIABLE
from hgldp.errors import InvalidField
from hgldp.system.secret_files import with_secrets

A_STORE = f"{STORE_VARIABLE}_FILE (a file with the address of a database)"
ADDRESSES = ("postgresql:", "postgres:")
INSTEAD = f"put the address into a file that only you can read, and its name into {STORE_VARIABLE}_FILE"


def store_given(chosen: Namespace, *, quietly: bool = False) -> str:
    """The database that was typed, or that the environment names if no folder was typed; empty for a folder.

    Whoever types a password is told who can see it, unless that is told elsewhere.
    """
    _check_folder(chosen)
    named = "" if chosen.data is not None else with_secrets(os.environ, [STORE_VARIABLE]).get(STORE_VARIABLE, "")
    if chosen.store is not None and chosen.data is not None:
        raise InvalidField("--store", "must be given instead of a data folder", "both")
    if not quietly and chosen.store and holds_password(chosen.store):
        write_error(f"hgldp: all users of this machine can see the password that you typed: {INSTEAD}")
    return chosen.store or named


def holds_password(address: str) -> bool:
    """Also one that makes the address unreadable.

    >>> [holds_password(f"postgresql://{each}") for each in ("me@db/hot", "me:password@db/hot", "db/hot?sslpassword=x")]
    [False, True, True]
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return True
    named = {"password", "sslpassword"} & parse_qs(parts.query).keys()
    return bool(parts.password or named or PASSWORD.search(address))


def _check_folder(chosen: Namespace) -> None:
    if chosen.data is not None and str(chosen.data).startswith(ADDRESSES):
        raise InvalidField("--data", f"must be a folder; for a database leave it out, and {INSTEAD}", "an address")


def variable_set(name: str) -> str:
    """Which variable of the environment holds a secret or names a file that does; empty if none."""
    return next((each for each in (name, f"{name}_FILE") if os.environ.get(each)), "")


def folder_given(chosen: Namespace, instead: str) -> Path:
    """The folder that was typed. Whoever has a store is told what to do `instead`."""
    _check_folder(chosen)
    if chosen.data is not None:
        return Path(chosen.data)
    named = variable_set(STORE_VARIABLE)
    rule = f"must be a data folder; for a store {instead}" if named else f"must be given to hgldp {chosen.command}"
    raise InvalidField("--data", rule, "none")
