"""What `hgldp check` looks at: everything that is registered, in several small sizes and moods."""

from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import partial
from typing import Any

from hgldp.checks.frontier import frontier_cases
from hgldp.checks.hinted import NAME as HINTED_CASE
from hgldp.checks.hinted import hinted_cases
from hgldp.checks.subjects import MechanismSubject, SchemeSubject, Subject
from hgldp.errors import InvalidField
from hgldp.mechanisms.base import Mechanism
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.bulletins import Bulletin
from hgldp.model.randomness import mix
from hgldp.model.weights import Epsilon
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import hot_lists

Cases = Callable[[Epsilon], list[Subject]]
SIZES: tuple[dict[str, int], ...] = ({"size": 5}, {"size": 8})
SPECIAL_SIZES: dict[str, tuple[dict[str, int], ...]] = {
    "rappor": ({"size": 3, "bits": 2, "hashes": 2}, {"size": 5, "bits": 3, "hashes": 1}),
}
SCHEME_SIZES = ((5, 1), (8, 3))
PRINTED = "printed split"


def bulletins_for(domain_size: int, cells: int) -> tuple[Bulletin, ...]:
    """A quiet bulletin and a nominating one, with hot items scattered over the domain."""
    hot = tuple(sorted(range(domain_size), key=mix)[:cells])
    return tuple(Bulletin(bytes(32), 0, domain_size, hot, nominating) for nominating in (False, True))


def _mechanism_cases(mechanism: type[Mechanism[Any]], epsilon: Epsilon) -> list[Subject]:
    sizes = SPECIAL_SIZES.get(mechanism.name, SIZES)
    return [MechanismSubject(mechanism(epsilon=epsilon, **size)) for size in sizes]


def _scheme_cases(scheme: type[HotListScheme], options: dict[str, bool], epsilon: Epsilon) -> list[Subject]:
    return [
        SchemeSubject(scheme(domain_size, cells, epsilon, **options), bulletin)
        for domain_size, cells in SCHEME_SIZES
        for bulletin in bulletins_for(domain_size, cells)
    ]


def registered_cases() -> dict[str, Cases]:
    """By name; a scheme with a `tight` option stands twice, the second time with the printed split."""
    cases: dict[str, Cases] = {name: partial(_mechanism_cases, kind) for name, kind in MECHANISMS.items()}
    for name, scheme in hot_lists().items():
        cases[name] = partial(_scheme_cases, scheme, {})
        if any(option.name == "tight" for option in fields(scheme)):
            cases[f"{name} ({PRINTED})"] = partial(_scheme_cases, scheme, {"tight": False})
    cases[PFR.name] = frontier_cases
    cases[HINTED_CASE] = hinted_cases
    return cases


def chosen_cases(names: Iterable[str] | None) -> dict[str, Cases]:
    """Those of the given names, a plain name standing for its variants too; all of them without names."""
    cases = registered_cases()
    if names is None:
        return cases
    wanted = set(names)
    known = {name for full in cases for name in (full, _plain(full))}
    for name in sorted(wanted - known):
        raise InvalidField("name", f"must be one of {', '.join(cases)}", name)
    return {full: case for full, case in cases.items() if wanted & {full, _plain(full)}}


def _plain(full: str) -> str:
    return full.partition(" (")[0]
