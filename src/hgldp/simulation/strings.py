"""PFR among strings, over a whole stream of them."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.frontier import add_reports
from hgldp.model.bulletins import Cell
from hgldp.model.domain import END
from hgldp.model.estimate import Estimate
from hgldp.model.hints import Hints
from hgldp.model.randomness import derive_seed
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.simulation.hot_list import CLIENTS
from hgldp.simulation.outcome import Outcome, check_stream
from hgldp.stores.hinted import HintedFrontier
from hgldp.stores.strings import OpenFrontier


class StringClients:
    """The distinct codes of a stream, sorted: a cell holds an interval of them, so all clients look up at once."""

    def __init__(self, codes: Sequence[bytes | None]) -> None:
        self._with_code = [place for place, code in enumerate(codes) if code is not None]
        self._with_code.sort(key=lambda place: codes[place] or b"")
        self._sorted = [codes[place] or b"" for place in self._with_code]
        self._size = len(codes)
        self._found: dict[Cell, tuple[int, int]] = {}

    def symbols(self, bulletin: Any) -> NDArray[np.int16]:
        """What `bulletin.symbol` gives for each code: longer and narrower cells paint over shorter and wider ones."""
        painted = np.full(len(self._sorted), bulletin.symbols - 1, np.int16)
        order = sorted(
            enumerate(bulletin.cells), key=lambda each: (len(each[1].prefix), each[1].low - each[1].high, -each[0])
        )
        self._found = {cell: self._found.get(cell) or self._interval(cell) for cell in bulletin.cells}
        for symbol, cell in order:
            start, end = self._found[cell]
            painted[start:end] = symbol
        found = np.full(self._size, bulletin.symbols - 1, np.int16)
        found[self._with_code] = painted
        return found

    def _interval(self, cell: Cell) -> tuple[int, int]:
        start = bisect_left(self._sorted, cell.prefix + bytes([cell.low]))
        if cell.high < 255:
            return start, bisect_left(self._sorted, cell.prefix + bytes([cell.high + 1]))
        after = cell.prefix.rstrip(b"\xff")
        if not after:
            return start, len(self._sorted)
        return start, bisect_left(self._sorted, after[:-1] + bytes([after[-1] + 1]))


class HintedClients(StringClients):
    """The same beside a list: a string on it has the symbol of its number, whatever cells hold its code."""

    def __init__(self, codes: Sequence[bytes | None], hints: Hints) -> None:
        super().__init__(codes)
        numbers = ((place, hints.index(code)) for place, code in enumerate(codes))
        self._on_list = [(place, number) for place, number in numbers if number is not None]

    def symbols(self, bulletin: Any) -> NDArray[np.int16]:
        """What the scheme's `symbol` gives for each code."""
        found = super().symbols(bulletin.spelled) + np.int16(bulletin.listed.cells)
        for place, number in self._on_list:
            found[place] = bulletin.listed.symbol(number)
        return found


def clients_for(scheme: OpenPFR | HintedPFR, codes: Sequence[bytes | None]) -> StringClients:
    """All clients of a scheme."""
    return HintedClients(codes, scheme.hints) if isinstance(scheme, HintedPFR) else StringClients(codes)


def spell(
    scheme: OpenPFR | HintedPFR,
    store: OpenFrontier | HintedFrontier,
    codes: Sequence[bytes | None],
    stream: NDArray[np.int32],
    seed: int,
    advance: Callable[[int], None] | None = None,
) -> None:
    """Every event of a stream of places in `codes`, randomised by its client and counted by the server."""
    items, clients = check_stream(stream, len(codes)), clients_for(scheme, codes)
    words, mechanism = np.array([derive_seed(seed, CLIENTS)], np.uint64), scheme.mechanism
    order = np.array(mechanism.members + mechanism.others, np.int32)
    truth, members, symbols = np.uint64(mechanism.truth), np.uint64(len(mechanism.members)), np.uint64(scheme.symbols)
    none, position = np.uint64(0), 0
    while position < items.size:
        end = min(items.size, position + store.epoch_length - store.in_epoch)
        symbol_of = clients.symbols(store.bulletin)
        add_reports(words, truth, order, members, symbol_of, none, none, symbols, items[position:end], store.histogram)
        if advance is not None:
            advance(end - position)
        position = end
        store.seal()


@dataclass(frozen=True)
class OpenOutcome(Outcome):
    """An outcome whose items are places in the stream's strings; places after the last are strings that nobody sent.

    `first_epoch` is how many reports each of the first epochs has.
    """

    unsaid: tuple[str, ...] = ()
    first_epoch: int = 0


def simulate_open(
    scheme: OpenPFR | HintedPFR,
    store: OpenFrontier | HintedFrontier,
    codes: Sequence[bytes | None],
    stream: NDArray[np.int32],
    k: int,
    seed: int,
    advance: Callable[[int], None] | None = None,
) -> OpenOutcome:
    """A stream of places in `codes`; nobody tells the store what they are. Every report counts one download."""
    spell(scheme, store, codes, stream, seed, advance)
    place_of = {code: place for place, code in enumerate(codes) if code is not None}
    answer: list[Estimate] = []
    unsaid: list[str] = []
    for text, line in store.estimates(k):
        place = place_of.get(text.encode() + bytes([END]))
        if place is None:
            place = len(codes) + len(unsaid)
            unsaid.append(text)
        answer.append(replace(line, item=place))
    return OpenOutcome(
        estimates=tuple(answer),
        reports=stream.size,
        state_bytes=len(store.serialize()),
        upload_bytes=stream.size * scheme.report_bytes,
        download_bytes=stream.size * len(store.bulletin.canonical),
        unsaid=tuple(unsaid),
        first_epoch=store.first_epoch,
    )
