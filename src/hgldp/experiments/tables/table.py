"""A table of the report: text in cells, made from results alone."""

from collections.abc import Callable
from dataclasses import dataclass

from hgldp.errors import InvalidField
from hgldp.experiments.results import Results

ABSENT = "–"


@dataclass(frozen=True)
class Grid:
    """Headings, and rows of the same length; the first column names the row.

    >>> print(Grid(("scheme", "bytes"), (("dsr", "12"),)).markdown)
    | scheme | bytes |
    |---|---:|
    | dsr | 12 |
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if any(len(row) != len(self.headings) for row in self.rows):
            raise InvalidField("rows", f"must have {len(self.headings)} cells each", [len(row) for row in self.rows])

    @property
    def markdown(self) -> str:
        """As Markdown, numbers to the right."""
        ruler = "|---|" + "---:|" * (len(self.headings) - 1)
        lines = (self.headings, *self.rows)
        shown = ["| " + " | ".join(line) + " |" for line in lines]
        return "\n".join([shown[0], ruler, *shown[1:]])


@dataclass(frozen=True)
class Table:
    """`make` gets all results; a cell that was not measured is a dash."""

    name: str
    title: str
    note: str
    make: Callable[[Results], Grid]
