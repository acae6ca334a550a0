"""A public data set, by what is known of it: who publishes it, where, and how to tell it from another."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from hgldp.errors import InvalidField

ENDINGS = (".dat.gz", ".dat", ".txt.gz", ".txt")
SCHEMES = ("http", "https")


@dataclass(frozen=True)
class Dataset:
    """Facts only; the data is never part of this package.

    `items` and `distinct` are counts, None where only a rough figure is published. `numbers` is the SHA-256 of the
    numbers (`hgldp.sources.numbers`), the same for every copy that differs in blanks or compression alone; `git_blob`
    the SHA-1 that git gives to the plain file. `address` is None for what its publisher does not serve in this form.
    """

    name: str
    title: str
    publisher: str
    citation: str
    terms: str
    page: str
    file: str
    items: int | None
    distinct: int
    address: str | None = None
    numbers: str | None = None
    git_blob: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        for address in (self.page, self.address):
            if address is not None:
                check_address(address)

    @property
    def is_pinned(self) -> bool:
        """Whether a copy can be verified."""
        return self.numbers is not None or self.git_blob is not None

    @property
    def file_names(self) -> tuple[str, ...]:
        """What a copy may be called."""
        return tuple(dict.fromkeys((self.file, *(self.name + ending for ending in ENDINGS))))


def check_address(address: str) -> str:
    """The address itself, if it is one of the web.

    >>> check_address("file:///etc/passwd")
    Traceback (most recent call last):
    hgldp.errors.InvalidField: address must begin with http:// or https://, got file:///etc/passwd
    """
    parts = urlsplit(address)
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise InvalidField("address", "must begin with http:// or https://", address)
    return address
