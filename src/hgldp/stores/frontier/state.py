"""The frontier as bytes: a header, the published leaves, the warm-up, the sealed epochs, and a checksum."""

import struct
from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedState
from hgldp.stores.frontier.epoch import SealedEpoch
from hgldp.stores.frontier.prior import Prior
from hgldp.stores.frontier.shape import Search

_MAGIC = b"hgF2"
_HEADER, _CHECKSUM = struct.Struct("<4sIIQQQQQIHH"), struct.Struct("<I")


class FrontierState(NamedTuple):
    """The numbers of a frontier that stand alone."""

    memory: int
    epoch: int
    half_life: int
    words: int
    reports: int
    sealed: int
    key: int
    cells: int


def fixed_bytes(leaves: int) -> int:
    """What a frontier with so many leaves takes before its warm-up and its epochs."""
    return _HEADER.size + _CHECKSUM.size + 4 * leaves


def pack(state: FrontierState, leaves: Sequence[int], prior: Prior, epochs: Sequence[SealedEpoch]) -> bytes:
    """Fixed-width fields."""
    head = _HEADER.pack(_MAGIC, *state, len(leaves), len(epochs)) + np.array(leaves, "<i4").tobytes()
    body = head + prior.serialize() + b"".join(epoch.serialize() for epoch in epochs)
    return body + _CHECKSUM.pack(crc32(body))


def unpack(data: bytes, scheme: Search) -> tuple[FrontierState, NDArray[np.int64], Prior, list[SealedEpoch]]:
    """Anything but what `pack` wrote is refused."""
    body = data[: -_CHECKSUM.size]
    if len(data) < _HEADER.size + _CHECKSUM.size or data[:4] != _MAGIC:
        raise MalformedState("state must begin with the mark of a frontier")
    if _CHECKSUM.unpack(data[-_CHECKSUM.size :]) != (crc32(body),):
        raise MalformedState("state must have the checksum of its bytes")
    _, *numbers, tracked, retained = _HEADER.unpack_from(body)
    offset = _HEADER.size + 4 * tracked
    if len(body) < offset:
        raise MalformedState("frontier must hold all its leaves")
    leaves = np.frombuffer(body, "<i4", tracked, _HEADER.size).astype(np.int64)
    prior, offset = Prior.read(body, offset, scheme.domain_size)
    epochs = []
    for _ in range(retained):
        epoch, offset = SealedEpoch.read(body, offset, scheme)
        epochs.append(epoch)
    if offset != len(body):
        raise MalformedState("frontier must be as long as its header says")
    return FrontierState(*numbers), leaves, prior, epochs
