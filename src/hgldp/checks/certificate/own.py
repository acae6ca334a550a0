"""The package's own certificates: one for each scheme, mood and budget, checked and compared with the channels."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from hgldp.checks.certificate.agreement import disagreements
from hgldp.checks.certificate.certificate import certificate, laws_of
from hgldp.checks.certificate.verify import wrong_with
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.task import Task
from hgldp.model.weights import spent
from hgldp.schemes.base import Scheme
from hgldp.schemes.hinted_pfr import LEAST_SYMBOLS, HintedPFR
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import scheme_class, scheme_of

ITEMS, STRING_BYTES = 1_000, 64
SMALL_SIZES = ((5, 1), (8, 3), (4, 3))
SMALL_FRONTIER, SMALL_STRINGS = (12, 24), 64
HINTS = Hints.of(["tea", "coffee", "mate"])
_LISTED: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("bgr", "bgr", {}),
    ("dsr", "dsr", {}),
    ("bdr", "bdr", {}),
    ("bdr (printed split)", "bdr", {"tight": False}),
    ("cnr", "cnr", {}),
    ("cnr (printed split)", "cnr", {"tight": False}),
    ("pfr", "pfr", {}),
)


@dataclass(frozen=True)
class Certified:
    """One line of `hgldp check --certificate`: what the laws of a task really spend, and what is wrong with them."""

    name: str
    epsilon: float
    exact_epsilon: float
    laws: int
    bytes: int
    failures: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.failures


def check_certificate(name: str, task: Task, data: bytes) -> Certified:
    """What a certificate is worth that somebody gave for a task."""
    laws = laws_of(scheme_of(task))
    worst = max(law.worst for law in laws)
    promised, wrong = float(task.budget.per_report), tuple(wrong_with(data, task))
    return Certified(name, promised, spent(worst), len(laws), len(data), wrong)


def own_names() -> list[str]:
    """What `own_certificates` knows."""
    return [*(name for name, _, _ in _LISTED), "pfr (strings)", "pfr (hints)"]


def own_certificates(names: Iterable[str], epsilon: float) -> Iterator[Certified]:
    """For each name a task over 1,000 items, or strings; and the same laws over few items beside the channels.

    >>> [(each.name, each.laws, each.bytes, each.passed) for each in own_certificates(["bgr"], 1.0)]
    [('bgr', 1, 231, True)]
    """
    wanted = set(names)
    for name, scheme, options in _LISTED:
        if name in wanted:
            yield _checked(name, Task(scheme, epsilon=epsilon, domain=range(ITEMS), **options), options)
    if "pfr (strings)" in wanted:
        yield _checked("pfr (strings)", Task("pfr", epsilon=epsilon, domain=STRING_BYTES), {})
    if "pfr (hints)" in wanted:
        domain = StringDomain(STRING_BYTES, HINTS)
        yield _checked("pfr (hints)", Task("pfr", epsilon=epsilon, domain=domain), {})


def _checked(name: str, task: Task, options: dict[str, Any]) -> Certified:
    found = check_certificate(name, task, certificate(task))
    apart = tuple(each for scheme in _small(task, options) for each in disagreements(scheme))
    return Certified(name, found.epsilon, found.exact_epsilon, found.laws, found.bytes, found.failures + apart)


def _small(task: Task, options: dict[str, Any]) -> Iterator[Scheme]:
    """The same scheme over so few items that its channel can be listed."""
    kind: Any = scheme_class(task.scheme, task.domain)
    epsilon = task.budget.per_report
    if kind is PFR:
        yield PFR(*SMALL_FRONTIER, epsilon)
    elif kind is OpenPFR:
        yield OpenPFR(SMALL_STRINGS, epsilon)
    elif kind is HintedPFR:
        yield HintedPFR(HINTS, LEAST_SYMBOLS, epsilon)
    else:
        yield from (kind(size, cells, epsilon, **options) for size, cells in SMALL_SIZES)
