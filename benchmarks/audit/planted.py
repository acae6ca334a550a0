"""Clients with one mistake each: what the audit must find, with random draws or, where they cannot show it, steered.

The mechanisms and schemes are those that the tests plant for the contract checks; the clients with a leak around their
reports are here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from hgldp.audit.pairs import Events, Pair, pairs_of
from hgldp.audit.subjects.base import Sent
from hgldp.audit.subjects.own import OwnClient
from hgldp.audit.views import REPORT, Codes, Views, views_of
from hgldp.mechanisms.oue import OUE
from hgldp.mechanisms.rappor import RAPPOR
from hgldp.mechanisms.subset import SubsetSelection
from hgldp.model.bulletins import AnyBulletin, Bulletin
from hgldp.model.randomness import SeededWords, Words
from hgldp.model.task import Task

PAIRS = tuple(Pair(f"{a}/{b}", (a,), (b,)) for a, b in ((0, 1), (0, 2), (1, 2)))
DRAWS, STEERED = "draws", "steered"
"""By random draws; or, for an excess that is too small for them, with every draw chosen by the audit."""
Draw = Callable[[int, Words], Any]
Columns = Callable[[list[Any]], Codes]


@dataclass
class Sampled:
    """A randomiser that is no client of ours: its reports as numbers, in one column or several."""

    randomize: Draw
    columns: Columns
    words: Words
    block: int = 1 << 16

    def steer(self, events: Events, words: Words) -> Sent:
        """The report that follows from words that the audit chose."""
        (value,) = events
        return ((self.randomize(int(value), words),),)

    def draw(self, events: Events, count: int) -> Views:
        """So many reports on one value."""
        (value,) = events
        return {REPORT: self.columns([self.randomize(int(value), self.words) for _ in range(count)])}


def plain(reports: list[Any]) -> Codes:
    """Reports that are numbers."""
    return np.array(reports, np.int64)


def in_order(reports: list[Any]) -> Codes:
    """A list of values: its first place, and the whole list."""
    first = [report[0] for report in reports]
    whole = [sum((value + 1) * 16**place for place, value in enumerate(report)) for report in reports]
    return np.column_stack((first, whole)).astype(np.int64)


def bloom(mechanism: RAPPOR, values: Sequence[int]) -> Columns:
    """What each report says of each value, alone and together, and the public keys, which must say nothing."""

    def columns(reports: list[Any]) -> Codes:
        said = np.array([[mechanism.support(report, value) for value in values] for report in reports], np.int64)
        whole = said @ (1 << np.arange(len(values)))
        keys = np.array([[part % (1 << 62) for part in report[0][0]] for report in reports], np.int64)
        return np.column_stack((said, whole, keys))

    return columns


@dataclass
class Planted:
    """A subject, what it claims, how the audit finds it, and whether there is anything to find."""

    name: str
    subject: Any
    pairs: Sequence[Pair]
    claim: float = 1.0
    how: str = DRAWS
    honest: bool = False


def planted_mechanisms(seed: int, claim: float = 1.0) -> list[Planted]:
    """The mistakes in mechanisms, both published ones among them."""
    made: Any = import_module("tests.checks.planted_mechanisms")
    truth_first, never_clears = made.TruthFirst(5, claim, chosen=2), made.NeverClears(3, claim, bits=2, hashes=1)
    subset, oue, keyed = SubsetSelection(5, claim, chosen=2), OUE(3, claim), RAPPOR(3, claim, bits=2, hashes=1)

    def favourite_key(value: int, words: Words) -> Any:
        keys, mask = keyed.randomize(value, words)
        return ((keys[0][0], value),), mask

    cases: list[tuple[str, Draw, Columns, str]] = [
        ("RAPPOR that never clears a true bit", never_clears.randomize, bloom(never_clears, range(3)), DRAWS),
        ("subset selection with the truth first", truth_first.randomize, in_order, DRAWS),
        ("subset selection with the truth always in", lambda v, w: subset.randomize(v, w) | 1 << v, plain, DRAWS),
        ("OUE that never clears the own bit", lambda v, w: oue.randomize(v, w) | 1 << v, plain, DRAWS),
        ("a public key that depends on the value", favourite_key, bloom(keyed, range(3)), DRAWS),
        ("GRR that draws 32 bits only", made.ThirtyTwoBits(5, claim).randomize, plain, DRAWS),
        ("GRR that weighs the truth one too much, and says so", made.OneTooLarge(5, claim).randomize, plain, STEERED),
        ("GRR that weighs the truth one too much, and does not say so", made.Liar(5, claim).randomize, plain, STEERED),
    ]
    return [
        Planted(name, Sampled(draw, columns, SeededWords(seed)), PAIRS, claim, how)
        for name, draw, columns, how in cases
    ]


def planted_schemes(seed: int, claim: float = 1.0) -> list[Planted]:
    """The mistakes in schemes with a hot list."""
    made: Any = import_module("tests.checks.planted_schemes")
    pairs = tuple(Pair(kind, (a,), (b,)) for kind, a, b in (("hot/hot", 0, 3), ("hot/cold", 0, 1), ("cold/cold", 1, 2)))
    quiet, naming = (Bulletin(bytes(32), 0, 8, (0, 3, 5), each) for each in (False, True))
    cases = [
        ("DSR that reports a cold item as itself", made.ColdAsItself(8, 3, claim), quiet, DRAWS),
        ("a report that stays in its item's bucket", made.OwnBucket(8, 3, claim), quiet, DRAWS),
        ("CNR that names cold items 0.1 % too often", made.Indiscreet(8, 3, claim), naming, STEERED),
        ("CNR that names cold items 2⁻³² too often", made.LooseTongue(8, 3, claim), naming, STEERED),
    ]
    return [
        Planted(name, Sampled(_answering(scheme, shown), plain, SeededWords(seed)), pairs, claim, how)
        for name, scheme, shown, how in cases
    ]


def _answering(scheme: Any, bulletin: Bulletin) -> Draw:
    return lambda value, words: scheme.randomize(value, bulletin, words)


@dataclass
class WholeClient(OwnClient):
    """An honest client that reports an item from outside as some item inside, and shuffles what it sends."""

    order: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def draw(self, events: Events, count: int) -> Views:
        """One line of views for each device."""
        delays = [self.delay(events) for _ in range(count)]
        draws = [self.sent(events) for _ in range(count)]
        return views_of(
            draws, self._limit, self._version, [d if s else None for d, s in zip(delays, draws, strict=True)]
        )

    def sent(self, events: Events) -> list[bytes]:
        """The uploads of one device."""
        mixed = self.order.permutation(len(events))
        return self._uploads(tuple(self.inside(events[place]) for place in mixed))

    def inside(self, item: int | str) -> int | str:
        """The item, or the one that stands for all outside."""
        return item if self.is_inside(item) else 0

    def is_inside(self, item: int | str) -> bool:
        """Whether the domain holds it."""
        return isinstance(item, int) and 0 <= item < self.task.domain_size

    def delay(self, _: Events) -> float:
        """After how many seconds it sends."""
        return float(self.order.exponential(0.1))


class Silent(WholeClient):
    """Sends nothing about an item from outside, as our own client did until 0.2."""

    def sent(self, events: Events) -> list[bytes]:
        return super().sent(tuple(item for item in events if self.is_inside(item)))


class InOrder(WholeClient):
    """Keeps the order of the events."""

    def sent(self, events: Events) -> list[bytes]:
        return self._uploads(tuple(map(self.inside, events)))


class OnceOnly(WholeClient):
    """Sends nothing about an event that comes again."""

    def sent(self, events: Events) -> list[bytes]:
        return super().sent(tuple(dict.fromkeys(events)))


class OneByOne(WholeClient):
    """Uploads events of one kind separately, the others together."""

    def sent(self, events: Events) -> list[bytes]:
        if self.is_inside(events[0]) and events[0] == 0:
            return [upload for event in events for upload in super(OneByOne, self).sent((event,))]
        return super().sent(events)


class Telltale(WholeClient):
    """The last bit of the "random" id is the item's."""

    def sent(self, events: Events) -> list[bytes]:
        (upload,) = super().sent(events)
        item = events[0] if isinstance(events[0], int) else 1
        return [upload[:19] + bytes([upload[19] & 0xFE | item & 1]) + upload[20:]]


class Twice(WholeClient):
    """Sends two uploads about an over-long item."""

    def sent(self, events: Events) -> list[bytes]:
        again = super().sent(events) if isinstance(events[0], str) else []
        return [*super().sent(events), *again]


class Late(WholeClient):
    """Takes four times as long for one item."""

    def delay(self, events: Events) -> float:
        return super().delay(events) * (4.0 if events[0] == 0 else 1.0)


CLIENTS: dict[str, type[WholeClient]] = {
    "silent about items from outside": Silent,
    "keeps the order of events": InOrder,
    "drops an event that comes again": OnceOnly,
    "uploads one item's events one by one": OneByOne,
    "an upload id with the item's last bit": Telltale,
    "sends twice for an over-long item": Twice,
    "takes longer for one item": Late,
}


def client_task(spent: float = 1.0) -> tuple[Task, AnyBulletin]:
    """A small task whose reports say much, so that few draws show much."""
    task = Task("dsr", epsilon=spent, domain=range(8), k=2, cells=3)
    return task, Bulletin(task.id, 0, 8, (0, 3, 5))


def planted_clients(seed: int) -> list[Planted]:
    """The leaks around the reports, an honest client for comparison, and one that spends 1.1 where it claims 1."""
    task, bulletin = client_task()
    pairs = pairs_of(task, bulletin, several=True)
    found = [
        Planted(name, kind(task, bulletin, SeededWords(seed), order=np.random.default_rng(seed)), pairs)
        for name, kind in CLIENTS.items()
    ]
    spender = client_task(1.1)
    inside = pairs_of(*spender, outside=False)
    return [*found, Planted("spends 1.1 where it claims 1", OwnClient(*spender, SeededWords(seed)), inside)]


def honest_client(seed: int) -> Planted:
    """What all the planted clients are apart from their mistake."""
    task, bulletin = client_task()
    subject = WholeClient(task, bulletin, SeededWords(seed), order=np.random.default_rng(seed))
    return Planted("the honest client beside them", subject, pairs_of(task, bulletin, several=True), honest=True)


def every_planted(seed: int) -> list[Planted]:
    """All of them."""
    return [*planted_mechanisms(seed), *planted_schemes(seed), *planted_clients(seed)]
