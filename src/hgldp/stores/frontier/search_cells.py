"""The search cells of an epoch in four bits each: there are many, and only the highest must be known well.

The lower cells lie on a uniform grid of 15 steps; the highest thirty-second of them are kept as 16-bit numbers.
"""

import struct
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedState
from hgldp.stores.state_frame import StateBody

GRID, EXACT_PART, LARGEST = 15, 32, 60_000
SCALE = struct.Struct("<ff")
Reals = NDArray[np.float64]


def kept_exactly(cells: int) -> int:
    """How many of the cells are kept as 16-bit numbers."""
    return max(1, cells // EXACT_PART)


def cell_bytes(cells: int) -> int:
    """How many bytes that many cells take."""
    return SCALE.size + (cells + 1) // 2 + 2 * kept_exactly(cells)


@dataclass(frozen=True)
class SearchCells:
    """A step of the grid for each cell, in units that the epoch knows; step 15 says that the cell is kept exactly.

    >>> cells = SearchCells.of(np.array([-1.0, 0.5, 9.25, 1.8]))
    >>> cells.steps.tolist(), cells.exact.tolist(), [round(value, 2) for value in cells.values.tolist()]
    ([0, 7, 15, 14], [9.25], [-1.0, 0.4, 9.25, 1.8])
    """

    steps: NDArray[np.uint8]
    exact: NDArray[np.float16]
    low: float
    step: float

    @classmethod
    def of(cls, values: Reals) -> "SearchCells":
        """The nearest values that four bits can express."""
        bounded = np.clip(values, -LARGEST, LARGEST)
        highest = np.sort(np.argsort(bounded, kind="stable")[bounded.size - kept_exactly(bounded.size) :])
        lower = np.delete(bounded, highest)
        low = float(np.float32(lower.min(initial=np.inf))) if lower.size else 0.0
        step = float(np.float32(max(0.0, lower.max() - low) / (GRID - 1))) if lower.size else 0.0
        steps = np.rint((bounded - low) / step).clip(0, GRID - 1) if step > 0 else np.zeros(bounded.size)
        steps[highest] = GRID
        return cls(steps.astype(np.uint8), bounded[highest].astype(np.float16), low, step)

    @cached_property
    def values(self) -> Reals:
        """What each cell holds."""
        found = self.low + self.step * self.steps.astype(np.float64)
        found[self.steps == GRID] = self.exact
        return found

    def serialize(self) -> bytes:
        """Two cells a byte."""
        even = np.append(self.steps, np.zeros(self.steps.size % 2, np.uint8)).reshape(-1, 2)
        packed = (even[:, 0] | even[:, 1] << 4).astype(np.uint8)
        return SCALE.pack(self.low, self.step) + packed.tobytes() + self.exact.astype("<f2").tobytes()

    @classmethod
    def read(cls, body: StateBody, cells: int) -> "SearchCells":
        """The cells that `serialize` wrote."""
        low, step = body.record(SCALE)
        packed = body.array("<u1", (cells + 1) // 2)
        steps = np.stack([packed & GRID, packed >> 4], axis=1).ravel()
        exact = body.array("<f2", kept_exactly(cells)).astype(np.float16)
        if steps[cells:].any() or np.count_nonzero(steps[:cells] == GRID) != exact.size:
            raise MalformedState("frontier must keep as many cells exactly as it says")
        if not (np.isfinite([low, step]).all() and np.isfinite(exact).all() and step >= 0):
            raise MalformedState("frontier must hold finite shares")
        return cls(steps[:cells].copy(), exact, low, step)
