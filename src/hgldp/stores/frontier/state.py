"""The frontier as bytes: a few numbers, the published leaves and their archive, the warm-up, the sealed epochs."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier.archive import LEAF_BYTES, Archive
from hgldp.stores.frontier.epoch import SealedEpoch
from hgldp.stores.frontier.warm_up import WarmUp
from hgldp.stores.state_frame import StateFrame

FIELDS = "IIQQQQQIHH"
FRAME, HIDING = (StateFrame("frontier", mark=mark, fields=FIELDS) for mark in (b"hgF4", b"hgF5"))
OLD, OLD_HIDING = (StateFrame("frontier", mark=mark, fields=FIELDS) for mark in (b"hgF2", b"hgF3"))


class FrontierState(NamedTuple):
    """The numbers of a frontier that stand alone."""

    memory: int
    epoch: int
    half_life: int
    secret: int
    reports: int
    sealed: int
    key: int
    cells: int


def fixed_bytes(leaves: int) -> int:
    """The bytes that a frontier takes before its warm-up and its epochs."""
    return FRAME.fixed_bytes + (4 + LEAF_BYTES) * leaves


def pack(
    state: FrontierState,
    archive: Archive,
    warm_up: WarmUp,
    epochs: Sequence[SealedEpoch],
    domain_size: int,
    *,
    hides_order: bool = False,
) -> bytes:
    """Every part writes itself; the archive holds the leaves. The mark says in which order those are published."""
    parts = (
        archive.items.astype("<i4").tobytes(),
        archive.serialize(),
        warm_up.serialize(),
        *(epoch.serialize(domain_size) for epoch in epochs),
    )
    return (HIDING if hides_order else FRAME).write(*state, archive.items.size, len(epochs), body=parts)


def hides_order(data: bytes) -> bool:
    """Whether a state publishes its leaves in their own order."""
    return data[: len(HIDING.mark)] in (HIDING.mark, OLD_HIDING.mark)


def written_by_0_1(data: bytes) -> bool:
    """Whether a state is in the wider form of hgldp 0.1."""
    return data[: len(OLD.mark)] in (OLD.mark, OLD_HIDING.mark)


def unpack(data: bytes, scheme: PFR) -> tuple[FrontierState, Archive, WarmUp, list[SealedEpoch]]:
    """Refuses anything but what `pack` wrote, or what hgldp 0.1 wrote.

    Every bulletin of 0.1 told the secret of its state, so we take a new one from all of its bytes: nobody else has seen
    the tallies.
    """
    known, is_old = (HIDING, OLD, OLD_HIDING), written_by_0_1(data)
    frame = next((each for each in known if data[: len(each.mark)] == each.mark), FRAME)
    (*numbers, tracked, retained), body = frame.read(data)
    leaves = body.array("<i4", tracked).astype(np.int64)
    archive = Archive.nothing(leaves) if is_old else Archive.read(body, leaves)
    warm_up = WarmUp.read(body, scheme.domain_size)
    epochs = [SealedEpoch.read(body, scheme, wide=is_old) for _ in range(retained)]
    body.finish()
    state = FrontierState(*numbers)
    if is_old:
        state = state._replace(secret=int.from_bytes(blake2b(data, digest_size=8).digest(), "little"))
    return state, archive, warm_up, epochs
