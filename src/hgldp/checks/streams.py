"""What only a stream shows: the fused kernel is the step-by-step objects, and memory does not grow.

These two need the extra `track`. What cannot be looked at is left open (None).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hgldp.checks.frontier import FrontierSubject
from hgldp.checks.hinted import CODES, HintedSubject
from hgldp.checks.result import StreamFindings
from hgldp.checks.subjects import MechanismSubject, SchemeSubject, Subject
from hgldp.errors import InvalidField
from hgldp.mechanisms.base import Mechanism
from hgldp.model.bulletins import Bulletin
from hgldp.model.domain import StringDomain
from hgldp.model.randomness import SeededWords, derive_seed
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.simulation.hot_list import CLIENTS, fused, track
from hgldp.simulation.oracles import score_stream
from hgldp.simulation.strings import spell
from hgldp.stores.frontier import Frontier
from hgldp.stores.hinted import HintedFrontier
from hgldp.stores.hot_list import HotList, make_rule

SEED, EVENTS, LIGHT_CELLS, EPOCH = 20_261_115, 600, 4, 50
FRONTIER_EVENTS, FRONTIER_MEMORY, FRONTIER_EPOCH = 1_200, 800, 40
HINTED_MEMORY, HINTED_BYTES = 1_600, 8


def check_over_stream(subject: Subject) -> StreamFindings:
    """Both checks for a scheme; a mechanism has a kernel, but no state."""
    try:
        if isinstance(subject, SchemeSubject):
            return StreamFindings(_scheme_kernel(subject.scheme), _scheme_memory(subject.scheme))
        if isinstance(subject, FrontierSubject):
            return _check_frontier(subject.scheme)
        if isinstance(subject, HintedSubject):
            return _check_hinted(subject.scheme)
        if isinstance(subject, MechanismSubject):
            return StreamFindings(_mechanism_kernel(subject.mechanism))
    except InvalidField as refused:
        return StreamFindings([f"{subject.title}: a stream of its own reports is refused: {refused}"], None)
    return StreamFindings()


def _events(domain_size: int, count: int) -> list[int]:
    words = SeededWords(SEED)
    return [min(words.below(domain_size), words.below(domain_size)) for _ in range(count)]


def _start(scheme: HotListScheme) -> HotList:
    rule = make_rule(1, EPOCH, 0.0, 1.08, always_nominating=scheme.always_nominating)
    size, cells = scheme.domain_size, scheme.cells
    return HotList.start(domain_size=size, cells=cells, light_cells=LIGHT_CELLS, rule=rule, seed=SEED)


def run_stepwise(scheme: HotListScheme, store: HotList, events: list[int], words: SeededWords) -> None:
    """Every event by the objects that a client and a server use; the last epoch ends with the stream."""
    bulletin = _bulletin(scheme, store)
    for event in events:
        scheme.insert(store, scheme.randomize(event, bulletin, words), bulletin)
        if store.epoch_is_full:
            store.seal(scheme.reading(bulletin).coefficients)
            bulletin = _bulletin(scheme, store)
    store.flush(scheme.reading(bulletin).coefficients)


def _bulletin(scheme: HotListScheme, store: HotList) -> Bulletin:
    return Bulletin(bytes(32), store.epoch, scheme.domain_size, store.items, store.nominating)


def _scheme_kernel(scheme: HotListScheme) -> list[str] | None:
    try:
        fused(scheme)
    except InvalidField:
        return None
    stepwise, whole, events = _start(scheme), _start(scheme), _events(scheme.domain_size, EVENTS)
    run_stepwise(scheme, stepwise, events, SeededWords(derive_seed(SEED, CLIENTS)))
    track(scheme, whole, np.array(events, np.int32), SEED)
    if stepwise.serialize() == whole.serialize():
        return []
    return [f"{scheme.name}: the fused kernel and the step-by-step objects end in different states"]


def _scheme_memory(scheme: HotListScheme) -> list[str]:
    store, words = _start(scheme), SeededWords(SEED)
    before = (len(store.serialize()), store.resident_bytes)
    run_stepwise(scheme, store, _events(scheme.domain_size, EVENTS), words)
    after = (len(store.serialize()), store.resident_bytes)
    return [] if before == after else [f"{scheme.name}: the state grew from {before} to {after} bytes"]


def _mechanism_kernel(mechanism: Mechanism[Any]) -> list[str] | None:
    words, events, scores = SeededWords(SEED), _events(mechanism.size, EVENTS), [0] * mechanism.size
    try:
        found = score_stream(mechanism, np.array(events, np.int32), SEED)
    except InvalidField:
        return None
    for event in events:
        report = mechanism.randomize(event, words)
        for value in range(mechanism.size):
            scores[value] += mechanism.support(report, value)
    if found.tolist() == scores:
        return []
    return [f"{mechanism.name}: the kernel and the client's reports add up to different scores"]


def _check_frontier(scheme: PFR) -> StreamFindings:
    """The same events through the kernel and report by report."""
    events = _events(scheme.domain_size, FRONTIER_EVENTS)
    whole, stepwise = (Frontier(scheme, memory=FRONTIER_MEMORY, seed=SEED, epoch=FRONTIER_EPOCH) for _ in range(2))
    follow(scheme, whole, np.array(events, np.int32), SEED)
    return _compared(scheme, whole, stepwise, events, FRONTIER_MEMORY)


def _check_hinted(scheme: HintedPFR) -> StreamFindings:
    """The same for strings of which a list names some."""
    events, domain = _events(len(CODES), FRONTIER_EVENTS), StringDomain(HINTED_BYTES, scheme.hints)
    terms: dict[str, Any] = {"memory": HINTED_MEMORY, "k": 2, "domain": domain, "seed": SEED, "epoch": FRONTIER_EPOCH}
    whole, stepwise = (HintedFrontier(scheme, **terms) for _ in range(2))
    spell(scheme, whole, CODES, np.array(events, np.int32), SEED)
    return _compared(scheme, whole, stepwise, [CODES[event] for event in events], HINTED_MEMORY)


def _compared(scheme: Any, whole: Any, stepwise: Any, codes: Sequence[Any], memory: int) -> StreamFindings:
    """Both ways end in the same bytes, never more of them than the memory allows."""
    client, largest = SeededWords(derive_seed(SEED, CLIENTS)), 0
    for code in codes:
        stepwise.insert([scheme.randomize(code, stepwise.bulletin, client)])
        if stepwise.in_epoch >= stepwise.epoch_length:
            stepwise.seal()
            largest = max(largest, len(stepwise.serialize()))
    stepwise.seal()
    same = stepwise.serialize() == whole.serialize()
    return StreamFindings(
        [] if same else [f"{scheme.name}: the kernel and the step-by-step objects end in different states"],
        [] if largest <= memory else [f"{scheme.name}: the state grew to {largest} bytes, above {memory}"],
    )
