"""An upload: reports that answer one bulletin, under a random id that makes a resend count once."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from hgldp.errors import InvalidField, MalformedBytes
from hgldp.model.reports import symbol_bytes

MAGIC = b"hgU\x01"
HEAD = struct.Struct(">4s16s32sI")
ID_BYTES, WIDEST_SYMBOL = 16, 4
SIZES = (64, 256, 1_024, 4_096, 16_384, 65_536, 262_144)
MOST_BYTES = SIZES[-1]
MOST_REPORTS = (MOST_BYTES - HEAD.size) // WIDEST_SYMBOL


def padded(size: int) -> int:
    """The least of the few sizes that an upload may have: a size tells little about the number of reports.

    >>> padded(58), padded(65), padded(257)
    (64, 256, 1024)
    """
    return next(each for each in SIZES if each >= size)


@dataclass(frozen=True, slots=True)
class Upload:
    """What stands in the head of an upload, and the symbols still in bytes.

    >>> upload = Upload.of(bytes(16), bytes(32), [7, 300], symbol_limit=400)
    >>> len(upload.encode()), Upload.decode(upload.encode()).symbols(400)
    (64, [7, 300])
    """

    id: bytes
    bulletin: bytes
    count: int
    payload: bytes

    @classmethod
    def of(cls, upload_id: bytes, bulletin: bytes, symbols: Sequence[int], symbol_limit: int) -> "Upload":
        """From symbols below a limit."""
        if len(upload_id) != ID_BYTES or len(bulletin) != 32:
            found = f"{len(upload_id)} and {len(bulletin)}"
            raise InvalidField("upload", "must have an id of 16 bytes and a bulletin of 32", found)
        if not 1 <= len(symbols) <= MOST_REPORTS:
            raise InvalidField("upload", f"must hold 1 … {MOST_REPORTS} reports", len(symbols))
        if not all(0 <= symbol < symbol_limit for symbol in symbols):
            raise InvalidField("symbols", f"must lie in 0 … {symbol_limit - 1}", "one outside (withheld)")
        width = symbol_bytes(symbol_limit)
        return cls(upload_id, bulletin, len(symbols), b"".join(symbol.to_bytes(width, "big") for symbol in symbols))

    def encode(self) -> bytes:
        """Head, symbols, and zeros up to the next of the `SIZES`: one report is always 64 bytes."""
        body = HEAD.pack(MAGIC, self.id, self.bulletin, self.count) + self.payload
        return body + bytes(padded(len(body)) - len(body))

    @classmethod
    def decode(cls, data: bytes) -> "Upload":
        """The head, checked as far as it can be without the bulletin. The payload still holds the padding."""
        if len(data) > MOST_BYTES:
            raise MalformedBytes(f"upload must be at most {MOST_BYTES} bytes")
        if len(data) not in SIZES or data[:4] != MAGIC:
            sizes = ", ".join(map(str, SIZES))
            raise MalformedBytes(f"upload must start with the mark of version 1 and have one of the sizes {sizes}")
        _, upload_id, bulletin, count = HEAD.unpack_from(data)
        if not 1 <= count <= MOST_REPORTS:
            raise MalformedBytes(f"upload must hold 1 … {MOST_REPORTS} reports")
        return cls(upload_id, bulletin, count, data[HEAD.size :])

    def trimmed(self, symbol_limit: int) -> "Upload":
        """Without padding, once the bulletin says how wide a symbol is."""
        used = self.count * symbol_bytes(symbol_limit)
        whole = HEAD.size + len(self.payload)
        if HEAD.size + used > whole or whole != padded(HEAD.size + used) or any(self.payload[used:]):
            raise MalformedBytes("upload must be as long as its count says, and padded with zeros")
        return Upload(self.id, self.bulletin, self.count, self.payload[:used])

    def symbols(self, symbol_limit: int) -> list[int]:
        """The symbols, one by one; for many at once see the collector's ingest."""
        width, payload = symbol_bytes(symbol_limit), self.trimmed(symbol_limit).payload
        found = [int.from_bytes(payload[at : at + width], "big") for at in range(0, len(payload), width)]
        if not all(symbol < symbol_limit for symbol in found):
            raise MalformedBytes(f"symbols must lie in 0 … {symbol_limit - 1}")
        return found
