"""Shares and items in as few bits as they need."""

import numpy as np
from numpy.typing import NDArray

SHARE_BYTES = 3
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


def item_bits(domain_size: int) -> int:
    """The bits of one item."""
    return max(1, (domain_size - 1).bit_length())


def pack_shares(shares: Reals) -> NDArray[np.uint8]:
    """Single precision without its last eight bits, rounded."""
    whole = shares.astype("<f4").view("<u4")
    rounded = np.where(whole & 0x7FFFFF00 < 0x7F7FFF00, whole + 0x80, whole).astype("<u4")
    return np.ascontiguousarray(rounded.view(np.uint8).reshape(-1, 4)[:, 1:]).ravel()


def unpack_shares(packed: NDArray[np.uint8]) -> Reals:
    """And back."""
    wide = np.zeros((packed.size // SHARE_BYTES, 4), np.uint8)
    wide[:, 1:] = packed.reshape(-1, SHARE_BYTES)
    with np.errstate(invalid="ignore"):
        return wide.ravel().view("<f4").astype(np.float64)


def pack_items(items: Items, bits: int) -> bytes:
    """So many bits each, one after the other."""
    flags = (items[:, None] >> np.arange(bits)) & 1
    return np.packbits(flags.astype(np.uint8).ravel(), bitorder="little").tobytes()


def unpack_items(packed: NDArray[np.uint8], count: int, bits: int) -> Items:
    """And back."""
    flags = np.unpackbits(packed, count=count * bits, bitorder="little").reshape(count, bits)
    return np.asarray(flags.astype(np.int64) @ (1 << np.arange(bits, dtype=np.int64)), np.int64)
