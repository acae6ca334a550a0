"""The open frontier as bytes: every cell by what it shares with the one before; and what makes such a state legal."""

import struct
from collections.abc import Mapping
from typing import NamedTuple

from hgldp.errors import MalformedState
from hgldp.model.bulletins import Cell
from hgldp.stores.noise import Noise
from hgldp.stores.state_frame import StateBody, StateFrame
from hgldp.stores.strings.measured import Cells, Measured, is_string

BY_RANK, HIDING, OLD_BY_RANK, OLD_HIDING = (
    StateFrame("open frontier", mark, fields="BHHHQQQQHH") for mark in (b"hgO3", b"hgO4", b"hgO1", b"hgO2")
)
ROUNDING = 1e-9
MOST_PRIOR, PRIOR_STEPS = 50.0, 1_000_000
_CELL = struct.Struct("<BBBBB")
_STEADY = struct.Struct("<ddQ")
_FADING = struct.Struct("<dddQ")
_PRIOR = struct.Struct("<i")


class OpenState(NamedTuple):
    """The numbers of an open frontier that stand alone."""

    most_bytes: int
    symbols: int
    modulus: int
    k: int
    first_epoch: int
    half_life: int
    reports: int
    sealed: int


def most_state_bytes(symbols: int, most_bytes: int) -> int:
    """No open frontier takes more, whatever its strings.

    >>> most_state_bytes(symbols=512, most_bytes=64)
    53706
    """
    return BY_RANK.fixed_bytes + (symbols - 1) * (_CELL.size + most_bytes + _FADING.size + _PRIOR.size)


def pack(
    state: OpenState, hot: Mapping[Cell, Measured], tips: Mapping[Cell, Measured], *, hides_order: bool = False
) -> bytes:
    """A cell that nothing is known of yet takes nine bytes and what its prefix adds."""
    parts, last = [], b""
    for place, (cell, found) in enumerate((*hot.items(), *tips.items())):
        shared = _shared(last, cell.prefix)
        last = cell.prefix
        parts.append(_CELL.pack(shared, len(last) - shared, cell.low, cell.high, found.since > 0) + last[shared:])
        if found.since and state.half_life:
            parts.append(_FADING.pack(found.total, found.noise, found.weight, found.since))
        elif found.since:
            parts.append(_STEADY.pack(found.total, found.noise, found.since))
        if place >= len(hot):
            parts.append(_PRIOR.pack(round(found.prior * PRIOR_STEPS)))
    return (HIDING if hides_order else BY_RANK).write(*state, len(hot), len(tips), body=parts)


def hides_order(data: bytes) -> bool:
    """Whether a state publishes its cells in their own order."""
    return data[: len(HIDING.mark)] in (HIDING.mark, OLD_HIDING.mark)


def _frame_of(data: bytes) -> StateFrame:
    frames = (BY_RANK, HIDING, OLD_BY_RANK, OLD_HIDING)
    return next((each for each in frames if data[: len(each.mark)] == each.mark), BY_RANK)


def has_priors(data: bytes) -> bool:
    """Whether a state says what was expected of each cell under search; those of 0.1.0 do not."""
    return _frame_of(data) in (BY_RANK, HIDING)


def unpack(data: bytes) -> tuple[OpenState, Cells, Cells]:
    """Hot cells and tips. Refuses bytes of another form; `check_cells` refuses numbers that make no sense."""
    (*numbers, hot, tips), body = _frame_of(data).read(data)
    state, last, priors = OpenState(*numbers), b"", has_priors(data)
    cells: list[tuple[Cell, Measured]] = []
    for place in range(hot + tips):
        cell, found = _read_cell(body, last, fading=state.half_life > 0)
        if priors and place >= hot:
            (prior,) = body.record(_PRIOR)
            found.prior = prior / PRIOR_STEPS
        cells.append((cell, found))
        last = cell.prefix
    body.finish()
    if len({cell for cell, _ in cells}) != len(cells):
        raise MalformedState("open frontier must have distinct cells")
    return state, dict(cells[:hot]), dict(cells[hot:])


def _read_cell(body: StateBody, last: bytes, *, fading: bool) -> tuple[Cell, Measured]:
    shared, more, low, high, measured = body.record(_CELL)
    prefix, found = last[:shared] + body.raw(more), Measured()
    if measured == 1 and fading:
        found = Measured(*body.record(_FADING))
    elif measured == 1:
        total, noise, since = body.record(_STEADY)
        found = Measured(total, noise, float(since), since)
    if shared != _shared(last, prefix) or len(prefix) != shared + more or measured != (found.since > 0):
        raise MalformedState("open frontier must have cells that are written in the one way there is")
    return Cell(prefix, low, high), found


def _shared(one: bytes, other: bytes) -> int:
    """How many bytes two prefixes have in common."""
    most = min(len(one), len(other))
    return next((place for place in range(most) if one[place] != other[place]), most)


def check_cells(state: OpenState, hot: Cells, tips: Cells, noise: Noise) -> None:
    """Refuse cells outside the domain, and numbers that no reports can have measured.

    These are the rules that every seal keeps; a state that another program wrote may break them.
    """
    cells = (hot | tips).items()
    if any(len(cell.prefix) > state.most_bytes or cell.low > cell.high for cell, _ in cells):
        raise MalformedState("open frontier must have cells within its domain")
    if not all(is_string(cell) and found.since for cell, found in hot.items()):
        raise MalformedState("open frontier must have whole strings that were measured in its hot list")
    if state.sealed > state.reports or (state.sealed == 0) != (state.reports == 0):
        raise MalformedState("open frontier must have had at least one report an epoch")
    if not all(found.since <= state.reports and _can_be_measured(found, noise) for _, found in cells):
        raise MalformedState("open frontier must have shares that its reports can have measured")
    if not all(abs(found.prior) <= MOST_PRIOR for _, found in cells):
        raise MalformedState("open frontier must expect a sensible number of strings of each cell")


def _can_be_measured(found: Measured, noise: Noise) -> bool:
    """Whether reports can have measured this; never NaN or infinity."""
    if not found.since:
        return found == Measured(prior=found.prior)
    least, most = noise.share(0, 1), noise.share(1, 1)
    ends = noise.at(0.0), noise.at(most)
    return (
        1 <= found.weight <= found.since
        and (1 - ROUNDING) * min(ends) <= found.noise <= (1 + ROUNDING) * max(ends) * found.weight
        and least - ROUNDING <= found.total / found.weight <= most + ROUNDING
    )
