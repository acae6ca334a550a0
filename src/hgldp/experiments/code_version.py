"""Which code made a number: a digest of the sources that can change one."""

from functools import cache
from hashlib import sha256
from pathlib import Path

import hgldp

PACKAGE = Path(hgldp.__file__).parent
COMPUTES = {
    "__init__.py": False,
    "errors.py": False,
    "system": False,
    "model": True,
    "kernels": True,
    "mechanisms": True,
    "schemes": True,
    "schemes/open_pfr.py": False,
    "wire": False,
    "stores": True,
    "stores/strings": False,
    "client": False,
    "client/randomizer.py": True,
    "tracker": True,
    "simulation": True,
    "simulation/people": False,
    "simulation/strings.py": False,
    "simulation/simulate.py": False,
    "audit": False,
    "checks": False,
    "sources": True,
    "collector": False,
    "tallies": False,
    "planning": False,
    "spark": False,
    "experiments": False,
    "experiments/measuring": True,
    "cli": False,
    "__main__.py": False,
}
"""Whether a measurement can depend on a package or a module; none is about people, or strings that nobody listed."""


@cache
def code_version() -> str:
    """Editing a figure, a claim or the command throws no result away; editing a scheme or a metric does."""
    return digest(PACKAGE)


def digest(package: Path) -> str:
    """The digest of what computes in a folder. Editing a file changes it; moving one within its package does not."""
    parts = [path.relative_to(package) for path in package.rglob("*.py")]
    contents = [(rule, sha256((package / part).read_bytes()).hexdigest()) for part in parts if (rule := counted(part))]
    return sha256(repr(sorted(contents)).encode()).hexdigest()[:16]


def counted(part: Path) -> str | None:
    """The entry of `COMPUTES` by which a file counts, None if it does not; of several, the most exact one decides.

    >>> counted(Path("stores/hot_list/state.py")), counted(Path("stores/strings/state.py"))
    ('stores', None)
    """
    covering = [name for path in (part, *part.parents) if (name := path.as_posix()) in COMPUTES]
    if not covering:
        return part.parts[0]
    return covering[0] if COMPUTES[covering[0]] else None
