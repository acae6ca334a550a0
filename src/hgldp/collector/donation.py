"""The warm-up of a task: raw items that somebody gave knowingly, or that are public. They are counted as they are."""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, repeat
from zlib import compress, decompress
from zlib import error as not_compressed

from hgldp.errors import InvalidField, MalformedState, OutsideDomain
from hgldp.model.domain import AnyDomain, listed
from hgldp.model.validate import check_whole
from hgldp.schemes.registry import names, scheme_class

MOST_ITEMS, MOST_DIFFERENT = 1_000_000, 100_000
PAIRS_RULE = "must be a list of pairs, each an item of the domain and how often it was given"
PAIR = struct.Struct("<II")


@dataclass(frozen=True)
class Donation:
    """How often each item was given, by its number in the domain, in the order of the numbers: nothing else matters.

    >>> from hgldp.model.domain import Vocabulary
    >>> drinks = Vocabulary(("tea", "coffee", "mate"))
    >>> given = Donation.of(drinks, [["mate", 1], ["tea", 2]])
    >>> given.counts, given.size, list(given.items(drinks))
    (((0, 2), (2, 1)), 3, ['tea', 'tea', 'mate'])
    >>> Donation.read(given.written()) == given
    True
    """

    counts: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, domain: AnyDomain, pairs: object) -> "Donation":
        """Items of the domain with their counts; an error tells which pair is wrong, never its item."""
        if not isinstance(pairs, list):
            raise InvalidField("warmup", PAIRS_RULE, type(pairs).__name__)
        if domain.size is None and pairs:
            raise InvalidField("warmup", "must be empty for strings that nobody listed", f"{len(pairs)} items")
        if len(pairs) > MOST_DIFFERENT:
            raise InvalidField("warmup", f"must hold at most {MOST_DIFFERENT:,} different items", f"{len(pairs):,}")
        found: dict[int, int] = {}
        for place, pair in enumerate(pairs, start=1):
            if not isinstance(pair, list) or len(pair) != 2:
                raise InvalidField("warmup", PAIRS_RULE, f"something else as pair {place}")
            try:
                number = listed(domain).index(pair[0])
            except OutsideDomain:
                raise InvalidField("warmup", "must hold items of the domain", f"pair {place} (withheld)") from None
            found[number] = found.get(number, 0) + check_whole(f"count of pair {place}", pair[1], 1, MOST_ITEMS)
        made = cls(tuple(sorted(found.items())))
        if made.size > MOST_ITEMS:
            raise InvalidField("warmup", f"must hold at most {MOST_ITEMS:,} items in all", f"{made.size:,}")
        return made

    @property
    def size(self) -> int:
        """How many items were given."""
        return sum(count for _, count in self.counts)

    def items(self, domain: AnyDomain) -> Iterable[object]:
        """Each as often as it was given."""
        known = listed(domain)
        return chain.from_iterable(repeat(known.item(number), count) for number, count in self.counts)

    def written(self) -> bytes:
        """As the store keeps it."""
        return compress(b"".join(PAIR.pack(*pair) for pair in self.counts))

    @classmethod
    def read(cls, data: bytes) -> "Donation":
        """And back."""
        try:
            return cls(tuple((number, count) for number, count in PAIR.iter_unpack(decompress(data))))
        except (not_compressed, struct.error):
            raise MalformedState("a warm-up must be kept as it was written") from None


NOTHING_GIVEN = Donation(())


def starts_cold(scheme: str, warmup: int = 0) -> bool:
    """Whether a task starts from items that nobody chose: a hot list without a warm-up.

    >>> starts_cold("bdr"), starts_cold("bdr", warmup=1_000), starts_cold("pfr")
    (True, False, False)
    """
    return not warmup and scheme in names() and scheme_class(scheme).starts_cold
