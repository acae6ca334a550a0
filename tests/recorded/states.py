"""The bytes that every store keeps after a seeded stream, and for trackers all that they publish on the way."""

from collections.abc import Sequence
from functools import partial

from hgldp.client import Randomizer
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.distribution import Distribution
from hgldp.model.randomness import SeededWords
from hgldp.tracker import Tracker
from tests.recorded.lives import Life, frontiers, hinted_frontiers, hot_lists, open_frontiers
from tests.recorded.record import Case, Found
from tests.recorded.sketches import SKETCHES
from tests.recorded.world import in_lines, plain, skewed

LATE_EVERY = 5


class Diary:
    """What a tracker published, in order, and every symbol that it was sent."""

    def __init__(self, tracker: Tracker) -> None:
        self.bulletins = [tracker.bulletin]
        self.symbols: list[int] = []

    def look(self, tracker: Tracker) -> None:
        """Note the bulletins that are new."""
        known = {each.version for each in self.bulletins}
        self.bulletins += [each for each in tracker.bulletins if each.version not in known]


def live(life: Life) -> Found:
    """Run it, end the open epoch, and tell what was sent, published, kept and answered."""
    task, stream = life.task, skewed(life.items, life.warmup + life.reports, life.seed)
    tracker = Tracker(task, seed=life.seed + 1, warmup=stream[: life.warmup])
    client = Randomizer(task, max_epsilon=10.0, words=SeededWords(life.seed + 2))
    diary, events = Diary(tracker), stream[life.warmup :]
    cut = 2 * life.reports // 3 if life.restored else life.reports
    _send(life, tracker, client, diary, events[:cut])
    if life.restored:
        tracker = _restored(tracker)
        diary.look(tracker)
        _send(life, tracker, client, diary, events[cut:])
    return _described(life, tracker, diary)


def _send(life: Life, tracker: Tracker, client: Randomizer, diary: Diary, events: Sequence[object]) -> None:
    for number, first in enumerate(range(0, len(events), life.batch)):
        bulletin = _answered(tracker, number) if life.late else tracker.bulletin
        client.sent = 0
        reports = [client.report(event, bulletin) for event in events[first : first + life.batch]]
        if life.batch == 1:
            tracker.insert(reports[0])
        else:
            tracker.insert_many(bulletin.version, [report.symbol for report in reports])
        diary.symbols += [report.symbol for report in reports]
        diary.look(tracker)


def _answered(tracker: Tracker, number: int) -> AnyBulletin:
    """Every fifth batch is late, by one to three epochs."""
    if number % LATE_EVERY:
        return tracker.bulletin
    age = 1 + number // LATE_EVERY % 3
    return tracker.bulletins[max(0, len(tracker.bulletins) - 1 - age)]


def _restored(tracker: Tracker) -> Tracker:
    """The open epoch ends, and another tracker goes on from the bytes."""
    tracker.seal()
    return Tracker.restore(tracker.task, tracker.serialize(), tracker.bulletins[:-1])


def _described(life: Life, tracker: Tracker, diary: Diary) -> Found:
    asked = tracker.ask(life.asked)
    found = {"in-mid-epoch": in_lines(tracker.top()), "asked": f"{in_lines(asked)}\n{asked.note}"}
    if life.task.scheme == "pfr" and life.task.domain.size is not None:
        found["window"] = in_lines(tracker.top(window=life.reports // 4))
        found["window-asked"] = in_lines(tracker.ask(life.asked, window=life.reports // 4))
        found["distribution"] = _spread(tracker.distribution())
    tracker.seal()
    diary.look(tracker)
    state = tracker.serialize()
    again = Tracker.restore(life.task, state, tracker.bulletins[:-1])
    assert again.serialize() == state, "what was read again must be what was written"
    assert len(diary.bulletins) > 5, "there must be several epochs"
    different = {getattr(each, life.varies, None) for each in diary.bulletins}
    assert not life.varies or len(different) > 1, f"bulletins must differ in {life.varies}"
    versions = [f"{each.epoch} {each.version}" for each in diary.bulletins]
    return found | {
        "bulletins": "\n".join(versions),
        "first-bulletin": diary.bulletins[0].canonical,
        "last-bulletin": diary.bulletins[-1].canonical,
        "reports": " ".join(map(str, diary.symbols)),
        "state": state,
        "task": life.task.canonical,
        "top": f"{tracker.reports}\n{in_lines(tracker.top())}\n{tracker.top().note}",
    }


def _spread(found: Distribution) -> str:
    """Every decade that can be told, and the rest."""
    decades = [(one.name, one.items, *one.interval, one.share, *one.share_interval) for one in found.decades]
    rest = (found.reports, found.size, found.rest, *found.rest_interval, found.note)
    return "\n".join(" ".join(map(plain, line)) for line in (*decades, rest))


LIVES = hot_lists() | frontiers() | open_frontiers() | hinted_frontiers()
CASES: dict[str, Case] = {name: partial(live, life) for name, life in LIVES.items()} | SKETCHES
