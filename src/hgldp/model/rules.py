"""The rules of a task that depend on its scheme: cells, epochs, memory. Their defaults stand here and nowhere else.

A hot list (bgr, dsr, bdr, cnr) follows `HotListRules`, pfr follows `FrontierRules`. A scheme from outside the package
brings one of these or rules of its own, and is found by its entry point in the group `hgldp.schemes`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from typing import Any, Literal, Self, get_args, get_origin, get_type_hints
from warnings import warn

from hgldp.errors import InvalidField, did_you_mean
from hgldp.model.domain import AnyDomain, listed_size
from hgldp.model.frontier_size import MOST_FRONTIER_CELLS, cells_per_k, frontier_cells, frontier_memory
from hgldp.model.validate import LARGEST_32, LARGEST_63, check_whole

ENTRY_POINTS = "hgldp.schemes"
Spelling = Literal["text", "urls", "identifiers"]
Structure = Literal["heavy-guardian", "space-saving", "misra-gries", "heavy-keeper"]
MOST_LIGHT_CELLS = (1 << 16) - 1


@dataclass(frozen=True)
class Rules(ABC):
    """What every kind of rules has: `cells`, and `epoch`, how many reports the first epoch takes."""

    cells: int
    epoch: int

    @property
    def memory_limit(self) -> int:
        """The most bytes of state that the task allows; 0 where the cells alone decide."""
        return 0

    @property
    def fading(self) -> int:
        """After how many reports the past counts half; 0 is never."""
        return 0

    @classmethod
    @abstractmethod
    def defaults(cls, k: int, domain: AnyDomain, given: Mapping[str, Any]) -> dict[str, Any]:
        """The settings that were left out, for a task with these ones."""

    @abstractmethod
    def check(self, k: int, domain: AnyDomain) -> None:
        """Refuse rules that do not fit the task."""

    @classmethod
    def settle(cls, scheme: str, k: int, domain: AnyDomain, given: Mapping[str, Any]) -> Self:
        """The rules of a task: what was given (None is nothing), and defaults for the rest."""
        cls.check_names(scheme, given)
        chosen = {name: value for name, value in given.items() if value is not None}
        settled = cls(**cls.defaults(k, domain, chosen) | chosen)
        settled.check(k, domain)
        return settled

    @classmethod
    def check_names(cls, scheme: str, given: Iterable[str]) -> None:
        """Refuse a setting that the scheme does not have."""
        for name in given:
            if name not in cls.names():
                raise _unknown_setting(name, scheme, cls.names())

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """What can be set."""
        return tuple(each.name for each in fields(cls))

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """The settings that are one of a few words, and these words; the first one is left out of a task's fields."""
        hints = get_type_hints(cls)
        return {name: get_args(hints[name]) for name in cls.names() if get_origin(hints[name]) is Literal}

    def as_fields(self) -> dict[str, object]:
        """For the task's canonical bytes: whole numbers as they are, every other number as an exact fraction.

        A word that is the default is left out: tasks that were made before there was a choice keep their bytes.
        """
        kinds, choices = get_type_hints(type(self)), self.choices()
        found = {name: getattr(self, name) for name in self.names()}
        return {
            name: value if name in choices else _exact(value, kinds[name])
            for name, value in found.items()
            if name not in choices or value != choices[name][0]
        }

    @classmethod
    def from_fields(cls, given: Mapping[str, Any]) -> Self:
        """The rules that `as_fields` described; the caller has turned texts into fractions."""
        real = {name for name, kind in get_type_hints(cls).items() if kind is float}
        words = {name: given.get(name, choices[0]) for name, choices in cls.choices().items()}
        found: dict[str, Any] = {name: given[name] for name in cls.names() if name not in words}
        return cls(**words | {name: float(value) if name in real else value for name, value in found.items()})

    def _check_choices(self) -> None:
        """Refuse a word that is not offered."""
        for name, choices in self.choices().items():
            if getattr(self, name) not in choices:
                value = getattr(self, name)
                raise InvalidField(
                    name, f"must be one of {', '.join(choices)}", value, did_you_mean(str(value), choices)
                )


def _exact(value: Any, kind: object) -> object:
    return value if value is None or kind in (int, bool) else str(Fraction(value))


@dataclass(frozen=True)
class HotListRules(Rules):
    """The server tracks `cells` items (twice k by default), and up to `light_cells` nominees wait for a cell.

    The first epoch takes `epoch` reports, later ones at least the share `growth` of all reports so far. The last three
    are only for bdr and cnr: without `tight` they split ε as the paper prints it, with the share `judge_share` for
    hot-or-cold, and the hot share is estimated online (None) or set by hand. `structure` says what happens when a
    nominee meets a full list: it is the server's own affair, and no client does anything else because of it.
    """

    light_cells: int
    growth: float = 0.0025
    decay_base: float = 1.08
    tight: bool = True
    judge_share: Fraction = Fraction(1, 3)
    hot_share: Fraction | None = None
    structure: Structure = "heavy-guardian"

    @classmethod
    def defaults(cls, k: int, domain: AnyDomain, given: Mapping[str, Any]) -> dict[str, Any]:
        """Twice k cells, one waiting nominee per spare cell, and epochs of 250 reports."""
        cells = check_whole("cells", given.get("cells", default_cells(k, listed_size(domain))), 1)
        return {"cells": cells, "light_cells": max(8, cells - k), "epoch": 250}

    def check(self, k: int, domain: AnyDomain) -> None:
        """At least k cells, and fewer than there are items, since one item must stay cold."""
        size = listed_size(domain)
        check_whole("cells", self.cells, 1)
        if k >= size:
            raise InvalidField(
                "k", f"must be smaller than the {size} items of the domain: one stays off the hot list", k
            )
        if self.cells < k:
            raise InvalidField("cells", f"must be at least k = {k}", self.cells)
        if self.cells >= size:
            raise InvalidField("cells", f"must be fewer than the {size} items of the domain", self.cells)
        check_whole("light_cells", self.light_cells, 0, MOST_LIGHT_CELLS)
        check_whole("epoch", self.epoch, 1, LARGEST_32)
        if not 0 <= self.growth < 1:
            raise InvalidField("growth", "must lie in [0, 1)", self.growth)
        if not 1 < self.decay_base <= 4:
            raise InvalidField("decay_base", "must lie in (1, 4]", self.decay_base)
        if not isinstance(self.judge_share, int | float | Fraction) or not 0 < self.judge_share < 1:
            raise InvalidField("judge_share", "must lie strictly between 0 and 1", self.judge_share)
        if self.hot_share is not None and (self.tight or not 0 <= self.hot_share <= 1):
            raise InvalidField("hot_share", "must lie in [0, 1], and only where the judge is not tight", self.hot_share)
        self._check_choices()


@dataclass(frozen=True)
class FrontierRules(Rules):
    """`cells` is how many symbols the frontier has (1,024), `memory` how many bytes the server keeps.

    `half_life` says after how many reports the past counts half (0: never), `epoch` how many reports the first epoch
    takes (0: as many as ε asks for). `spelling` says what the strings look like that nobody listed: text, urls or
    identifiers.
    """

    memory: int
    half_life: int
    spelling: Spelling = "text"

    @property
    def memory_limit(self) -> int:
        """The setting `memory`."""
        return self.memory

    @property
    def fading(self) -> int:
        """The setting `half_life`."""
        return self.half_life

    @classmethod
    def defaults(cls, k: int, domain: AnyDomain, given: Mapping[str, Any]) -> dict[str, Any]:
        """Cells that suffice for k, at least 16 kB, and no half-life."""
        cells = check_whole("cells", given.get("cells", frontier_cells(k, domain)), 1, MOST_FRONTIER_CELLS)
        return {"cells": cells, "memory": frontier_memory(cells, domain), "half_life": 0, "epoch": 0}

    def check(self, k: int, domain: AnyDomain) -> None:
        """Enough cells to search beside the k items that are found."""
        per_k = cells_per_k(domain)
        check_whole("cells", self.cells, 1, MOST_FRONTIER_CELLS)
        if self.cells < per_k * k:
            raise InvalidField("cells", f"must be at least {per_k} times k = {k}", self.cells)
        check_whole("memory", self.memory, 1, LARGEST_32)
        check_whole("half_life", self.half_life, 0, LARGEST_63)
        check_whole("epoch", self.epoch, 0, LARGEST_32)
        self._check_choices()
        if domain.size is not None and self.spelling != "text":
            raise InvalidField("spelling", "works with strings that nobody listed only", self.spelling)


def _unknown_setting(name: str, scheme: str, known: tuple[str, ...]) -> InvalidField:
    """The refusal of a setting that belongs to other schemes, or to none."""
    others = [other for other, rules in _RULES.items() if name in rules.names()]
    if others:
        return InvalidField(name, f"works with {', '.join(others)} only", scheme)
    return InvalidField("setting", f"must be one of {', '.join(known)} for {scheme}", name, did_you_mean(name, known))


def default_cells(k: int, domain_size: int) -> int:
    """Cells of a hot list: twice k, but fewer than the domain has items, because one item must stay cold.

    >>> default_cells(20, 1000), default_cells(20, 30)
    (40, 29)
    """
    return max(k, min(2 * k, domain_size - 1))


_RULES: dict[str, type[Rules]] = {
    **dict.fromkeys(("bgr", "dsr", "bdr", "cnr"), HotListRules),
    "pfr": FrontierRules,
}


def register_rules(scheme: str, rules: type[Rules]) -> None:
    """Let tasks name a scheme that follows these rules; `hgldp.register` does this for you."""
    _RULES[scheme] = rules


@cache
def load_plugins() -> None:
    """Call every function that another package names in the entry-point group `hgldp.schemes`; each registers one."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - it takes longer to load than all the rest

    for found in entry_points(group=ENTRY_POINTS):
        try:
            found.load()()
        except (Exception, SystemExit) as failure:  # noqa: BLE001 - one broken package must not take the others along
            warn(f"{found.value} could not register its scheme: {failure!r}", RuntimeWarning, stacklevel=2)


def registered_schemes() -> tuple[str, ...]:
    """The names that this process knows so far."""
    return tuple(_RULES)


def known_schemes() -> tuple[str, ...]:
    """Every scheme name that a task may use; this loads what other packages register."""
    load_plugins()
    return registered_schemes()


def rules_of(scheme: object) -> tuple[str, type[Rules]]:
    """The scheme's name in lower case, and the rules it follows; an unknown name is refused with the nearest one.

    >>> rules_of("PFR")[0]
    'pfr'
    >>> rules_of("drs")
    Traceback (most recent call last):
    hgldp.errors.InvalidField: scheme must be one of bgr, dsr, bdr, cnr, pfr, got drs; did you mean dsr?
    """
    if not isinstance(scheme, str):
        raise InvalidField("scheme", "must be a text", type(scheme).__name__)
    name = scheme.strip().lower()
    if name not in _RULES:
        known = known_schemes()
        if name not in _RULES:
            raise InvalidField("scheme", f"must be one of {', '.join(known)}", scheme, did_you_mean(name, known))
    return name, _RULES[name]
