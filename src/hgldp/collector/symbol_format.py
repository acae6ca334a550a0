"""What the symbols of an upload must look like to answer one bulletin: how wide they are, and which is the last."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.model.bulletins import AnyBulletin
from hgldp.model.reports import symbol_bytes
from hgldp.schemes.base import Scheme


@dataclass(frozen=True, slots=True)
class SymbolFormat:
    """Symbols of one width compare as their big-endian bytes do."""

    version: bytes
    width: int
    last: bytes

    def admits(self, symbols: bytes) -> bool:
        """Whether no symbol is beyond the last legal one."""
        if len(symbols) == self.width:
            return symbols <= self.last
        return int(read_symbols(symbols, self.width).max()) <= int.from_bytes(self.last, "big")


def symbol_formats(scheme: Scheme, bulletins: Iterable[AnyBulletin]) -> dict[bytes, SymbolFormat]:
    """By the bulletin versions that uploads name."""
    found = {}
    for each in bulletins:
        limit = scheme.symbol_limit(each)
        width = symbol_bytes(limit)
        version = bytes.fromhex(each.version)
        found[version] = SymbolFormat(version, width, (limit - 1).to_bytes(width, "big"))
    return found


def read_symbols(symbols: bytes, width: int) -> NDArray[Any]:
    """Symbols of 1 … 4 bytes as numbers, all at once.

    >>> read_symbols(bytes([0, 1, 2, 3, 4, 5]), 3).tolist()
    [258, 197637]
    """
    if width == 3:
        parts = np.frombuffer(symbols, np.uint8).reshape(-1, 3).astype(np.uint32)
        return np.asarray(parts[:, 0] << 16 | parts[:, 1] << 8 | parts[:, 2])
    return np.frombuffer(symbols, f">u{width}")
