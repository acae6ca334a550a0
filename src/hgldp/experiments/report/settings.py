"""How the results were made: the scale, the streams, the code, the machine."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from hgldp import __version__
from hgldp.experiments.code_version import code_version
from hgldp.experiments.measurement import AUTHORS_CODE, HOT_LISTS
from hgldp.experiments.pool import cores
from hgldp.experiments.results import Results
from hgldp.experiments.scale import DOMAINS, Scale
from hgldp.experiments.studies.registry import SWEEPS
from hgldp.model.task import FRONTIER
from hgldp.simulation.run import Plan

PACKAGES = ("numpy", "numba", "matplotlib", "rich")
PROCESSORS = Path("/proc/cpuinfo")
MEMORY = Path("/proc/meminfo")


def settings(results: Results, scale: Scale, seconds: float) -> list[tuple[str, str]]:
    """A name and a value each, for the last table of the report."""
    data = ", ".join(scale.data) or "none"
    return [
        ("scale", f"{scale.name}: {len(results):,} measurements, {len(results.failed)} failed"),
        ("seeds", f"1 … {scale.repeats}; the largest stream 1 … {len(scale.webdocs_seeds)}"),
        ("ε", ", ".join(f"{epsilon:g}" for epsilon in scale.epsilons)),
        ("synthetic streams", ", ".join(scale.synthetics)),
        ("data sets", f"{data}; for webdocs: {scale.webdocs}"),
        ("not found", ", ".join(scale.missing) or "nothing"),
        ("answers", _answers(scale)),
        ("time of this run", f"{seconds:,.0f} s, what was known from before left out"),
        ("processor time", f"{results.values('seconds').sum():,.0f} s in the simulations themselves"),
        *_machine(),
    ]


def _answers(scale: Scale) -> str:
    """How many items are asked for and how many cells each kind of server has, in the accuracy sweep."""
    first = SWEEPS["accuracy"].measurements(scale)[0]
    cells = [Plan(scheme, 1.0, first.k).cells_for(min(DOMAINS)) for scheme in (HOT_LISTS[0], FRONTIER)]
    theirs = dict(AUTHORS_CODE)["cells"]
    return f"k = {first.k}; cells: our hot lists {cells[0]}, PFR {cells[1]}, the authors' code {theirs}"


def _machine() -> list[tuple[str, str]]:
    """The versions and the machine; what the system does not tell is left out."""
    lines = [
        ("hgldp", f"{__version__}, computing code {code_version()}"),
        ("Python", f"{platform.python_implementation()} {sys.version.split()[0]}"),
        ("packages", ", ".join(f"{name} {_version(name)}" for name in PACKAGES)),
        ("system", f"{platform.system()} {platform.machine()}"),
        ("processor", f"{_processor()}, {cores()} core(s) used"),
        ("memory", _gigabytes(_field(MEMORY, "MemTotal"))),
    ]
    return [(name, value) for name, value in lines if value]


def _processor() -> str:
    """Its name, or its kind where the system has no name for it, as on ARM."""
    return _field(PROCESSORS, "model name") or platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _gigabytes(text: str) -> str:
    """From a number of kilobytes as the system writes it.

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
