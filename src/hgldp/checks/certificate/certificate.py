"""The certificate of a task: what it promises, and the laws that keep the promise."""

import json
from collections.abc import Callable
from typing import Any

from hgldp.checks.certificate.frontiers import laws_of_pfr, laws_of_strings
from hgldp.checks.certificate.hot_lists import laws_of_bdr, laws_of_bgr, laws_of_dsr
from hgldp.checks.certificate.law import Law
from hgldp.errors import HgldpError
from hgldp.model.task import Task
from hgldp.schemes.base import Scheme
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.dsr import DSR
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import class_of, scheme_of

VERSION = 1
LAWS: dict[type[Any], Callable[[Any], tuple[Law, ...]]] = {
    BGR: laws_of_bgr,
    DSR: laws_of_dsr,
    BDR: laws_of_bdr,
    CNR: laws_of_bdr,
    PFR: laws_of_pfr,
    OpenPFR: laws_of_strings,
    HintedPFR: laws_of_strings,
}


class Uncertified(HgldpError):
    """The scheme comes from another package, which may draw as it likes."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no certificate for {name}: only the package's own schemes have one")


def has_certificate(task: Task) -> bool:
    """Whether the scheme of a task is the package's own.

    >>> has_certificate(Task("bgr", epsilon=1.0, domain=range(3)))
    True
    """
    return class_of(task) in LAWS


def laws_of(scheme: Scheme) -> tuple[Law, ...]:
    """One law for each kind of bulletin that a client of the scheme answers."""
    laws = LAWS.get(type(scheme))
    if laws is None:
        raise Uncertified(scheme.name)
    return laws(scheme)


def certificate(task: Task) -> bytes:
    """The certificate as JSON; the same task always has the same bytes.

    >>> task = Task("bgr", epsilon=1.0, domain=range(3), k=1)
    >>> json.loads(certificate(task))["laws"][0]["items"]
    {'any': {'name': [[11674931554, 1], [4294967296, 2]]}}
    """
    document = {
        "certificate": VERSION,
        "task": task.id.hex(),
        "epsilon_per_report": str(task.budget.per_report),
        "laws": [law.as_document() for law in laws_of(scheme_of(task))],
    }
    return json.dumps(document, separators=(",", ":")).encode()
