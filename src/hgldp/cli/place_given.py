"""Which folder or store was typed, or is named by the environment."""

import os
from argparse import Namespace
from pathlib import Path

from hgldp.collector.settings import STORE_VARIABLE
from hgldp.errors import InvalidField
from hgldp.system.secret_files import with_secrets


def store_given(chosen: Namespace) -> str:
    """The database that was typed, or that the environment names if no folder was typed; empty for a folder."""
    named = "" if chosen.data is not None else with_secrets(os.environ, [STORE_VARIABLE]).get(STORE_VARIABLE, "")
    if chosen.store is not None and chosen.data is not None:
        raise InvalidField("--store", "must be given instead of a data folder", "both")
    return chosen.store or named


def folder_given(chosen: Namespace, instead: str) -> Path:
    """The folder that was typed. Whoever has a store is told what to do `instead`."""
    if chosen.data is not None:
        return Path(chosen.data)
    has_store = any(os.environ.get(name) for name in (STORE_VARIABLE, f"{STORE_VARIABLE}_FILE"))
    rule = f"must be a data folder; for a store {instead}" if has_store else f"must be given to hgldp {chosen.command}"
    raise InvalidField("--data", rule, "none")
