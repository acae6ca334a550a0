"""Single reports wait to be counted together: nobody can tell, except by the clock."""

from collections.abc import Callable

import numpy as np
import pytest

from hgldp.errors import InvalidField, UnknownBulletin
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.reports import Report
from hgldp.model.task import Task
from hgldp.tracker import Tracker, singles
from hgldp.tracker import tracker as tracker_module
from hgldp.tracker.singles import Singles

SCHEMES = ("bgr", "dsr", "bdr", "cnr", "pfr", "strings")
QUESTIONS: list[Callable[[Tracker], object]] = [
    Tracker.top,
    Tracker.open_epoch,
    Tracker.copied,
    repr,
    lambda tracker: tracker.reports,
    lambda tracker: tracker.epoch_room,
    lambda tracker: tracker.bulletin,
]


def task(scheme: str) -> Task:
    if scheme == "strings":
        return Task("pfr", epsilon=3.0, domain=8, k=2, epoch=60)
    return Task(scheme, epsilon=3.0, domain=range(40), k=2, cells=8, epoch=60)


def drawn(tracker: Tracker, seed: int, count: int) -> list[int]:
    """Legal symbols, names of cold and of hot items among them."""
    limit = tracker.family.symbol_limit(tracker.bulletin)
    found: list[int] = np.random.default_rng(seed).integers(0, limit, count).tolist()
    return found


def life(scheme: str, ask: Callable[[Tracker, int], object], *, batches: bool) -> list[tuple[str, bytes, bytes | None]]:
    """Every end of an epoch: after which report it came, what it published, and the state."""
    ends: list[tuple[str, bytes, bytes | None]] = []

    def sealed(ended: AnyBulletin, state: bytes) -> None:
        ends.append((f"{ended.version} after {tracker.reports}", state, tracker.ended_epoch))

    tracker = Tracker(task(scheme), seed=5, warmup=() if scheme == "strings" else [1, 1, 2, 3, 5], when_sealed=sealed)
    for epoch in range(5):
        room, bulletin = tracker.epoch_room, tracker.bulletin
        symbols = drawn(tracker, epoch, room)
        if batches:
            tracker.insert_many(bulletin.version, symbols)
        else:
            for place, symbol in enumerate(symbols):
                assert tracker.bulletin is bulletin
                tracker.insert(Report(bulletin.version, symbol))
                ask(tracker, place)
        assert tracker.bulletin is not bulletin
    tracker.insert_many(tracker.bulletin.version, drawn(tracker, 9, 7))
    ends.append(("open", repr(tracker.top()).encode(), tracker.open_epoch()))
    return ends


def ask_nothing(tracker: Tracker, place: int) -> None:
    del tracker, place


@pytest.mark.parametrize("scheme", SCHEMES)
def test_singles_and_batches_are_the_same_bit_for_bit_and_seal_at_the_same_report(scheme: str) -> None:
    assert life(scheme, ask_nothing, batches=False) == life(scheme, ask_nothing, batches=True)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_question_between_two_reports_changes_nothing(scheme: str) -> None:
    def ask(tracker: Tracker, place: int) -> None:
        if place % 3 == 0:
            QUESTIONS[place // 3 % len(QUESTIONS)](tracker)

    assert life(scheme, ask, batches=False) == life(scheme, ask_nothing, batches=True)


class Roomy(Singles):
    """The planted bug: it waits for one report more than the epoch takes."""

    __slots__ = ()

    def __init__(self, version: str, limit: int, room: int) -> None:
        super().__init__(version, limit, room + 1)


class Forgetful(Singles):
    """The planted bug: the last one is lost."""

    __slots__ = ()

    @property
    def full(self) -> bool:
        due = super().full
        del self.symbols[-1 if due else len(self.symbols) :]
        return due


@pytest.mark.parametrize("bug", [Roomy, Forgetful])
def test_the_planted_bugs_are_found(bug: type[Singles], monkeypatch: pytest.MonkeyPatch) -> None:
    honest = life("dsr", ask_nothing, batches=True)
    monkeypatch.setattr(tracker_module, "Singles", bug)
    with pytest.raises(AssertionError):
        assert life("dsr", ask_nothing, batches=False) == honest


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_wrong_report_is_refused_when_it_comes_and_changes_nothing(scheme: str) -> None:
    calm, pestered = Tracker(task(scheme), seed=5), Tracker(task(scheme), seed=5)
    version, limit = calm.bulletin.version, calm.family.symbol_limit(calm.bulletin)
    for symbol in drawn(calm, 1, 50):
        calm.insert(Report(version, symbol))
        pestered.insert(Report(version, symbol))
        for wrong in (limit, 2**70, True, 0.0):
            with pytest.raises(InvalidField, match="symbols must"):
                pestered.insert(Report(version, wrong))  # type: ignore[arg-type]
        with pytest.raises(UnknownBulletin):
            pestered.insert(Report("abc", symbol))
        with pytest.raises(InvalidField, match="report must be a Report"):
            pestered.insert((version, symbol))  # type: ignore[arg-type]
    assert pestered.reports == calm.reports == 50
    assert pestered.open_epoch() == calm.open_epoch()


def test_a_symbol_from_an_array_counts_like_any_other() -> None:
    tracker, twin = Tracker(task("dsr"), seed=5), Tracker(task("dsr"), seed=5)
    for symbol in range(8):
        tracker.insert(Report(tracker.bulletin.version, np.int64(symbol)))  # type: ignore[arg-type]
        twin.insert(Report(tracker.bulletin.version, symbol))
    assert tracker.open_epoch() == twin.open_epoch()


def test_late_singles_keep_their_place_among_those_that_wait() -> None:
    """Names of both kinds toss the same coins, so their order shows in the state."""
    found = []
    for asking in (False, True):
        tracker = Tracker(task("bgr"), seed=5)
        first = tracker.bulletin.version
        tracker.insert_many(first, drawn(tracker, 1, tracker.epoch_room))
        for late, symbol in enumerate(drawn(tracker, 2, 40)):
            tracker.insert(Report(first if late % 5 == 0 else tracker.bulletin.version, symbol))
            assert not asking or tracker.reports == 61 + late
        found.append(tracker.open_epoch())
    assert found[0] == found[1]


def test_a_copy_has_what_waits_and_goes_its_own_way() -> None:
    tracker = Tracker(task("pfr"), seed=5)
    for symbol in (1, 2, 3):
        tracker.insert(Report(tracker.bulletin.version, symbol))
    twin = tracker.copied()
    twin.insert(Report(tracker.bulletin.version, 4))
    tracker.insert(Report(tracker.bulletin.version, 5))
    assert tracker.reports == twin.reports == 4
    assert tracker.open_epoch() != twin.open_epoch()


def test_never_more_wait_than_a_constant() -> None:
    tracker = Tracker(Task("dsr", epsilon=3.0, domain=range(40), k=2, epoch=10**6), seed=5)
    longest = 0
    for _ in range(2 * singles.MOST + 10):
        tracker.insert(Report(tracker.bulletin.version, 1))
        longest = max(longest, len(tracker._singles.symbols))
    assert longest == singles.MOST - 1
    assert tracker.reports == 2 * singles.MOST + 10
