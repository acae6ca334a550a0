"""The end of an epoch as a function: a state and a tally in; the next state, its bulletin and the result out."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hgldp.collector.log.task_copy import ranked_items
from hgldp.collector.views import PublishedEpoch
from hgldp.errors import InvalidField
from hgldp.model.bulletins import AnyBulletin
from hgldp.stores.open_epoch import pack_tallies
from hgldp.tallies.state import SealState
from hgldp.tallies.tally import Counts, Tally, combine
from hgldp.tracker import Tracker


@dataclass(frozen=True)
class Sealed:
    """What the end of an epoch left: the state to go on from, the bulletin to answer next, and what was found."""

    state: SealState
    bulletin: AnyBulletin
    result: PublishedEpoch


def estimate(state: SealState, tally: Tally, *, published: float = 0.0) -> Sealed:
    """End the epoch with the reports of a tally, none of which was counted before.

    Reports of earlier bulletins that are still read count late, as in a collector. What does not fit is refused. The
    result says when it was published, in seconds since 1970; nothing else depends on that.
    """
    check_answers(state, tally)
    ended = state.bulletin
    if not tally.answering(ended.version):
        found = f"{tally.reports:,} reports, all of which answer earlier epochs" if tally else "an empty one"
        raise InvalidField("tally", "must hold a report that answers the bulletin in force", found)
    tracker = Tracker.restore(state.task, state.tracker, state.bulletins[:-1])
    tracker.reopen(pack_tallies(_open_epoch(state, tally)))
    after: list[bytes] = []
    tracker.when_sealed = lambda _, written: after.append(written)
    bulletin = tracker.seal()
    top = ranked_items(tracker.top(), state.top)
    result = PublishedEpoch(ended.epoch, published, tracker.reports, ended.version, top)
    items = tuple(each.item for each in top)
    return Sealed(
        SealState(state.task, tracker.bulletins, after[0], items, _counted(state, tally, tracker)), bulletin, result
    )


def check_answers(state: SealState, tally: Tally) -> None:
    """Refuse a tally of which one report answers no bulletin of the state, or has a symbol that its bulletin lacks."""
    limits = state.symbol_limits
    for version, histogram in tally.counts.items():
        if version not in limits:
            first, last = state.bulletins[0].epoch, state.bulletin.epoch
            epochs = f"epoch {first} to {last}" if first < last else f"epoch {last}"
            rule = f"must answer bulletins of this state, which reads those of {epochs}"
            found = f"{tally.answering(version):,} reports that answer {version}, none of them"
            older = f", or is the bulletin older than epoch {first}" if first else ""
            raise InvalidField("tally", rule, found, f": is there a later state file{older}?")
        if histogram.size > limits[version]:
            rule = f"must lie in 0 … {limits[version] - 1} where they answer {version}"
            raise InvalidField("symbols", rule, "a larger one (withheld)")


def _open_epoch(state: SealState, tally: Tally) -> Iterator[tuple[int, Counts]]:
    """One count for each symbol, by the epoch of the bulletin."""
    for each in state.bulletins:
        if (found := tally.counts.get(each.version)) is not None:
            yield each.epoch, np.pad(found, (0, state.symbol_limits[each.version] - found.size))


def _counted(state: SealState, tally: Tally, tracker: Tracker) -> Tally:
    """Of the bulletins that are still read. What the state does not know, it does not know now either."""
    total = combine([state.counted, tally])
    known = {*state.counted.counts, state.bulletin.version} & {each.version for each in tracker.bulletins}
    return Tally({version: total.counts[version] for version in known})
