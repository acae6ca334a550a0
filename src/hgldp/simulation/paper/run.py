"""The variants `paper` and `as-published` of BGR, DSR, BDR and CNR, for the reproduction only.

`paper` follows the printed algorithms with their misprints corrected (docs/paper-notes.md): one decayed counter a cell,
the hot list of the moment for every report, the hot share from the warm-up, all noise subtracted at the end.

`as-published` follows the authors' Java where it departs from them:

* decay is inverted: the weakest cell loses 1 with probability 1 − b^−C;
* every report takes its expected noise from every cell at once, and a newcomer at report t starts from 1 − t·noise;
* BDR's clients draw like CNR's and never send ⊥;
* DSR reads the weakest cell before that cell loses the noise, and on a cold report writes it back as it was read;
* CNR takes the light part's noise from the heavy cells, the weakest excepted, and each nominee starts lower than the
  one before, so that the king is the oldest;
* a negative count is published as 0.

In both, CNR's evicted item takes the king's place in the light part, with the count of a fresh nominee. Neither can be
deployed: the list changes because an event happened, and a newcomer is charged the noise of reports before its time.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.kernels.decay import decay_thresholds
from hgldp.kernels.paper_cells import NAMING, QUIET, PaperCells
from hgldp.kernels.paper_streams import run_paper
from hgldp.model.randomness import derive_seed
from hgldp.model.validate import check_whole
from hgldp.model.weights import Epsilon
from hgldp.simulation.hot_list import CHUNK, CLIENTS, SERVER
from hgldp.simulation.outcome import Outcome, check_stream
from hgldp.simulation.paper.answer import answer
from hgldp.simulation.paper.channels import DECAY_BASE, PaperChannel, PaperVariant
from hgldp.simulation.paper.start import fill

HotShare = float | Literal["online"] | None


def simulate_paper(
    name: str,
    variant: PaperVariant,
    stream: NDArray[np.int32],
    *,
    domain_size: int,
    epsilon: Epsilon,
    k: int,
    cells: int,
    light_cells: int = 5,
    warmup: int,
    seed: int,
    buckets: int = 1,
    judge_share: Fraction = Fraction(1, 3),
    hot_share: HotShare = None,
    advance: Callable[[int], None] | None = None,
) -> Outcome:
    """A scheme of the paper over a stream whose first `warmup` items are raw. `hot_share` None takes it from them.

    With several buckets clients still randomise over all cells; only the server looks at the reported item's bucket.
    A standard error covers the noise of the channel alone, not what decay and eviction do to a count.

    >>> stream = np.repeat(np.arange(50, dtype=np.int32), 50)[np.random.default_rng(1).permutation(2500)]
    >>> outcome = simulate_paper("dsr", "paper", stream, domain_size=50, epsilon=3.0, k=2, cells=5, warmup=100, seed=1)
    >>> outcome.reports, outcome.upload_bytes, len(outcome.estimates)
    (2400, 2400, 2)
    """
    channel = PaperChannel(name, variant, domain_size, cells, epsilon, judge_share)
    items = check_stream(stream, domain_size, warmup)
    check_whole("k", k, 1, cells)
    state, slot_of = _start(channel, items[:warmup], derive_seed(seed, SERVER), buckets, light_cells)
    share = _hot_share(channel, state, warmup, hot_share)
    rule, words = channel.rule(share), np.array([derive_seed(seed, CLIENTS)], np.uint64)
    state.raw[:] *= float(channel.readings(share)[0].gain)
    for start in range(warmup, items.size, CHUNK):
        piece = items[start : start + CHUNK]
        run_paper(rule, state, slot_of, words, channel.weights, decay_thresholds(DECAY_BASE), piece)
        if advance is not None:
            advance(piece.size)
    reports = items.size - warmup
    sizes = zip(channel.report_bytes, (QUIET, NAMING), strict=True)
    kept = (state.item, state.raw, state.light_item, state.light_count, state.lost, state.reports, state.words)
    return Outcome(
        estimates=answer(channel, state, share)[:k],
        reports=reports,
        state_bytes=sum(array.nbytes for array in kept),
        upload_bytes=sum(size * int(state.reports[regime]) for size, regime in sizes),
        download_bytes=channel.bulletin_bytes * reports,
        resident_bytes=sum(array.nbytes for array in state),
    )


def _start(
    channel: PaperChannel, warmup: NDArray[np.int32], seed: int, buckets: int, light_cells: int
) -> tuple[PaperCells, NDArray[np.int16]]:
    """The cells after the warm-up, which fills the heavy part alone, and the clients' look-up."""
    if channel.as_published and buckets != 1:
        raise InvalidField("buckets", "must be 1 in the variant as-published, which is not private with more", buckets)
    state = fill(channel.domain_size, channel.cells, buckets, light_cells if channel.name == "cnr" else None, seed)
    slot_of = np.full(channel.domain_size, channel.cells, np.int16)
    slot_of[state.item] = np.arange(channel.cells)
    no_light = state._replace(light_item=np.empty(0, np.int32), light_count=np.empty(0), reports=np.zeros(4, np.int64))
    no_words = np.zeros(1, np.uint64)
    run_paper(channel.warmup_rule(), no_light, slot_of, no_words, no_words, decay_thresholds(DECAY_BASE), warmup)
    state.prior[:] = state.raw
    return state, slot_of


def _hot_share(channel: PaperChannel, state: PaperCells, warmup: int, hot_share: HotShare) -> Fraction | None:
    """γ_h: given, or what the cells hold of the warm-up; None where it is estimated online or not needed."""
    if not channel.splits:
        return None
    if hot_share == "online":
        if channel.as_published:
            raise InvalidField(
                "hot_share", "must be a number or from the warm-up in the variant as-published", hot_share
            )
        return None
    if hot_share is None:
        if warmup == 0:
            raise InvalidField("hot_share", "must be given where there is no warm-up to take it from", hot_share)
        return Fraction(int(state.raw.sum()), warmup)
    if not isinstance(hot_share, int | float | Fraction) or not 0 <= hot_share <= 1:
        raise InvalidField("hot_share", "must be a share in [0, 1]", hot_share)
    return Fraction(hot_share)
