"""Reads many symbols at once against one bulletin's hot list."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.kernels.index import blank_index, fill, read_names
from hgldp.stores.arrivals import whole_numbers


class HotIndex:
    """The look-up of one bulletin, in bytes that do not depend on the domain.

    >>> HotIndex((7, 2)).read([0, 2, 3 + 5, 3 + 7], first_name=3, hot_is_hit=False, below=3 + 10).tolist()
    [0, 2, 8, 2]
    """

    def __init__(self, hot: Sequence[int]) -> None:
        self._cells, self._index = len(hot), blank_index(len(hot))
        fill(self._index, np.array(hot, np.int32))

    def read(
        self, symbols: Sequence[int] | NDArray[np.int64], *, first_name: int, hot_is_hit: bool, below: int
    ) -> NDArray[np.int64]:
        """Slots, ⊥ and names of cold items; one illegal symbol and all are refused."""
        arrived = whole_numbers("symbols", symbols)
        wrong = arrived >= below
        if wrong.any():
            raise InvalidField("symbols", f"must lie in 0 … {below - 1}", int(arrived[wrong][0]))
        read = arrived.astype(np.int64)
        read_names(self._index, self._cells, first_name, hot_is_hit, read)
        return read
