"""On what, with what and when it was measured."""

import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path


def machine() -> dict[str, str]:
    """The processor, its cores, the system and the versions that our own rows run on."""
    return {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "hgldp": version("hgldp"),
        "date": datetime.now(UTC).date().isoformat(),
    }


def processor() -> str:
    """Its name, as far as the system gives it."""
    file = Path("/proc/cpuinfo")
    if sys.platform == "linux" and file.is_file():
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
