"""The end of an epoch from a tally is what a collector published, bit for bit."""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.collector.log.storage import KeptEpoch
from hgldp.errors import InvalidField, MalformedState
from hgldp.model.task import Task
from hgldp.stores.open_epoch import unpack_tallies
from hgldp.tallies import Sealed, SealState, Tally, accumulate, combine, estimate
from hgldp.tracker import Tracker
from tests.tallies.lives import FAMILIES, LISTED, STRINGS, Life, pairs


def started(life: Life) -> SealState:
    task = LISTED if life.row.id == LISTED.id else STRINGS
    return SealState.start(task, life.row.seed, hides_order=life.row.terms.hides_order)


def tally_of(state: SealState, kept: KeptEpoch) -> Tally:
    """What a collector wrote down when it ended an epoch."""
    versions = {each.epoch: each.version for each in state.bulletins}
    return Tally({versions[epoch]: histogram for epoch, histogram in unpack_tallies(kept.opened)})


def test_every_epoch_of_a_collector_follows_from_its_tallies(life: Life) -> None:
    state, late, unseen = started(life), 0, list(life.states)
    assert len(life.kept) > 8
    for kept, published, bulletin in pairs(life):
        tally = tally_of(state, kept)
        late += len(tally.counts) - 1
        sealed = estimate(SealState.read(state.write()), tally, published=published.result.published)
        assert sealed.bulletin.canonical == bulletin.data
        assert sealed.result == published.result
        state = sealed.state
        if unseen and state.tracker == unseen[0]:
            del unseen[0]
    assert not unseen  # every state that the collector had written came, in this order
    assert late > 3


def forgets_late(state: SealState, tally: Tally) -> Sealed:
    return estimate(state, Tally({state.bulletin.version: tally.counts[state.bulletin.version]}))


def forgets_ranks(state: SealState, tally: Tally) -> Sealed:
    return estimate(replace(state, top=()), tally)


def counts_late_as_new(state: SealState, tally: Tally) -> Sealed:
    limit = state.symbol_limits[state.bulletin.version]
    padded = [np.pad(each, (0, limit))[:limit] for each in tally.counts.values()]
    return estimate(state, Tally({state.bulletin.version: sum(padded)}))


@pytest.mark.parametrize("wrong", [forgets_late, forgets_ranks, counts_late_as_new])
def test_planted_a_wrong_end_of_an_epoch_is_noticed(life: Life, wrong: Callable[[SealState, Tally], Sealed]) -> None:
    state, differ = started(life), 0
    for kept, published, bulletin in pairs(life):
        tally = tally_of(state, kept)
        found = wrong(state, tally)
        differ += found.bulletin.canonical != bulletin.data or found.result.top != published.result.top
        state = estimate(state, tally).state
    assert differ >= 3


def reports(state: SealState, count: int, seed: int) -> list[tuple[str, int]]:
    """Some for each bulletin that is read, the newest most often."""
    draw = Random(seed)
    chosen = [state.bulletin, *draw.choices(state.bulletins, k=count // 3)]
    chosen += [state.bulletin] * (count - len(chosen))
    return [(each.version, draw.randrange(state.symbol_limits[each.version])) for each in chosen]


def aged(task: Task, epochs: int = 3) -> SealState:
    state = SealState.start(task, seed=5)
    for number in range(epochs):
        versions, symbols = zip(*reports(state, 90, seed=number), strict=True)
        state = estimate(state, accumulate(versions, np.array(symbols))).state
    return state


AGED = {name: aged(task) for name, task in FAMILIES.items()}


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_split_in_any_order_gives_what_a_tracker_gives(name: str, data: st.DataObject) -> None:
    state = AGED[name]
    arrived = reports(state, data.draw(st.integers(1, 60)), data.draw(st.integers(0, 9)))
    parts = data.draw(st.lists(st.integers(0, 4), min_size=len(arrived), max_size=len(arrived)))
    order = data.draw(st.permutations(range(5)))
    tallies = [
        accumulate([version for version, _ in some], np.array([symbol for _, symbol in some], np.int64))
        for part in order
        if (some := [report for report, at in zip(arrived, parts, strict=True) if at == part])
        or data.draw(st.booleans())
    ]
    whole = accumulate([version for version, _ in arrived], np.array([symbol for _, symbol in arrived]))
    assert combine(tallies) == whole == Tally.from_csv(combine(reversed(tallies)).to_csv())
    sealed = estimate(state, combine(tallies))
    tracker = Tracker.restore(state.task, state.tracker, state.bulletins[:-1], when_sealed=lambda *_: None)
    for version, symbol in arrived:
        tracker.insert_into_epoch(version, np.array([symbol]))
    tracker.seal()
    assert (sealed.state.tracker, sealed.bulletin) == (tracker.serialize(), tracker.bulletin)
    assert [(each.item, each.estimate) for each in sealed.result.top] == [
        (item, found.count) for item, found in tracker.top()
    ]
    assert estimate(state, state.new_of(combine([state.counted, whole]))) == sealed


def test_what_does_not_fit_is_refused() -> None:
    state = AGED["listed"]
    here, limit = state.bulletin.version, state.symbol_limits[state.bulletin.version]
    good = Tally({here: [1, 2]})
    for wrong, said in [
        (Tally(), "tally must hold a report that answers the bulletin in force, got an empty one"),
        (
            Tally({state.bulletins[0].version: [4]}),
            "bulletin in force, got 4 reports, all of which answer earlier epochs",
        ),
        (good + Tally({"ab" * 32: [7]}), r"reads those of epoch 0 to 3, got 7 .* later state file\?$"),
        (Tally({here: [0] * limit + [1]}), rf"symbols must lie in 0 … {limit - 1} where .* got a larger one"),
    ]:
        with pytest.raises(InvalidField, match=said):
            estimate(state, wrong)
    assert estimate(state, good).state.bulletin.epoch == state.bulletin.epoch + 1


def test_a_total_without_what_was_counted_is_refused() -> None:
    state = AGED["listed"]
    first = state.bulletins[0].version
    less = state.counted.counts[first].copy()
    less[np.flatnonzero(less)[0]] -= 1
    with pytest.raises(InvalidField, match=r"must hold all .* reports of .* that were counted already"):
        state.new_of(Tally({**state.counted.counts, first: less}))
    one_missing = {version: counts for version, counts in state.counted.counts.items() if version != first}
    with pytest.raises(InvalidField, match=r"that were counted already, got none of them"):
        state.new_of(Tally({**one_missing, state.bulletin.version: [3]}))
    unknown = replace(state, counted=Tally())
    with pytest.raises(InvalidField, match="must hold new reports only"):
        unknown.new_of(Tally({first: less}))
    assert unknown.new_of(Tally({state.bulletin.version: [3]})).reports == 3


def test_the_largest_count_there_can_be_is_sealed_without_a_warning() -> None:
    state = SealState.start(LISTED, seed=1)
    with np.errstate(divide="raise", invalid="raise"):
        sealed = estimate(state, Tally({state.bulletin.version: [0, 0, (1 << 53) - 1]}))
    assert sealed.result.reports == (1 << 53) - 1


def test_a_scheme_that_looks_at_the_order_is_refused() -> None:
    with pytest.raises(InvalidField, match=r"scheme must be pfr, .* hot lists decide in order of arrival, got dsr"):
        SealState.start(Task("dsr", epsilon=2.0, domain=range(30), k=2), seed=1)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_changed_state_is_refused(data: st.DataObject) -> None:
    written = AGED[data.draw(st.sampled_from(sorted(AGED)))].write()
    at, byte = data.draw(st.integers(0, len(written) - 1)), data.draw(st.integers(0, 255))
    changed = written[:at] + bytes([byte]) + written[at + 1 :]
    if changed == written:
        return
    with pytest.raises(MalformedState):
        SealState.read(changed)
    with pytest.raises(MalformedState):
        SealState.read(written[:at])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tracker", "not base64!"),
        ("tracker", "AAAA"),
        ("bulletins", []),
        ("bulletins", ["00"]),
        ("top", [None]),
        ("counted", {"ab" * 32: [1]}),
        ("counted", {"ab": [1]}),
        ("task", {}),
        ("extra", 1),
        ("counted", None),
    ],
)
def test_fields_that_do_not_fit_together_are_refused(field: str, value: object) -> None:
    fields = json.loads(AGED["listed"].write())
    del fields["sha256"]
    fields[field] = value
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    fields["sha256"] = sha256(text.encode()).hexdigest()
    with pytest.raises(MalformedState):
        SealState.read(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode() + b"\n")


def test_a_state_is_small() -> None:
    """The reports do not stay in it."""
    state = SealState.start(Task("pfr", epsilon=2.0, domain=range(100_000), k=10), seed=1)
    limit = state.symbol_limits[state.bulletin.version]
    for number in range(10):
        state = estimate(state, Tally({state.bulletin.version: np.full(limit, 10**6 + number)})).state
    assert len(state.write()) < 200_000
