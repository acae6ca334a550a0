"""Cells of prefixes as a tree to draw: where each branch starts and ends, and how much goes through it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from hgldp.model.bulletins import Cell

SURE, ROOM = 4.0, 8.0


@dataclass(frozen=True)
class MeasuredCell:
    """One cell at the end of an epoch: its share so far, the standard deviation of that, and whether it is hot."""

    cell: Cell
    share: float
    deviation: float
    hot: bool


@dataclass(frozen=True)
class StringEpoch:
    """The end of an epoch among strings, before cells are cut, held or dropped."""

    reports: int
    cells: tuple[MeasuredCell, ...]


@dataclass(frozen=True)
class Branch:
    """From the end of a shorter prefix to a longer one, or to what a cell holds beyond it. Only cells have a text."""

    start: float
    end: float
    root: float
    place: float
    share: float
    sure: bool
    leaf: bool = False
    text: str = ""


def grow(epoch: StringEpoch) -> list[Branch]:
    """The branches: cells in alphabetical order from top to bottom, each prefix in the middle of its cells."""
    held = sorted(epoch.cells, key=lambda one: (one.cell.prefix, one.cell.low))
    place = _places(held)
    below: dict[bytes, list[MeasuredCell]] = defaultdict(list)
    for one in held:
        for length in range(len(one.cell.prefix) + 1):
            below[one.cell.prefix[:length]].append(one)
    forks = _forks(below)
    height = {prefix: _middle([(place[one.cell], one) for one in below[prefix]]) for prefix in forks}
    branches = []
    for prefix in sorted(forks):
        if prefix:
            parent = _parent(prefix, forks)
            total = sum(max(one.share, 0.0) for one in below[prefix] if is_sure(one))
            branches.append(
                Branch(letters(parent), letters(prefix), height[parent], height[prefix], total, sure=total > 0)
            )
    for one in held:
        prefix = one.cell.prefix
        leaf, end = one.cell.is_leaf and one.hot, letters(prefix) + 0.5
        branches.append(
            Branch(letters(prefix), end, height[prefix], place[one.cell], one.share, is_sure(one), leaf, name(one.cell))
        )
    return branches


def _places(held: Sequence[MeasuredCell]) -> dict[Cell, float]:
    """From 1 down to 0; a cell above the noise has more room."""
    room = [ROOM if is_sure(one) else 1.0 for one in held]
    ends = list(accumulate(room))
    return {one.cell: 1 - (end - own / 2) / ends[-1] for one, end, own in zip(held, ends, room, strict=True)}


def is_sure(one: MeasuredCell) -> bool:
    """Whether a cell is well above the noise."""
    return one.share > SURE * one.deviation


def letters(prefix: bytes) -> float:
    """How many letters a prefix spells; a part of a letter counts as half.

    >>> letters("maté".encode()), letters(b"mat\\xc3")
    (4.0, 3.5)
    """
    whole = prefix.decode(errors="ignore")
    return len(whole) + 0.5 * (len(whole.encode()) < len(prefix))


def name(cell: Cell) -> str:
    """A string in quotes, or a prefix with what may follow.

    >>> name(Cell(b"tea", 0, 0)), name(Cell(b"te", 97, 109)), name(Cell(b"t", 101, 101)), name(Cell(b"new", 0, 255))
    ('“tea”', 'te[a–m]…', 'te…', 'new…')
    """
    text = cell.prefix.decode(errors="replace").replace("\ufffd", "·").replace(" ", "␣")
    if cell.is_leaf:
        return f"“{text.replace('␣', ' ')}”"
    if cell.low == cell.high:
        return f"{text}{_letter(cell.low)}…"
    if cell.low <= 1 and cell.high == 255:
        return f"{text}…"
    return f"{text}[{_letter(cell.low)}–{_letter(cell.high)}]…"


def spread(places: Sequence[float], apart: float) -> list[float]:
    """The nearest places that keep a distance, in the same order from top to bottom, within 0 … 1 if there is room.

    >>> [round(place, 2) for place in spread([0.5, 0.49, 0.1], 0.1)]
    [0.5, 0.4, 0.1]
    """
    order = sorted(range(len(places)), key=lambda one: -places[one])
    found, ceiling = [0.0] * len(places), 1.0
    for one in order:
        found[one] = min(places[one], ceiling)
        ceiling = found[one] - apart
    floor = 0.0
    for one in reversed(order):
        found[one] = max(found[one], floor)
        floor = found[one] + apart
    return found


def _letter(byte: int) -> str:
    return {0: "end", 32: "␣"}.get(byte, chr(byte) if 32 < byte < 127 else "·")


def _forks(below: dict[bytes, list[MeasuredCell]]) -> set[bytes]:
    """The prefixes at which something ends or parts; the others are only passed through."""
    found = {b""}
    for prefix, cells in below.items():
        following = {one.cell.prefix[: len(prefix) + 1] for one in cells}
        if prefix in following or len(following) > 1:
            found.add(prefix)
    return found


def _parent(prefix: bytes, forks: set[bytes]) -> bytes:
    return next(prefix[:length] for length in range(len(prefix) - 1, -1, -1) if prefix[:length] in forks)


def _middle(cells: Iterable[tuple[float, MeasuredCell]]) -> float:
    """The middle of the sure cells, or of all cells if none is sure."""
    everything = list(cells)
    chosen = [place for place, one in everything if is_sure(one)] or [place for place, _ in everything]
    return (min(chosen) + max(chosen)) / 2
