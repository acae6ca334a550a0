"""On what, and with what, the numbers were made."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from hgldp import __version__
from hgldp.experiments.code_version import code_version
from hgldp.experiments.hiring import cores

PACKAGES = ("numpy", "numba", "matplotlib", "rich")
PROCESSORS = Path("/proc/cpuinfo")
MEMORY = Path("/proc/meminfo")


def describe_machine() -> list[tuple[str, str]]:
    """Names and values for people; what the system does not tell is left out."""
    lines = [
        ("hgldp", f"{__version__}, computing code {code_version()}"),
        ("Python", f"{platform.python_implementation()} {sys.version.split()[0]}"),
        ("packages", ", ".join(f"{name} {_version(name)}" for name in PACKAGES)),
        ("system", f"{platform.system()} {platform.machine()}"),
        ("processor", f"{_field(PROCESSORS, 'model name') or platform.processor()}, {cores()} core(s) used"),
        ("memory", _gigabytes(_field(MEMORY, "MemTotal"))),
    ]
    return [(name, value) for name, value in lines if value]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _gigabytes(text: str) -> str:
    """From the kilobytes that the system tells.

    >>> _gigabytes("24682740 kB"), _gigabytes("")
    ('24.7 GB', '')
    """
    kilobytes = text.removesuffix("kB").strip()
    return f"{int(kilobytes) / 1e6:.1f} GB" if kilobytes.isdecimal() else ""


def _field(path: Path, name: str) -> str:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")
