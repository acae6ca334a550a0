"""Every rule that the seals of an open frontier keep, for a state that somebody else has written."""

from hgldp.errors import MalformedState
from hgldp.stores.open_frontier_bytes import Cells, OpenState
from hgldp.stores.open_frontier_noise import Noise
from hgldp.stores.open_frontier_search import is_string


def check_cells(state: OpenState, hot: Cells, tips: Cells, noise: Noise) -> None:
    """Refuse cells outside the domain, and numbers that no reports can have measured."""
    cells = (hot | tips).items()
    if any(len(cell.prefix) > state.most_bytes or cell.low > cell.high for cell, _ in cells):
        raise MalformedState("open frontier must have cells within its domain")
    if not all(is_string(cell) and found.since for cell, found in hot.items()):
        raise MalformedState("open frontier must have whole strings that were measured in its hot list")
    if state.sealed > state.reports or (state.sealed == 0) != (state.reports == 0):
        raise MalformedState("open frontier must have had at least one report an epoch")
    if not all(found.since <= state.reports and noise.allows(found) for _, found in cells):
        raise MalformedState("open frontier must have shares that its reports can have measured")
