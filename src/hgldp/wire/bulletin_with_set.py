"""A bulletin as web pages get it: its difference set stands in front, so that a page need not search for one.

The set has no hash: with any set, an answer costs at most the same ε.
"""

from hgldp.model.bulletins import AnyBulletin
from hgldp.schemes.base import Scheme
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR

NO_SET = bytes(2)


def set_before(bulletin: AnyBulletin, scheme: Scheme) -> bytes:
    """M and M bits, or M = 0 for a scheme without sets.

    >>> from hgldp.model.bulletins import FrontierBulletin
    >>> set_before(FrontierBulletin(bytes(32), 0, 12, 9, 0, ()), PFR(12, 9, 1.0)).hex()
    '000d0b02'
    """
    if isinstance(scheme, PFR):
        return scheme.mechanism_over(scheme.checked(bulletin).cells).difference_set.packed
    return scheme.mechanism.difference_set.packed if isinstance(scheme, OpenPFR | HintedPFR) else NO_SET


def with_set(bulletin: AnyBulletin, scheme: Scheme) -> bytes:
    """All that a page fetches: the set, then the bulletin's canonical bytes."""
    return set_before(bulletin, scheme) + bulletin.canonical
