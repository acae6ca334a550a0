"""Both frontiers in one store: every report is one residue over the symbols of both, and each part reads its own.

The list's symbols come first. The other part reads the same residues, shifted by the number of these symbols.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, MalformedState
from hgldp.model.bulletins import HintedBulletin
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import Z95, Estimate
from hgldp.model.rules import Spelling
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.stores.epoch_tally import EpochTally, check_histogram, counted
from hgldp.stores.frontier import Frontier
from hgldp.stores.hinted.lines import merged
from hgldp.stores.integers import Integers
from hgldp.stores.state_frame import StateFrame
from hgldp.stores.strings import OpenFrontier
from hgldp.stores.strings.state import most_state_bytes as most_spelled_bytes

FRAME = StateFrame("hinted frontier", mark=b"hgH1", fields="II32s")
Histogram = NDArray[np.int64]


def most_state_bytes(memory: int, spelled_symbols: int, most_bytes: int) -> int:
    """No state takes more: `memory` is what the task allows for both parts together.

    >>> most_state_bytes(147_456, 1024, 64)
    147456
    """
    return (
        FRAME.fixed_bytes
        + listed_memory(memory, spelled_symbols, most_bytes)
        + most_spelled_bytes(spelled_symbols, most_bytes)
    )


def listed_memory(memory: int, spelled_symbols: int, most_bytes: int) -> int:
    """What the other part leaves to the list's, whatever strings it holds."""
    return max(0, memory - FRAME.fixed_bytes - most_spelled_bytes(spelled_symbols, most_bytes))


class HintedFrontier(EpochTally):
    """`listed` is a frontier over the numbers of the strings on the list, `spelled` one over all others.

    Their epochs are the same ones. Between two seals this store alone counts.
    """

    def __init__(
        self,
        scheme: HintedPFR,
        *,
        memory: int,
        k: int,
        domain: StringDomain,
        seed: int,
        epoch: int | None = None,
        half_life: int | None = None,
        spelling: Spelling = "text",
    ) -> None:
        self.scheme = scheme
        symbols = scheme.spelled_symbols
        terms: dict[str, Any] = {"epoch": epoch, "half_life": half_life}
        room = listed_memory(memory, symbols, domain.most_bytes)
        try:
            self.listed = Frontier(scheme.listed, memory=room, seed=seed, **terms)
        except InvalidField as wrong:
            if wrong.field != "memory":
                raise
            rule = f"must leave the list's part, beside {memory - room:,} bytes for strings, room: it {wrong.rule}"
            raise InvalidField("memory", rule, memory) from None
        self.spelled = OpenFrontier(scheme.mechanism, symbols=symbols, k=k, domain=domain, spelling=spelling, **terms)
        self._open()

    def _open(self) -> None:
        self.histogram = np.zeros(self.scheme.mechanism.modulus, np.int64)
        self.late: dict[int, tuple[HintedBulletin, Histogram]] = {}
        self._publish()

    def _publish(self) -> None:
        self.bulletin = HintedBulletin(bytes(32), self.sealed, self.listed.bulletin, self.spelled.bulletin)

    def _shifted(self, histogram: Histogram) -> Histogram:
        """As the other part reads it: its first symbol is the one after the list's last."""
        return np.roll(histogram, -self.scheme.listed.cells)

    @property
    def sealed(self) -> int:
        """How many epochs have ended."""
        return self.spelled.sealed

    @property
    def reports(self) -> int:
        """How many reports were counted in them, late ones included."""
        return self.spelled.reports

    @property
    def late_reports(self) -> int:
        """How many late reports wait for the next seal."""
        return sum(int(histogram.sum()) for _, histogram in self.late.values())

    @property
    def first_epoch(self) -> int:
        """How many reports each of the first epochs has."""
        return self.spelled.first_epoch

    @property
    def epoch_length(self) -> int:
        """As long as the search among strings needs; over a list shorter epochs would do."""
        return self.spelled.epoch_length

    def hide_order(self) -> None:
        """From now on, publish both parts in the order of the items."""
        self.listed.hide_order()
        self.spelled.hide_order()
        self._publish()

    def adopt(self, published: HintedBulletin) -> None:
        """For a store right after a seal or at its start: go on from what an earlier version published instead."""
        self.listed.adopt(published.listed)
        self.spelled.adopt(published.spelled)
        self._publish()

    def insert_late(self, bulletin: HintedBulletin, reports: Integers) -> None:
        """Count residues that answer an earlier bulletin; at the next seal each part takes what is its own."""
        self.merge_late(bulletin, counted(reports, self.histogram.size))

    def merge_late(self, bulletin: HintedBulletin, histogram: Histogram) -> None:
        """Add late reports that were counted already."""
        check_histogram(histogram, self.histogram.size)
        known, before = self.late.get(bulletin.epoch, (bulletin, 0))
        self.late[bulletin.epoch] = known, before + histogram

    def seal(self) -> None:
        """End the epoch of both parts, and publish what each of them does next. An empty epoch stays open."""
        if not self.in_epoch:
            return
        self._tell_parts()
        self.listed.seal()
        self.spelled.seal()
        self._open()

    def _tell_parts(self) -> None:
        """Give both parts what was counted, each to read its own symbols."""
        self.listed.histogram, self.spelled.histogram = self.histogram.copy(), self._shifted(self.histogram)
        for epoch in sorted(self.late):
            bulletin, histogram = self.late[epoch]
            self.listed.merge_late(bulletin.listed, histogram)
            self.spelled.merge_late(bulletin.spelled, self._shifted(histogram))

    def absorbed(self) -> "HintedFrontier":
        """A copy in which the open epoch and late reports count too, for an answer in mid-epoch."""
        now = self._told()
        now.listed, now.spelled = now.listed.absorbed(), now.spelled.absorbed()
        return now

    def as_if_sealed(self) -> "HintedFrontier":
        """A copy whose open epoch ends now; over the list that counts the epoch, and no more is to be seen of it."""
        now = self._told()
        now.listed, now.spelled = now.listed.absorbed(), now.spelled.as_if_sealed()
        return now

    def _told(self) -> "HintedFrontier":
        """A copy whose parts have been given what was counted."""
        now = copy(self)
        now.listed, now.spelled = copy(self.listed), copy(self.spelled)
        now.listed.late, now.spelled.late = {}, {}
        now._tell_parts()
        now.histogram, now.late = np.zeros_like(self.histogram), {}
        return now

    def estimates(self, k: int) -> list[tuple[str, Estimate]]:
        """The k strings with the largest counts, verbatim, whichever part found them."""
        strings, listed = self.scheme.hints.strings, self.listed.estimates(self.scheme.listed.most_leaves)
        named = [(strings[line.item], line) for line in self._down_to_measured(listed)]
        spelled = self.spelled.estimates(self.spelled.most_hot)
        return merged(named, spelled, self.reports, self.spelled.expected_above)[:k]

    def _down_to_measured(self, lines: Sequence[Estimate]) -> list[Estimate]:
        """Lines whose intervals reach down as far as what was measured does.

        The list's part takes all shares on the list together for the whole stream. So it expects too much of a short
        list, and nothing at all would be outside of every interval.
        """
        if not lines:
            return []
        shares, deviations = self.listed.shares([line.item for line in lines])
        lows = (self.reports * (shares - Z95 * deviations)).clip(min=0.0).tolist()
        ends = ((line, low, line.interval) for line, low in zip(lines, lows, strict=True))
        return [replace(line, bounds=(min(low, told), high)) for line, low, (told, high) in ends]

    def serialize(self) -> bytes:
        """Both parts and the name of the list: never more than `most_state_bytes` of the task's memory."""
        self.check_sealed(self.late_reports)
        listed, spelled = self.listed.serialize(), self.spelled.serialize()
        name = bytes.fromhex(self.scheme.hints.digest)
        return FRAME.write(len(listed), len(spelled), name, body=[listed, spelled])

    @classmethod
    def deserialize(cls, data: bytes, scheme: HintedPFR, spelling: Spelling = "text") -> "HintedFrontier":
        """The store that `serialize` wrote for a scheme and its list; anything else is refused."""
        (listed, spelled, name), body = FRAME.read(data)
        if name.hex() != scheme.hints.digest:
            raise MalformedState(f"hinted frontier must be of the list {scheme.hints.digest}, got {name.hex()}")
        store = cls.__new__(cls)
        store.scheme = scheme
        store.listed = Frontier.deserialize(body.raw(listed), scheme.listed)
        store.spelled = OpenFrontier.deserialize(body.raw(spelled), scheme.mechanism, spelling)
        body.finish()
        same = store.listed.sealed == store.spelled.sealed and store.listed.reports == store.spelled.reports
        if not same or store.spelled.symbols != scheme.spelled_symbols:
            raise MalformedState("hinted frontier must have two parts that counted the same reports")
        try:
            store._open()
        except InvalidField as wrong:
            raise MalformedState(f"hinted frontier must be legal: {wrong}") from wrong
        return store
