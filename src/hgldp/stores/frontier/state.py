"""The frontier as bytes: a few numbers, the published leaves, the warm-up, the sealed epochs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier.epoch import SealedEpoch
from hgldp.stores.frontier.prior import Prior
from hgldp.stores.state_frame import StateFrame

FRAME = StateFrame("frontier", mark=b"hgF2", fields="IIQQQQQIHH")
HIDING = StateFrame("frontier", mark=b"hgF3", fields=FRAME.fields)


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
    """The bytes that a frontier takes before its warm-up and its epochs."""
    return FRAME.fixed_bytes + 4 * leaves


def pack(
    state: FrontierState,
    leaves: Sequence[int],
    prior: Prior,
    epochs: Sequence[SealedEpoch],
    *,
    hides_order: bool = False,
) -> bytes:
    """The warm-up and every epoch write themselves. The mark says in which order the leaves are published."""
    parts = (np.array(leaves, "<i4").tobytes(), prior.serialize(), *(epoch.serialize() for epoch in epochs))
    return (HIDING if hides_order else FRAME).write(*state, len(leaves), len(epochs), body=parts)


def hides_order(data: bytes) -> bool:
    """Whether a state publishes its leaves in their own order."""
    return data[: len(HIDING.mark)] == HIDING.mark


def unpack(data: bytes, scheme: PFR) -> tuple[FrontierState, NDArray[np.int64], Prior, list[SealedEpoch]]:
    """Refuses anything but what `pack` wrote."""
    (*numbers, tracked, retained), body = (HIDING if hides_order(data) else FRAME).read(data)
    leaves = body.array("<i4", tracked).astype(np.int64)
    prior = Prior.read(body, scheme.domain_size)
    epochs = [SealedEpoch.read(body, scheme) for _ in range(retained)]
    body.finish()
    return FrontierState(*numbers), leaves, prior, epochs
