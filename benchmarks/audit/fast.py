"""Real schemes drawn by the compiled twins of their `randomize`, a million reports in a fraction of a second.

`hgldp check` compares these kernels with the clients' own code, word by word; the audit is the same code as ever.
"""

from dataclasses import dataclass, field

import numpy as np

from hgldp.audit.pairs import Events
from hgldp.audit.views import REPORT, Codes, Views
from hgldp.kernels.clients import Words, add_reduced, blank_board, draw_full, draw_lookout, draw_two_rate, post
from hgldp.kernels.frontier import add_reports
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.model.bulletins import AnyBulletin, Bulletin, FrontierBulletin, OpenBulletin
from hgldp.model.task import Task
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.dsr import DSR
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import scheme_of
from hgldp.simulation.hot_list import fused


@dataclass
class FastClients:
    """One report a draw. Where a kernel only counts reports, they are written out again in the order of their symbols.

    The audit asks for each of its parts by itself, so the order inside a part tells nothing.
    """

    task: Task
    bulletin: AnyBulletin
    seed: int
    block: int = 1 << 40
    _words: Words = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._scheme = scheme_of(self.task)
        self._words = np.array([self.seed], np.uint64)

    def draw(self, events: Events, count: int) -> Views:
        """So many reports on one event."""
        (item,) = events
        code = self.task.domain.encode(item)
        return {REPORT: self._symbols(code, count)}

    def _symbols(self, code: object, count: int) -> Codes:
        if isinstance(self._scheme, PFR) and isinstance(self.bulletin, FrontierBulletin) and isinstance(code, int):
            return self._cyclic(self._scheme.mechanism_over(self.bulletin.cells), self.bulletin.symbol(code), count)
        if isinstance(self._scheme, OpenPFR) and isinstance(self.bulletin, OpenBulletin):
            found = self.bulletin.symbol(code if isinstance(code, bytes) else None)
            return self._cyclic(self._scheme.mechanism, found, count)
        if isinstance(self._scheme, HotListScheme) and isinstance(self.bulletin, Bulletin) and isinstance(code, int):
            return self._hot_list(self._scheme, self.bulletin, np.full(count, code, np.int32))
        raise TypeError("there is no kernel for this scheme and bulletin")

    def _cyclic(self, mechanism: CyclicResponse, symbol: int, count: int) -> Codes:
        order = np.array(mechanism.members + mechanism.others, np.int32)
        truth, members = np.uint64(mechanism.truth), np.uint64(len(mechanism.members))
        histogram, none, items = np.zeros(mechanism.modulus, np.int64), np.uint64(0), np.zeros(count, np.int32)
        leaf_of, size = np.array([symbol], np.int16), np.uint64(mechanism.size)
        add_reports(self._words, truth, order, members, leaf_of, none, none, size, items, histogram)
        return _written_out(histogram)

    def _hot_list(
        self, scheme: HotListScheme, bulletin: Bulletin, items: np.ndarray[tuple[int], np.dtype[np.int32]]
    ) -> Codes:
        _, weights = fused(scheme)
        board = blank_board(scheme.cells, scheme.domain_size)
        post(board, np.array(bulletin.hot, np.int32))
        symbols = np.empty(items.size, np.int64)
        if isinstance(scheme, BGR):
            draw_full(self._words, weights, items, symbols)
            return symbols
        if not isinstance(scheme, DSR | BDR) or (isinstance(scheme, BDR) and not scheme.tight):
            raise TypeError("there is no kernel for this scheme here")
        if not scheme.names_cold(bulletin):
            truth, total = (weights[0], weights[1]) if isinstance(scheme, DSR) else (weights[4], weights[5])
            counts = np.zeros(scheme.cells + 1, np.int64)
            add_reduced(self._words, truth, total, board, items, counts)
            return _written_out(counts)
        draw = draw_lookout if isinstance(scheme, DSR) else draw_two_rate
        draw(self._words, weights, board, items, symbols)
        return symbols


def _written_out(histogram: Codes) -> Codes:
    return np.repeat(np.arange(histogram.size, dtype=np.int64), histogram)
