"""What is run: every structure on every stream, with no privacy and under each hot list, all in the same bytes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from benchmarks.structures.plain import plain_top
from hgldp.experiments.measuring.streams import Library
from hgldp.model.rules import Structure
from hgldp.schemes.registry import HOT_LISTS
from hgldp.simulation.metrics import score
from hgldp.simulation.run import Plan, run
from hgldp.stores.hot_list.state import state_bytes

K, CELLS = 20, 40
LIGHT_CELLS = CELLS - K
STRUCTURES: tuple[Structure, ...] = get_args(Structure)
NONE = "none"
BYTES = state_bytes(CELLS, LIGHT_CELLS, 0)
METRICS = ("precision", "ndcg", "aae", "held")


@dataclass(frozen=True)
class Start:
    """A stream, and which share of it is given raw."""

    stream: str
    warmup: float

    @property
    def title(self) -> str:
        """As the table names it."""
        return f"{self.stream.partition(':')[0]}, {f'{100 * self.warmup:g} % raw' if self.warmup else 'cold'}"


STARTS = (
    Start("normal:n=100000,d=1000,sigma=5", 0.01),
    Start("zipf:n=100000,d=1000,s=1.2", 0.0),
    Start("retail", 0.01),
)


@dataclass(frozen=True)
class Piece:
    """One setting on one stream, for all seeds."""

    start: Start
    scheme: str
    epsilon: float
    structure: Structure
    seeds: int
    folder: Path | None


def cells_within(size: int, structure: Structure) -> int:
    """The most cells whose state has so many bytes at most.

    >>> [cells_within(BYTES, each) for each in STRUCTURES]
    [40, 33, 33, 39]
    """
    kind, cells = STRUCTURES.index(structure), K
    while state_bytes(cells + 1, LIGHT_CELLS, kind) <= size:
        cells += 1
    return cells


def pieces(seeds: int, epsilons: tuple[float, ...], library: Library) -> Iterator[Piece]:
    """Everything, in the order of the table."""
    for start in STARTS:
        if ":" not in start.stream and library.path(start.stream) is None:
            continue
        for scheme, epsilon in [(NONE, 0.0), *((each, one) for one in epsilons for each in HOT_LISTS)]:
            for structure in STRUCTURES:
                yield Piece(start, scheme, epsilon, structure, seeds, library.folder)


def run_piece(piece: Piece) -> list[dict[str, float]]:
    """The numbers of each seed."""
    return [_run(piece, seed) for seed in range(1, piece.seeds + 1)]


def _run(piece: Piece, seed: int) -> dict[str, float]:
    drawn = Library(piece.folder).draw(piece.start.stream, seed)
    if piece.scheme == NONE:
        lines = plain_top(piece.structure, drawn.items, K, BYTES, seed)
    else:
        cells = cells_within(BYTES, piece.structure)
        plan = Plan(piece.scheme, piece.epsilon, K, cells=cells, light_cells=LIGHT_CELLS, structure=piece.structure)
        raw = round(piece.start.warmup * drawn.items.size)
        outcome = run(plan, drawn.items, drawn.domain_size, raw, seed)
        if outcome.state_bytes > BYTES:
            raise AssertionError(f"{piece.structure} keeps {outcome.state_bytes} bytes, more than {BYTES}")
        lines = outcome.estimates
    found = score(lines, drawn.truth, K)
    held = [line.interval[0] <= drawn.truth[line.item] <= line.interval[1] for line in lines]
    return {
        "precision": found.precision,
        "ndcg": found.ndcg,
        "aae": found.aae,
        "held": float(sum(held)) / max(len(held), 1),
    }
