"""What was seen in many draws, as counts."""

from dataclasses import dataclass, field

import numpy as np

from hgldp.audit.views import Codes, Views

LEAST_BLOCK = 20


@dataclass(frozen=True)
class Counts:
    """How often each code came; the codes ascend."""

    codes: Codes
    counts: Codes

    def of(self, wanted: Codes) -> Codes:
        """How often each wanted code came."""
        place = np.minimum(np.searchsorted(self.codes, wanted), self.codes.size - 1)
        found: Codes = np.where(self.codes[place] == wanted, self.counts[place], 0)
        return found

    @classmethod
    def joined(cls, parts: list["Counts"]) -> "Counts":
        """The counts of several blocks of draws together."""
        codes, place = np.unique(np.concatenate([part.codes for part in parts]), return_inverse=True)
        counts = np.zeros(codes.size, np.int64)
        np.add.at(counts, place, np.concatenate([part.counts for part in parts]))
        return cls(codes, counts)


@dataclass
class Tally:
    """The draws of one input, column by column."""

    draws: int = 0
    _blocks: dict[tuple[str, int], list[Counts]] = field(default_factory=dict)

    def add(self, views: Views) -> None:
        """Count one block of draws. A view has a row for each draw, and one column or several.

        >>> tally = Tally()
        >>> tally.add({"report": np.array([7, 3, 7])})
        >>> tally.draws, tally.counts(("report", 0)).of(np.array([3, 5, 7])).tolist()
        (3, [1, 0, 2])
        """
        for view, seen in views.items():
            columns = seen.reshape(seen.shape[0], -1)
            for number in range(columns.shape[1]):
                codes, counts = np.unique(columns[:, number], return_counts=True)
                self._blocks.setdefault((view, number), []).append(Counts(codes, counts))
        self.draws += next(iter(views.values())).shape[0]

    @property
    def columns(self) -> list[tuple[str, int]]:
        """Every column that was seen."""
        return list(self._blocks)

    def usual_in_blocks(self, column: tuple[str, int], share: float) -> set[int | None]:
        """The most frequent code of each block that has 20 draws, if it makes up more than this share; None if not."""
        found = set[int | None]()
        for block in self._blocks[column]:
            draws, most = int(block.counts.sum()), int(block.counts.max())
            if draws >= LEAST_BLOCK:
                found.add(int(block.codes[block.counts.argmax()]) if most > share * draws else None)
        return found

    def counts(self, column: tuple[str, int]) -> Counts:
        """The counts of one column."""
        blocks = self._blocks[column]
        if len(blocks) > 1:
            blocks[:] = [Counts.joined(blocks)]
        return blocks[0]
