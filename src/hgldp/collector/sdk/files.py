"""The files that pages load: each with its hash for browsers, and all of them with one version."""

import gzip
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256, sha384
from importlib.resources import files

MEDIA_TYPES = {
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
}
VERSION_DIGITS = 12


@dataclass(frozen=True)
class File:
    """One file: its bytes, the same compressed, and the hash that a browser compares them with."""

    name: str
    content: bytes
    gzipped: bytes

    @classmethod
    def of(cls, name: str, content: bytes) -> "File":
        """The file of this content.

        >>> File.of("empty.js", b"").integrity
        'sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb'
        """
        return cls(name, content, gzip.compress(content, 9, mtime=0))

    @property
    def media_type(self) -> str:
        """What it is, by the end of its name."""
        return MEDIA_TYPES[self.name.rpartition(".")[2]]

    @property
    def version(self) -> str:
        """The start of its hash: a file that did not change stays where it was when others change."""
        return sha256(self.content).hexdigest()[:VERSION_DIGITS]

    @property
    def integrity(self) -> str:
        """For the attribute `integrity` of a script or a style sheet."""
        return f"sha384-{b64encode(sha384(self.content).digest()).decode()}"


class Files:
    """All files, and the version that they have together: another build has another one."""

    def __init__(self, found: dict[str, bytes]) -> None:
        self.named = {name: File.of(name, found[name]) for name in sorted(found)}
        listed = "\n".join(f"{each.name} {each.integrity}" for each in self.named.values())
        self.version = sha256(listed.encode()).hexdigest()[:VERSION_DIGITS]

    def path(self, name: str) -> str:
        """Where a file is, below the collector's own path."""
        return f"/sdk/{self.named[name].version}/{name}"


@cache
def built_files() -> Files:
    """What was built into the package. It stays the same while the process runs."""
    folder = files(__package__).joinpath("static")
    known = (each for each in folder.iterdir() if each.name.rpartition(".")[2] in MEDIA_TYPES)
    return Files({each.name: each.read_bytes() for each in known})
