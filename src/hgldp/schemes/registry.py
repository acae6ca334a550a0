"""Every scheme by its name, yours too, and the scheme of a task."""

import re
from inspect import isabstract

from hgldp.errors import InvalidField
from hgldp.model.domain import AnyDomain
from hgldp.model.frontier_size import has_hints
from hgldp.model.rules import Rules, known_schemes, register_rules
from hgldp.model.task import FRONTIER, OWN_NAMES, WITH_HINTS, Task
from hgldp.schemes.base import Scheme
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.dsr import DSR
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR

HOT_LISTS: dict[str, type[HotListScheme]] = {scheme.name: scheme for scheme in (BGR, DSR, BDR, CNR)}
OUR_NAMES: tuple[str, ...] = (*HOT_LISTS, FRONTIER)
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
REQUIRED = (
    *Scheme.__annotations__,
    *(name for name in vars(Scheme) if name[0] != "_" and callable(getattr(Scheme, name))),
)
_OTHERS: dict[str, type[Scheme]] = {}


def register(scheme: type[Scheme]) -> type[Scheme]:
    """Make a scheme of your own known by its `name`: to tasks, trackers, clients, `hgldp check` and `hgldp simulate`.

    Call it where your package is imported, or name a function that calls it in the entry-point group `hgldp.schemes`:
    then the command `hgldp` finds it by itself. It can be used as a decorator.
    """
    name = getattr(scheme, "name", None)
    if not isinstance(scheme, type) or isabstract(scheme):
        raise InvalidField("scheme", "must be a class without abstract methods", repr(scheme))
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise InvalidField("name", "must be 1 … 32 lower-case letters, digits, - or _, set in the class", repr(name))
    taken = {**HOT_LISTS, FRONTIER: PFR, WITH_HINTS: HintedPFR, **_OTHERS}.get(name)
    if taken is not None and (taken.__module__, taken.__qualname__) != (scheme.__module__, scheme.__qualname__):
        raise InvalidField("name", "must not be taken by another scheme", name)
    if not isinstance(getattr(scheme, "rules", None), type) or not issubclass(scheme.rules, Rules):
        raise InvalidField("rules", "must be a class that extends Rules", repr(getattr(scheme, "rules", None)))
    hidden = [setting for setting in scheme.rules.names() if setting in OWN_NAMES]
    if hidden:
        raise InvalidField("rules", "must not have a setting that every task has", ", ".join(hidden))
    family = getattr(scheme, "family", None)
    if not isinstance(family, str) or ":" not in family:
        raise InvalidField("family", "must be like package.module:Class", repr(family))
    missing = [part for part in REQUIRED if not hasattr(scheme, part)]
    if missing:
        raise InvalidField("scheme", "must have everything that the protocol Scheme has", f"no {', '.join(missing)}")
    register_rules(name, scheme.rules)
    _OTHERS[name] = scheme
    return scheme


def names() -> tuple[str, ...]:
    """All that a task may have: ours, and those that were registered."""
    return known_schemes()


def other_schemes() -> dict[str, type[Scheme]]:
    """Those that other packages registered."""
    known_schemes()
    return dict(_OTHERS)


def hot_lists() -> dict[str, type[HotListScheme]]:
    """Every scheme with a hot list: the paper's four, and the registered ones that extend `HotListScheme`."""
    return HOT_LISTS | {name: each for name, each in other_schemes().items() if issubclass(each, HotListScheme)}


def scheme_class(name: str, domain: AnyDomain | None = None) -> type[Scheme]:
    """The class behind a name; pfr has one for listed domains, one for strings, and one for strings with a list."""
    if name == FRONTIER:
        if domain is None or domain.size is not None:
            return PFR
        return HintedPFR if has_hints(domain) else OpenPFR
    found: dict[str, type[Scheme]] = {**HOT_LISTS, **_OTHERS}
    return found[name]


def class_of(task: Task) -> type[Scheme]:
    """The class of a task's scheme, for what is true of all its schemes."""
    return scheme_class(task.scheme, task.domain)


def scheme_of(task: Task) -> Scheme:
    """The scheme that a task names, with the budget of one report.

    >>> scheme_of(Task("cnr", epsilon=1.0, domain=range(100), k=5)).name
    'cnr'
    >>> scheme_of(Task("pfr", epsilon=1.0, domain=64, k=5)).spells_out
    True
    """
    if not isinstance(task, Task):
        raise InvalidField("task", "must be a Task", type(task).__name__)
    return class_of(task).of(task)
