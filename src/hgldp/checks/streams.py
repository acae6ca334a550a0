"""What only a stream shows: the fused kernel is the step-by-step objects, and memory does not grow.

These two need the extra `track`. A subject that has no fused kernel leaves them open (None).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hgldp.checks.result import StreamFindings
from hgldp.checks.subjects import MechanismSubject, SchemeSubject, Subject
from hgldp.errors import InvalidField
from hgldp.mechanisms.base import Mechanism
from hgldp.model.bulletin import Bulletin
from hgldp.model.randomness import SeededWords, derive_seed
from hgldp.schemes.base import Scheme
from hgldp.simulate.hot_list import CLIENTS, fused, track
from hgldp.simulate.oracles import score_stream
from hgldp.stores.histogram import Histogram
from hgldp.stores.hot_list import HotList

SEED, EVENTS, LIGHT_CELLS, EPOCH = 20_261_115, 600, 4, 50


def check_stream(subject: Subject) -> StreamFindings:
    """Both checks for one mechanism or scheme."""
    try:
        if isinstance(subject, SchemeSubject):
            return StreamFindings(list(_scheme_kernel(subject.scheme)), list(_scheme_memory(subject.scheme)))
        if isinstance(subject, MechanismSubject):
            return StreamFindings(
                list(_mechanism_kernel(subject.mechanism)), list(_mechanism_memory(subject.mechanism))
            )
    except NoKernel:
        return StreamFindings(None, None)
    except InvalidField as refused:
        return StreamFindings([f"{subject.title}: a stream of its own reports is refused: {refused}"], None)
    return StreamFindings(None, None)


class NoKernel(InvalidField):
    """A subject that is only ever run step by step."""


def _events(domain_size: int, count: int) -> list[int]:
    words = SeededWords(SEED)
    return [min(words.below(domain_size), words.below(domain_size)) for _ in range(count)]


def _start(scheme: Scheme) -> HotList:
    rule = HotList.rule(1, first_epoch=EPOCH, always_nominating=scheme.always_nominating)
    size, cells = scheme.domain_size, scheme.cells
    return HotList.start(domain_size=size, cells=cells, light_cells=LIGHT_CELLS, rule=rule, seed=SEED)


def run_stepwise(scheme: Scheme, store: HotList, events: list[int], words: SeededWords) -> None:
    """Every event by the objects that a client and a server use; the last epoch ends with the stream."""
    bulletin = _bulletin(scheme, store)
    for event in events:
        scheme.insert(store, scheme.randomize(event, bulletin, words), bulletin)
        if store.epoch_is_full:
            store.seal(scheme.reading(bulletin).coefficients)
            bulletin = _bulletin(scheme, store)
    store.flush(scheme.reading(bulletin).coefficients)


def _bulletin(scheme: Scheme, store: HotList) -> Bulletin:
    return Bulletin(bytes(32), store.epoch, scheme.domain_size, store.items, store.nominating)


def _scheme_kernel(scheme: Scheme) -> Iterator[str]:

    try:
        fused(scheme)
    except InvalidField as missing:
        raise NoKernel("kernel", "must exist for this check", scheme.name) from missing
    stepwise, whole, events = _start(scheme), _start(scheme), _events(scheme.domain_size, EVENTS)
    run_stepwise(scheme, stepwise, events, SeededWords(derive_seed(SEED, CLIENTS)))
    track(scheme, whole, np.array(events, np.int32), SEED)
    if stepwise.serialize() != whole.serialize():
        yield f"{scheme.name}: the fused kernel and the step-by-step objects end in different states"


def _scheme_memory(scheme: Scheme) -> Iterator[str]:
    store, words = _start(scheme), SeededWords(SEED)
    before = (len(store.serialize()), store.resident_bytes)
    run_stepwise(scheme, store, _events(scheme.domain_size, EVENTS), words)
    after = (len(store.serialize()), store.resident_bytes)
    if before != after:
        yield f"{scheme.name}: the state grew from {before} to {after} bytes"


def _scores(mechanism: Mechanism[Any], events: list[int]) -> list[int]:
    words, scores = SeededWords(SEED), [0] * mechanism.size
    for event in events:
        report = mechanism.randomize(event, words)
        for value in range(mechanism.size):
            scores[value] += mechanism.support(report, value)
    return scores


def _mechanism_kernel(mechanism: Mechanism[Any]) -> Iterator[str]:

    events = _events(mechanism.size, EVENTS)
    try:
        scores = score_stream(mechanism, np.array(events, np.int32), SEED)
    except InvalidField as missing:
        raise NoKernel("kernel", "must exist for this check", mechanism.name) from missing
    if scores.tolist() != _scores(mechanism, events):
        yield f"{mechanism.name}: the kernel and the client's reports add up to different scores"


def _mechanism_memory(mechanism: Mechanism[Any]) -> Iterator[str]:

    histogram, sizes = Histogram(mechanism.size), []
    for events in (_events(mechanism.size, EVENTS // 10), _events(mechanism.size, EVENTS)):
        histogram.add(np.array(_scores(mechanism, events), np.int64), len(events))
        sizes.append((len(histogram.serialize()), histogram.resident_bytes))
    if sizes[0] != sizes[1]:
        yield f"{mechanism.name}: the histogram grew from {sizes[0]} to {sizes[1]} bytes"
