"""How the paper's variants begin: cells that hold arbitrary items."""

import numpy as np

from hgldp.errors import InvalidField
from hgldp.kernels.paper_cells import PaperCells, buckets_of, empty_paper_cells
from hgldp.model.domain import check_size
from hgldp.model.randomness import SeededWords

MAX_LIGHT_CELLS = 1 << 13


def fill(domain_size: int, cells: int, buckets: int, light_cells: int | None, seed: int) -> PaperCells:
    """Cells with arbitrary distinct items of their bucket at count 0; `light_cells` None means no light part.

    >>> fill(domain_size=100, cells=3, buckets=1, light_cells=None, seed=1).item.tolist()
    [56, 74, 97]
    """
    check_size(domain_size)
    if isinstance(buckets, bool) or buckets < 1 or cells % buckets != 0:
        raise InvalidField("buckets", f"must divide the {cells} cells", buckets)
    if light_cells is not None and not (1 <= light_cells <= MAX_LIGHT_CELLS and light_cells % buckets == 0):
        rule = f"must be a multiple of the {buckets} bucket(s) in 1 … {MAX_LIGHT_CELLS}"
        raise InvalidField("light_cells", rule, light_cells)
    width, words = cells // buckets, SeededWords(seed)
    if buckets > 1:
        room = np.bincount(buckets_of(np.arange(domain_size), buckets), minlength=buckets)
        if room.min() < width:
            raise InvalidField("buckets", f"must leave {width} items of the domain to each bucket", int(room.min()))
    chosen: list[list[int]] = [[] for _ in range(buckets)]
    taken: set[int] = set()
    while len(taken) < cells:
        item = words.below(domain_size)
        home = chosen[int(buckets_of(np.array([item]), buckets)[0])] if buckets > 1 else chosen[0]
        if item not in taken and len(home) < width:
            home.append(item)
            taken.add(item)
    items = np.array([item for home in chosen for item in home], np.int32)
    return empty_paper_cells(items, buckets, light_cells or 0, words.state)
