"""Where data sets are kept, unless somebody says otherwise."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "HGLDP_DATA"


def data_folder(
    chosen: str | None = None, environment: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> Path:
    """The folder that was chosen, the one in HGLDP_DATA, or one in the user's cache.

    >>> data_folder("here", {}).as_posix(), data_folder(None, {"HGLDP_DATA": "there"}).as_posix()
    ('here', 'there')
    >>> data_folder(None, {"XDG_CACHE_HOME": "/var/cache/me"}, "linux").as_posix()
    '/var/cache/me/hgldp'
    """
    named = chosen or environment.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    if platform == "win32" and environment.get("LOCALAPPDATA"):
        return Path(environment["LOCALAPPDATA"]) / "hgldp" / "cache"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches" / "hgldp"
    cache = environment.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "hgldp"
