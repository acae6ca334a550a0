"""The servers of pfr among strings: those that nobody listed, and those of which a public list names some."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self, TypeVar

import numpy as np

from hgldp.errors import InvalidField, OutsideDomain
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.distribution import Distribution
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import Answer, Asked, Estimate
from hgldp.model.rules import FrontierRules
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.stores.hinted import HintedFrontier
from hgldp.stores.open_epoch import Tally
from hgldp.stores.strings import OpenFrontier
from hgldp.stores.strings.ask import ask
from hgldp.tracker.family import Symbols
from hgldp.tracker.frontier import Adding

S = TypeVar("S", OpenFrontier, HintedFrontier)
NO_WINDOW = "works with a listed domain only; for strings set a half-life"


class AmongStrings(Adding[S]):
    """What both have in common: a late report waits for the next seal, and then counts for the cells still there."""

    _scheme: OpenPFR | HintedPFR

    def adopt(self, published: AnyBulletin) -> None:
        """The cells of the bulletin, and what is known of them."""
        self.store.adopt(self._scheme.checked(published))  # type: ignore[arg-type]
        self.bulletin = self.published()

    def insert_late(self, bulletin: AnyBulletin, later: Sequence[AnyBulletin], checked: Symbols) -> None:
        """Add up by bulletin."""
        del later
        self.store.insert_late(self._scheme.checked(bulletin), checked)  # type: ignore[arg-type]

    def late_tallies(self, bulletins: Sequence[AnyBulletin]) -> list[Tally]:
        """The store knows a bulletin by its epoch."""
        del bulletins
        return [(epoch, histogram) for epoch, (_, histogram) in self.store.late.items()]

    def merge_late(self, bulletin: AnyBulletin, histogram: Symbols) -> None:
        """By bulletin."""
        self.store.merge_late(self._scheme.checked(bulletin), histogram)  # type: ignore[arg-type]

    def answer(self, k: int, window: int | None) -> Answer:
        """The top k strings, verbatim."""
        _refuse_window(window)
        check_whole("k", k, 1, self.task.k)
        return Answer(self.store.absorbed().estimates(k))

    def ask(self, items: Sequence[object], window: int | None) -> Asked:
        """What is known of each string, in the order asked."""
        _refuse_window(window)
        domain, codes = strings_of(self.task), list[bytes]()
        for place, item in enumerate(items, start=1):
            code = domain.code(item)
            if code is None:
                raise OutsideDomain(domain.describe(), place)
            codes.append(code)
        lines = self.lines_of(self.store.absorbed(), codes)
        return Asked((domain.string(code[:-1]), line) for code, line in zip(codes, lines, strict=True))

    @abstractmethod
    def lines_of(self, store: S, codes: Sequence[bytes]) -> Sequence[Estimate]:
        """What the store knows of each string's code."""

    def distribution(self, window: int | None) -> Distribution:
        """Nobody knows how many strings there are that were not found."""
        del window
        raise InvalidField("domain", "must be listed for a distribution of shares", self.task.domain.describe())


class StringFamily(AmongStrings[OpenFrontier]):
    """A string that was found has its own cell; of any other the narrowest cell that holds it is known."""

    def __init__(self, task: Task, store: OpenFrontier) -> None:
        self._scheme: OpenPFR = OpenPFR.of(task)
        super().__init__(task, store)

    @classmethod
    def start(cls, task: Task, seed: int, warmup: Sequence[object]) -> Self:
        """An empty store; no coin is ever tossed, so the seed does not matter."""
        del seed
        _refuse_warmup(warmup)
        rules, mechanism = task.rules_as(FrontierRules), OpenPFR.of(task).mechanism
        terms = _terms(rules, "epoch", "half_life", "spelling")
        return cls(task, OpenFrontier(mechanism, symbols=rules.cells, k=task.k, domain=strings_of(task), **terms))

    @classmethod
    def read_store(cls, task: Task, state: bytes) -> OpenFrontier:
        """The store that `serialize` wrote."""
        return OpenFrontier.deserialize(state, OpenPFR.of(task).mechanism, task.rules_as(FrontierRules).spelling)

    def lines_of(self, store: OpenFrontier, codes: Sequence[bytes]) -> Sequence[Estimate]:
        """From the cells."""
        return ask(store, codes)


class HintedFamily(AmongStrings[HintedFrontier]):
    """A string on the list is known as in a listed domain, any other as among strings that nobody listed."""

    def __init__(self, task: Task, store: HintedFrontier) -> None:
        self._scheme: HintedPFR = HintedPFR.of(task)
        super().__init__(task, store)

    @classmethod
    def start(cls, task: Task, seed: int, warmup: Sequence[object]) -> Self:
        """An empty store. The seed is for the keys of the list's part."""
        _refuse_warmup(warmup)
        scheme = HintedPFR.of(task)
        _ = scheme.hints.data
        terms = _terms(task.rules_as(FrontierRules), "memory", "epoch", "half_life", "spelling")
        return cls(task, HintedFrontier(scheme, seed=seed, k=task.k, domain=strings_of(task), **terms))

    @classmethod
    def read_store(cls, task: Task, state: bytes) -> HintedFrontier:
        """The store that `serialize` wrote."""
        return HintedFrontier.deserialize(state, HintedPFR.of(task), task.rules_as(FrontierRules).spelling)

    def renew(self, secret: int) -> None:
        """The keys of later bulletins follow from the new secret."""
        self.store.listed.secret = secret

    def least_reports(self, length: int, looks: int) -> int:
        """Half: the list's part keeps a fixed number of epochs, and short ones would displace most of the past."""
        del looks
        return max(1, length // 2)

    def lines_of(self, store: HintedFrontier, codes: Sequence[bytes]) -> Sequence[Estimate]:
        """Each from the part that holds it."""
        numbers = [self._scheme.hints.index(code) for code in codes]
        on_list = iter(store.listed.ask(np.array([each for each in numbers if each is not None], np.int64)))
        others = iter(ask(store.spelled, [code for code, each in zip(codes, numbers, strict=True) if each is None]))
        return [next(others if each is None else on_list) for each in numbers]


def strings_of(task: Task) -> StringDomain:
    """The strings of a task, with its list where the scheme needs one."""
    if not isinstance(task.domain, StringDomain):
        raise InvalidField("domain", "must be strings for this family", task.domain.describe())
    return task.domain


def _terms(rules: FrontierRules, *names: str) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in names}


def _refuse_warmup(warmup: Sequence[object]) -> None:
    if warmup:
        raise InvalidField("warmup", "must be empty for strings that nobody listed", f"{len(warmup)} items")


def _refuse_window(window: int | None) -> None:
    if window is not None:
        raise InvalidField("window", NO_WINDOW, window)
