"""An open domain: every string up to a length, though nobody ever listed them."""

from dataclasses import dataclass

from hgldp.errors import InvalidField, OutsideDomain
from hgldp.model.whole import check_whole

END = 0
MOST_BYTES = 255


@dataclass(frozen=True)
class StringDomain:
    """UTF-8 strings of at most `most_bytes` bytes. A code is the bytes with an end mark, so a code *is* the string.

    A string that is too long, holds the end mark or is no valid UTF-8 has no code: it counts as "everything else".

    >>> domain = StringDomain(most_bytes=8)
    >>> domain.code("tea"), domain.code("a very long drink"), domain.string(b"tea")
    (b'tea\\x00', None, 'tea')
    """

    most_bytes: int = 64

    def __post_init__(self) -> None:
        check_whole("most_bytes", self.most_bytes, 1, MOST_BYTES)

    def code(self, item: object) -> bytes | None:
        """The bytes of a string and the end mark; None where there is no code."""
        if not isinstance(item, str):
            raise OutsideDomain(f"strings of at most {self.most_bytes} bytes")
        try:
            text = item.encode()
        except UnicodeEncodeError:
            return None
        return None if len(text) > self.most_bytes or END in text else text + bytes([END])

    def string(self, text: bytes) -> str:
        """The string of a code without its end mark."""
        try:
            return text.decode()
        except UnicodeDecodeError:
            raise InvalidField("text", "must be valid UTF-8", f"{len(text)} other bytes") from None
