"""Every rule that the seals of an open frontier keep, for a state that somebody else has written."""

from hgldp.errors import MalformedState
from hgldp.stores.noise import Noise
from hgldp.stores.strings.measured import Measured
from hgldp.stores.strings.search import is_string
from hgldp.stores.strings.state import Cells, OpenState

ROUNDING = 1e-9


def check_cells(state: OpenState, hot: Cells, tips: Cells, noise: Noise) -> None:
    """Refuse cells outside the domain, and numbers that no reports can have measured."""
    cells = (hot | tips).items()
    if any(len(cell.prefix) > state.most_bytes or cell.low > cell.high for cell, _ in cells):
        raise MalformedState("open frontier must have cells within its domain")
    if not all(is_string(cell) and found.since for cell, found in hot.items()):
        raise MalformedState("open frontier must have whole strings that were measured in its hot list")
    if state.sealed > state.reports or (state.sealed == 0) != (state.reports == 0):
        raise MalformedState("open frontier must have had at least one report an epoch")
    if not all(found.since <= state.reports and _can_be_measured(found, noise) for _, found in cells):
        raise MalformedState("open frontier must have shares that its reports can have measured")


def _can_be_measured(found: Measured, noise: Noise) -> bool:
    """Whether reports can have measured this; NaN and infinity never are."""
    if not found.since:
        return found == Measured()
    least, most = noise.share(0, 1), noise.share(1, 1)
    ends = noise.at(0.0), noise.at(most)
    return (
        1 <= found.weight <= found.since
        and (1 - ROUNDING) * min(ends) <= found.noise <= (1 + ROUNDING) * max(ends) * found.weight
        and least - ROUNDING <= found.total / found.weight <= most + ROUNDING
    )
