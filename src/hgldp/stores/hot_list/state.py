"""The hot list as bytes: every array in fixed-width fields.

Another structure than HeavyGuardian has a mark of its own, two more header fields, and what its cells carry.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, MalformedState
from hgldp.kernels import hot_list as kernels
from hgldp.kernels.decay import decay_thresholds
from hgldp.kernels.hot_list import Cells, Rule
from hgldp.kernels.light import Light, empty_light, settle
from hgldp.kernels.structures import HEAVY_GUARDIAN, HEAVY_KEEPER, MISRA_GRIES, MOST_VOTES, SPACE_SAVING
from hgldp.stores.state_frame import StateFrame

FRAME = StateFrame("hot list", mark=b"hgL1", fields="HHIIIdd?")
STRUCTURE_FRAME = StateFrame("hot list", mark=b"hgL2", fields="HHIIIdd?BQ")
OPEN_FRAME = StateFrame("open epoch", mark=b"hgO2", fields="HH")
CARRYING = (SPACE_SAVING, MISRA_GRIES)


def _layout(cells: int, light: int, structure: int) -> list[tuple[str, type[np.generic], str, int]]:
    carried = cells if structure in CARRYING else 0
    return [
        ("item", np.int32, "<i4", cells),
        ("prior", np.int32, "<i4", cells),
        ("score", np.float64, "<f8", cells),
        ("noise", np.float64, "<f8", cells),
        ("spread", np.float64, "<f8", cells),
        ("seen", np.int64, "<i8", cells),
        ("light_item", np.int32, "<i4", light),
        ("light_votes", np.int32, "<u2", light),
        ("counter", np.int64, "<i8", kernels.COUNTERS),
        ("words", np.uint64, "<u8", 1),
        ("carried", np.float64, "<f8", carried),
    ]


def state_bytes(cells: int, light: int, structure: int) -> int:
    """How long a state is: 40 bytes a cell and 6 a nominee, and 8 a cell more where the structure carries counts.

    >>> [state_bytes(40, 20, structure) for structure in range(4)]
    [1841, 2170, 2170, 1850]
    """
    frame = FRAME if structure == HEAVY_GUARDIAN else STRUCTURE_FRAME
    return frame.fixed_bytes + sum(np.dtype(kind).itemsize * n for _, _, kind, n in _layout(cells, light, structure))


def pack(cells: Cells, light: Light, rule: Rule, domain_size: int) -> bytes:
    """Refuses a hot list with an open tally, which is not part of the state."""
    if cells.counter[kernels.IN_EPOCH]:
        found = f"{cells.counter[kernels.IN_EPOCH]} open reports"
        raise InvalidField("state", "must be sealed before it is serialised", found)
    size, light_size = cells.item.size, light.item.size
    fields = (rule.k, rule.first_epoch, domain_size, rule.growth, rule.decay_base, rule.always_nominating)
    frame, more = FRAME, tuple[int, ...]()
    if rule.structure != HEAVY_GUARDIAN:
        frame, more = STRUCTURE_FRAME, (rule.structure, rule.salt)
    named = cells._asdict() | {"light_item": light.item, "light_votes": light.votes}
    arrays = (named[name].astype(kind).tobytes() for name, _, kind, _ in _layout(size, light_size, rule.structure))
    return frame.write(size, light_size, *fields, *more, body=arrays)


def unpack(data: bytes) -> tuple[Cells, Light, Rule, int]:
    """Refuses anything but what `pack` wrote, because the kernels that run on it check nothing."""
    structured = isinstance(data, bytes | bytearray | memoryview) and bytes(data[:4]) == STRUCTURE_FRAME.mark
    header, body = (STRUCTURE_FRAME if structured else FRAME).read(data)
    size, light_size, k, first_epoch, domain_size, growth, decay_base, always = header[:8]
    structure, salt = header[8:] if structured else (HEAVY_GUARDIAN, 0)
    if not 1 <= k <= size <= domain_size or first_epoch < 1 or not 0 <= growth < 1 or not 1 < decay_base <= 4:
        raise MalformedState("hot list must have 1 ≤ k ≤ cells ≤ domain and a legal epoch rule")
    if structured and (structure not in (*CARRYING, HEAVY_KEEPER) or (salt if structure in CARRYING else salt >> 63)):
        raise MalformedState("hot list must have a structure that is known, and a salt only for heavy-keeper")
    layout = _layout(size, light_size, structure)
    arrays = {name: body.array(kind, length).astype(native) for name, native, kind, length in layout}
    body.finish()
    light = empty_light(light_size)
    light.item[:], light.votes[:] = arrays.pop("light_item"), arrays.pop("light_votes")
    cells = Cells(hits=np.zeros(size, np.int64), **arrays)
    rule = Rule(k, first_epoch, growth, decay_base, always, structure, salt)
    if not (_legal_cells(cells, domain_size) and _legal_light(light, rule, domain_size)):
        raise MalformedState("hot list must hold distinct items of its domain, and counts that can occur")
    settle(*light)
    return cells, light, rule, domain_size


def _open_arrays(cells: Cells, light: Light) -> list[NDArray[Any]]:
    """What may differ from the state after the last seal."""
    counted = (cells.score, cells.noise, cells.spread, cells.seen, cells.hits, cells.counter, cells.words)
    return [*counted, light.item, light.votes, light.weakest, light.seen]


def pack_open(cells: Cells, light: Light) -> bytes:
    """The open epoch: every array that has changed since the last seal."""
    arrays = (each.astype(each.dtype.newbyteorder("<")).tobytes() for each in _open_arrays(cells, light))
    return OPEN_FRAME.write(cells.item.size, light.item.size, body=arrays)


def unpack_open(data: bytes, cells: Cells, light: Light, rule: Rule, domain_size: int) -> None:
    """Write what `pack_open` wrote into the arrays; refuse anything else before any of them changes."""
    sizes, body = OPEN_FRAME.read(data)
    if sizes != (cells.item.size, light.item.size):
        raise MalformedState("open epoch must be of a hot list with as many cells")
    read = [body.array(each.dtype.newbyteorder("<"), each.size) for each in _open_arrays(cells, light)]
    body.finish()
    score, noise, spread, seen, hits, counter, _, item, votes, weakest, _ = read
    whole = all(array.min(initial=0) >= 0 for array in (seen, hits, counter, votes, weakest))
    real = all(np.isfinite(array).all() for array in (score, noise, spread))
    placed = weakest[0] < max(1, light.item.size)
    if not (whole and real and placed and _legal_light(Light(item, votes, weakest, light.seen), rule, domain_size)):
        raise MalformedState("open epoch must hold counts that can occur")
    for mine, found in zip(_open_arrays(cells, light), read, strict=True):
        mine[:] = found


def _legal_cells(cells: Cells, domain_size: int) -> bool:
    counter = cells.counter
    whole = (cells.prior, cells.seen, counter)
    real = (cells.score, cells.noise, cells.spread, cells.carried)
    return bool(
        len(set(cells.item.tolist())) == cells.item.size
        and 0 <= cells.item.min() <= cells.item.max() < domain_size
        and all(array.min() >= 0 for array in whole)
        and all(np.isfinite(array).all() for array in real)
        and cells.noise.min() >= 0
        and cells.prior.sum() <= counter[kernels.WARMUP]
        and counter[kernels.NOMINATING] <= 1
        and counter[kernels.EPOCH_LENGTH] >= 1
        and counter[kernels.IN_EPOCH] == counter[kernels.ON_HOT_SIDE] == 0
    )


def _legal_light(light: Light, rule: Rule, domain_size: int) -> bool:
    voted = light.item[light.votes > 0]
    most = MOST_VOTES if rule.structure in CARRYING else decay_thresholds(rule.decay_base).size - 1
    return bool(
        (light.votes <= most).all()
        and ((voted >= 0) & (voted < domain_size)).all()
        and len(set(voted.tolist())) == voted.size
    )
