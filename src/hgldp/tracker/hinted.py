"""The server of pfr among strings of which a public list names some."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from hgldp.errors import InvalidField, OutsideDomain
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import Answer, Asked, Estimate
from hgldp.model.frontier_size import has_hints
from hgldp.model.rules import FrontierRules
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.stores.hinted import HintedFrontier
from hgldp.stores.open_epoch import Tally
from hgldp.stores.strings.ask import ask
from hgldp.tracker.family import Symbols
from hgldp.tracker.frontier import NO_WINDOW, Adding


class HintedFamily(Adding[HintedFrontier]):
    """A late report waits for the next seal, and then counts in both parts as it does in each of them alone."""

    def __init__(self, task: Task, store: HintedFrontier) -> None:
        self._scheme: HintedPFR = HintedPFR.of(task)
        super().__init__(task, store)

    @classmethod
    def start(cls, task: Task, seed: int, warmup: Sequence[object]) -> Self:
        """An empty store. The seed is for the keys of the list's part."""
        if warmup:
            raise InvalidField("warmup", "must be empty for strings that nobody listed", f"{len(warmup)} items")
        rules, scheme = task.rules_as(FrontierRules), HintedPFR.of(task)
        _ = scheme.hints.data
        terms: dict[str, Any] = {name: getattr(rules, name) for name in ("memory", "epoch", "half_life", "spelling")}
        return cls(task, HintedFrontier(scheme, seed=seed, k=task.k, domain=_domain(task), **terms))

    @classmethod
    def read_store(cls, task: Task, state: bytes) -> HintedFrontier:
        """The store that `serialize` wrote."""
        return HintedFrontier.deserialize(state, HintedPFR.of(task), task.rules_as(FrontierRules).spelling)

    def adopt(self, published: AnyBulletin) -> None:
        """Both parts of the bulletin."""
        self.store.adopt(self._scheme.checked(published))
        self.bulletin = self.published()

    def renew(self, secret: int) -> None:
        """The keys of later bulletins follow from the new secret."""
        self.store.listed.secret = secret

    def least_reports(self, length: int, looks: int) -> int:
        """Half: the list's part keeps a fixed number of epochs, and short ones would displace most of the past."""
        del looks
        return max(1, length // 2)

    def insert_late(self, bulletin: AnyBulletin, later: Sequence[AnyBulletin], checked: Symbols) -> None:
        """Add up by bulletin."""
        del later
        self.store.insert_late(self._scheme.checked(bulletin), checked)

    def late_tallies(self, bulletins: Sequence[AnyBulletin]) -> list[Tally]:
        """The store knows a bulletin by its epoch."""
        del bulletins
        return [(epoch, histogram) for epoch, (_, histogram) in self.store.late.items()]

    def merge_late(self, bulletin: AnyBulletin, histogram: Symbols) -> None:
        """By bulletin."""
        self.store.merge_late(self._scheme.checked(bulletin), histogram)

    def answer(self, k: int, window: int | None) -> Answer:
        """The top k strings, on the list or not, verbatim."""
        if window is not None:
            raise InvalidField("window", NO_WINDOW, window)
        check_whole("k", k, 1, self.task.k)
        return Answer(self.store.absorbed().estimates(k))

    def ask(self, items: Sequence[object], window: int | None) -> Asked:
        """A string on the list as in a listed domain; another one as among strings that nobody listed."""
        if window is not None:
            raise InvalidField("window", NO_WINDOW, window)
        domain, codes = _domain(self.task), list[bytes]()
        for place, item in enumerate(items, start=1):
            code = domain.code(item)
            if code is None:
                raise OutsideDomain(domain.describe(), place)
            codes.append(code)
        store, numbers = self.store.absorbed(), [self._scheme.hints.index(code) for code in codes]
        on_list = iter(store.listed.ask(np.array([each for each in numbers if each is not None], np.int64)))
        others = iter(ask(store.spelled, [code for code, each in zip(codes, numbers, strict=True) if each is None]))
        lines: list[Estimate] = [next(others if each is None else on_list) for each in numbers]
        return Asked((domain.string(code[:-1]), line) for code, line in zip(codes, lines, strict=True))


def _domain(task: Task) -> StringDomain:
    """The strings of a task that names a list."""
    if not has_hints(task.domain):
        raise InvalidField("domain", "must be strings with a list for this family", task.domain.describe())
    return task.domain
