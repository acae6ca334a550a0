"""Bulletins to audit against when none is given: one of each kind that a task can publish."""

from hgldp.model.bulletins import (
    ROOT,
    AnyBulletin,
    Bulletin,
    Cell,
    FrontierBulletin,
    HintedBulletin,
    OpenBulletin,
)
from hgldp.model.domain import END
from hgldp.model.task import Task
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import scheme_of

KEY = 0x5EED
LETTERS = (Cell(b"", ord("a"), ord("m")), Cell(b"", ord("n"), ord("z")))
STRINGS = (b"coffee", b"tea")


def made_bulletins(task: Task) -> list[AnyBulletin]:
    """A hot list that lets cold reports name their item and, if the scheme has it, one that does not; or one frontier.

    >>> [type(each).__name__ for each in made_bulletins(Task("pfr", epsilon=1.0, domain=64, k=5))]
    ['OpenBulletin']
    >>> [each.nominating for each in made_bulletins(Task("dsr", epsilon=1.0, domain=range(100), k=5))]
    [False, True]
    """
    scheme = scheme_of(task)
    if isinstance(scheme, PFR):
        leaves = tuple(range(min(scheme.most_leaves, task.domain_size // 2)))
        return [FrontierBulletin(task.id, 0, task.domain_size, scheme.cells, KEY, leaves)]
    if isinstance(scheme, OpenPFR | HintedPFR):
        most = getattr(task.domain, "most_bytes", 0)
        leaves_of = tuple(Cell(text, END, END) for text in STRINGS if len(text) <= most)
        cells = tuple(sorted({ROOT, *LETTERS, *leaves_of}))
        if isinstance(scheme, OpenPFR):
            return [OpenBulletin(task.id, 0, scheme.symbols, cells)]
        known = tuple(range(min(scheme.listed.most_leaves, scheme.hints.size // 2)))
        listed = FrontierBulletin(bytes(32), 0, scheme.hints.size, scheme.listed.cells, KEY, known)
        return [HintedBulletin(task.id, 0, listed, OpenBulletin(bytes(32), 0, scheme.spelled_symbols, cells))]
    hot, always = tuple(range(task.rules.cells)), getattr(scheme, "always_nominating", False)
    return [Bulletin(task.id, 0, task.domain_size, hot, each) for each in ((True,) if always else (False, True))]
