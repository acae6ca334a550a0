"""What differs between the recording and what the code computes now, and how to read it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import unified_diff

from tests.recorded.kinds import compute
from tests.recorded.record import Content, Entry, agrees, entry, lines_of, name_of_digest

MOST_LINES = 60


@dataclass(frozen=True)
class Difference:
    """A name, what was recorded under it, and what is computed now; None: nothing."""

    name: str
    recorded: Entry | None
    found: Entry | None

    @property
    def explained(self) -> list[str]:
        """Line by line, where the text was kept; the first of them, if there are many."""
        was, now = lines_of(self.recorded), lines_of(self.found)
        if not was or not now:
            return []
        lines = list(unified_diff(was, now, lineterm="", n=1))[2:]
        more = len(lines) - MOST_LINES
        if not lines:
            return []
        return [self.name, *lines[:MOST_LINES], *([f"… and {more} lines more"] if more > 0 else [])]


def differences(
    recorded: Mapping[str, Entry], found: Mapping[str, Content], *, exact: bool = False
) -> list[Difference]:
    """Every name whose content is another one, or that only one of the two knows, in order."""
    now = {name: entry(name, content) for name, content in found.items()}
    names = sorted(recorded.keys() | now.keys())
    pairs = [Difference(name, recorded.get(name), now.get(name)) for name in names]
    return [each for each in pairs if not agrees(each.recorded, each.found, exact=exact)]


def changes_of(recorded: Mapping[str, Entry], cases: Iterable[str], *, exact: bool = False) -> list[Difference]:
    """The same for some cases; one that breaks is a difference too."""
    found: dict[str, Content] = {}
    for case in cases:
        try:
            found |= compute(case)
        except Exception as failure:  # noqa: BLE001 - the others have something to tell as well
            found[f"{case}/broken"] = f"{type(failure).__name__}: {failure}"
    return differences(recorded, found, exact=exact)


def report(found: Iterable[Difference]) -> str:
    """One line a difference, and then the lines that differ."""
    different = list(found)
    rows = [("name", "recorded", "now")]
    rows += [(each.name, name_of_digest(each.recorded), name_of_digest(each.found)) for each in different]
    widths = [max(len(row[place]) for row in rows) for place in range(3)]
    table = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    broken = [line for each in different if each.recorded is None for line in lines_of(each.found)[:5]]
    explained = [line for each in different if each.explained for line in ("", *each.explained)]
    return "\n".join([*table, *broken, *explained])
