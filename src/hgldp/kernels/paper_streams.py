"""The paper's schemes over a whole stream: clients that answer the list of their moment, and a server that renews it.

One fused loop for all of them: a scheme differs only in how its clients draw. The list may change with every report, so
there are no blocks. `slot_of` is the clients' common look-up: an item's slot, `cells` if it is cold, and
cells + 1 + place if it is cold and in a light cell.

Ranks of cold items need no table. They are those of `Bulletin`: the hot items below cold_size, in order, give their
rank to the cold items above it, in order. Only a rank that belongs to a hot item needs a search, and that is rare.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.paper_cells import (
    LOST,
    LOST_TO_LIGHT,
    NAMED,
    NAMING,
    ON_HOT_SIDE,
    QUIET,
    PaperCells,
    bucket_of,
    settle,
    weakest_of_all,
)
from hgldp.kernels.words import GOLDEN, draw_below, mix

RAW, FULL, SHRINKING, SPLIT, ALWAYS_NAMING = range(5)
NOBODY = -1
_32 = np.uint64(32)


class PaperRule(NamedTuple):
    """How clients draw and what a report does.

    `mode`: RAW (warm-up), FULL (BGR), SHRINKING (DSR), SPLIT (BDR), ALWAYS_NAMING (CNR, and BDR as published).
    `weight` and `noise`: what an arrival adds to its own cell and takes from every cell, quiet and naming.
    `light_noise`: what a report that the light part sees takes from every *heavy* cell; `light_start`: how much lower
    each such report makes the next nominee start. `reads_late`: the weakest cell is read before it loses the noise and
    written back as it was read. All of these are 0 in the paper; decay is `inverted` only as published.
    """

    mode: int
    weight: tuple[float, float]
    noise: tuple[float, float]
    light_noise: float
    light_start: float
    reads_late: bool
    inverted: bool
    decay_base: float


@kernel
def stand_in(slot_of: NDArray[np.int16], hot: NDArray[np.int32], rank: int) -> int:
    """The cold item whose rank is that of a hot item in the way."""
    before = 0
    for slot in range(hot.size):
        if hot[slot] < rank:
            before += 1
    item = slot_of.size - hot.size
    while before > 0 or slot_of[item] < hot.size:
        if slot_of[item] >= hot.size:
            before -= 1
        item += 1
    return item


@kernel
def stood_for(slot_of: NDArray[np.int16], hot: NDArray[np.int32], item: int) -> int:
    """The rank of a cold item above cold_size: the hot item that it stands in for."""
    cold_size = slot_of.size - hot.size
    before = 0
    for other in range(cold_size, item):
        if slot_of[other] >= hot.size:
            before += 1
    rank: Any = -1
    for _ in range(before + 1):
        following: Any = cold_size
        for slot in range(hot.size):
            if rank < hot[slot] < following:
                following = np.int64(hot[slot])
        rank = following
    return int(rank)


@inlined
def draw_grr(counter: Any, truth: Any, total: Any, value: Any) -> Any:
    """GRR with S = 2^32: the value itself below W, otherwise one of the others; and the state after it."""
    drawn, counter = draw_below(counter, total)
    other = np.int64((drawn - truth) >> _32)
    return value if drawn < truth else (other if other < value else other + 1), counter


@inlined
def wears(word: Any, standing: Any, base: Any, at: Any, beyond: Any) -> Any:
    """Whether a word takes one from a count: word < 2^64·b^−C, given that bound at ⌊C⌋ and at ⌊C⌋ + 1."""
    return word < beyond or (word < at and np.float64(word) * 2.0**-64 < base**-standing)


@kernel
def run_paper(
    rule: PaperRule,
    cells: PaperCells,
    slot_of: NDArray[np.int16],
    words: NDArray[np.uint64],
    weights: NDArray[np.uint64],
    thresholds: NDArray[np.uint64],
    stream: NDArray[np.int32],
) -> None:
    """A piece of the stream.

    Weights: (truth, total over the domain, total over the cells and ⊥) where clients use GRR; (judge truth, judge
    total, value truth, value total hot, value total cold) where they split. `thresholds` holds ⌊2^64·b^−C⌋ for
    C = 0, 1, ….
    """
    hot, raw, bucket, weakest, others = cells.item, cells.raw, cells.bucket, cells.weakest, cells.others
    light_item, light_count, filled, prior = cells.light_item, cells.light_count, cells.light_filled, cells.prior
    size: Any = np.int64(hot.size)
    buckets, light_width = weakest.size, light_item.size // weakest.size
    far: Any = np.int64(thresholds.size - 2)
    cold_size, mode = slot_of.size - size, rule.mode
    reports, lost, lost_to_light = cells.reports, cells.lost[LOST], cells.lost[LOST_TO_LIGHT]
    named, counter, server = reports[NAMED], words[0], cells.words[0]
    for each in range(buckets):
        settle(raw, weakest, others, each)
    least = weakest_of_all(raw, weakest)
    for t in range(stream.size):
        own: Any = np.int64(stream[t])
        name: Any = own
        place: Any = np.int64(slot_of[own])
        regime, home, floor = NAMING, bucket_of(own, buckets), far
        evicting = raw[least] - lost <= 1.0
        if mode == FULL or (mode == SHRINKING and evicting):
            name, counter = draw_grr(counter, weights[0], weights[1], own)
            place = np.int64(slot_of[name])
        elif mode == SHRINKING:
            place, counter = draw_grr(counter, weights[0], weights[2], min(place, size))
            name, regime = NOBODY, QUIET
        elif mode != RAW:
            is_hot = place < size
            flag, counter = draw_below(counter, weights[1])
            regime = NAMING if mode == ALWAYS_NAMING or evicting else QUIET
            if (flag < weights[0]) == is_hot:
                if is_hot:
                    place, counter = draw_grr(counter, weights[2], weights[3], place)
                else:
                    drawn, counter = draw_below(counter, np.uint64(size))
                    place = np.int64(drawn)
            elif regime == QUIET:
                name, place = NOBODY, size
            else:
                if is_hot:
                    drawn, counter = draw_below(counter, np.uint64(cold_size))
                    name = np.int64(drawn)
                else:
                    rank = own if own < cold_size else stood_for(slot_of, hot, own)
                    name, counter = draw_grr(counter, weights[2], weights[4], rank)
                if slot_of[name] < size:
                    name = stand_in(slot_of, hot, name)
                place = np.int64(slot_of[name])

        reports[regime] += 1
        read = lost
        lost += rule.noise[regime]
        if place < size:
            reports[ON_HOT_SIDE] += 1
            raw[place] += rule.weight[regime]
            home = np.int64(bucket[place])
            if place == weakest[home]:
                if raw[place] >= others[home]:
                    settle(raw, weakest, others, home)
                least = weakest[0] if buckets == 1 else weakest_of_all(raw, weakest)
            continue

        home = np.int64(bucket[least]) if name == NOBODY else bucket_of(name, buckets)
        weak = weakest[home]
        if not rule.reads_late:
            read = lost
        before = raw[weak]
        standing, loss = before - read, 0.0
        if standing > 0.0:
            server += GOLDEN
            floor = min(np.int64(standing), far)
            if wears(mix(server), standing, rule.decay_base, thresholds[floor], thresholds[floor + 1]) != rule.inverted:
                loss = 1.0
        start = 1.0
        if light_width > 0:
            named += 1
            start -= named * rule.light_start
            lost += rule.light_noise
            lost_to_light += rule.light_noise
            first = home * light_width
            if place > size:
                light_count[place - size - 1] += 1.0
            else:
                poor = first + filled[home]
                if filled[home] < light_width:
                    filled[home] += 1
                else:
                    poor = first
                    for other in range(first + 1, first + light_width):
                        if light_count[other] < light_count[poor]:
                            poor = other
                    poorest = light_count[poor]
                    if poorest > 0.0:
                        server += GOLDEN
                        floor = min(np.int64(poorest), far)
                        bounds = thresholds[floor], thresholds[floor + 1]
                        if wears(mix(server), poorest, rule.decay_base, bounds[0], bounds[1]) != rule.inverted:
                            poorest -= 1.0
                            light_count[poor] = poorest
                    if poorest > 0.0:
                        poor = NOBODY
                    else:
                        slot_of[light_item[poor]] = size
                if poor != NOBODY:
                    light_item[poor], light_count[poor] = name, start
                    slot_of[name] = size + 1 + poor
        if standing - loss <= 0.0 and name != NOBODY:
            newcomer, leaver = np.int32(name), hot[weak]
            slot_of[leaver] = size
            if light_width > 0:
                king = home * light_width
                for other in range(king + 1, king + filled[home]):
                    if light_count[other] > light_count[king]:
                        king = other
                newcomer = light_item[king]
                light_item[king], light_count[king] = leaver, start
                slot_of[leaver] = size + 1 + king
            hot[weak], prior[weak] = newcomer, 0
            slot_of[newcomer] = weak
            raw[weak] = rule.weight[regime] + lost_to_light
        else:
            raw[weak] = before - loss + (lost - read)
        if raw[weak] > before and raw[weak] >= others[home]:
            settle(raw, weakest, others, home)
        least = weakest[0] if buckets == 1 else weakest_of_all(raw, weakest)
    cells.lost[LOST], cells.lost[LOST_TO_LIGHT], reports[NAMED] = lost, lost_to_light, named
    words[0], cells.words[0] = counter, server
