"""Which code made a number: a digest of the sources that can change one."""

from functools import cache
from hashlib import sha256
from pathlib import Path

import hgldp

PACKAGE = Path(hgldp.__file__).parent
IRRELEVANT = ("cli", "checks", "client", "collector", "experiments", "wire", "__pycache__")
OF_STRINGS = ("open_", "string")
RELEVANT = (
    "client/randomizer.py",
    "experiments/measure.py",
    "experiments/measure_client.py",
    "experiments/measure_over_time.py",
    "experiments/starts.py",
    "experiments/streams.py",
    "experiments/experiment.py",
)


@cache
def code_version() -> str:
    """Editing a figure, a claim or the command throws no result away; editing a scheme or a metric does."""
    return digest(PACKAGE)


def _computes(part: str) -> bool:
    """Whether a measurement can depend on a file; none of them is about strings that nobody listed."""
    return part.partition("/")[0] not in IRRELEVANT and not part.rpartition("/")[2].startswith(OF_STRINGS)


def digest(package: Path) -> str:
    """The digest of the computing parts of a package folder."""
    parts = [path.relative_to(package).as_posix() for path in package.rglob("*.py")]
    computing = sorted(part for part in parts if part in RELEVANT or _computes(part))
    contents = [(part, sha256((package / part).read_bytes()).hexdigest()) for part in computing]
    return sha256(repr(contents).encode()).hexdigest()[:16]
