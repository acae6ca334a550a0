"""The whole run: streams to disk, every entrant in its process, everything judged."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.field.bars import Bar, measure_bars
from benchmarks.field.contest import Contest
from benchmarks.field.entrants.registry import ENTRANTS, Entrant
from benchmarks.field.environment import refused_in
from benchmarks.field.launch import launch
from benchmarks.field.rows import Row, judge, raw_sample
from hgldp.simulation.generators import parse_generator
from hgldp.simulation.metrics import Scores

STREAMS = {
    "sketches": "zipf:n=500000,d=41270,s=1.1",
    "private": "normal:n=100000,d=1000,sigma=5",
    "large": "zipf:n=1000000,d=41270,s=1.1",
}
K, EPSILON, BUDGETS, SEED = 20, 2.0, (4_096, 16_384), 1
SECONDS = {"sketches": 2.0, "private": 8.0, "large": 6.0}
LIMIT = 120.0
Tell = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Field:
    """All that was measured in one run."""

    contests: tuple[Contest, ...]
    rows: tuple[Row, ...]
    samples: dict[str, Scores]
    bars: tuple[Bar, ...]

    def rows_of(self, contest: Contest) -> list[Row]:
        """Those of one contest."""
        return [row for row in self.rows if row.contest == contest.name]

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "contests": [asdict(contest) | {"path": Path(contest.path).name} for contest in self.contests],
            "rows": [row.to_dict() for row in self.rows],
            "raw_sample": {name: asdict(scores) for name, scores in self.samples.items()},
            "bars": [asdict(bar) | {"holds": bar.holds} for bar in self.bars],
        }


def draw_contest(name: str, folder: Path) -> tuple[Contest, NDArray[np.int32]]:
    """A contest with its stream on disk."""
    synthetic = parse_generator(STREAMS[name])
    items = synthetic.draw(np.random.default_rng(SEED))
    path = folder / f"{name}.npy"
    np.save(path, items)
    common = (STREAMS[name], str(path.resolve()), synthetic.d, K, SECONDS[name])
    if name == "sketches":
        return Contest(name, "sketch", *common, budgets=BUDGETS), items
    return Contest(name, "private", *common, epsilon=EPSILON), items


def run_field(
    folder: Path, pythons: dict[str, Path], peers: Path, tell: Tell, entrants: Sequence[Entrant] = ENTRANTS
) -> Field:
    """Measure everybody, one after the other; `tell` hears who is next, how many are done, and of how many."""
    drawn = {name: draw_contest(name, folder) for name in STREAMS}
    turns = [(name, entrant) for name in drawn for entrant in entrants if name in entrant.contests]
    refused, rows, samples = refused_in(peers), list[Row](), dict[str, Scores]()
    for done, (name, entrant) in enumerate(turns):
        tell(f"{name}: {entrant.library} {entrant.title}", done, len(turns))
        contest, items = drawn[name]
        rows.append(judge(entrant, contest, items, launch(entrant, contest, pythons[entrant.home], LIMIT), refused))
    for name, (contest, items) in drawn.items():
        if contest.kind == "private":
            samples[name] = raw_sample(contest, items, items.size // 100)
    tell("PFR's bars", len(turns), len(turns))
    return Field(tuple(contest for contest, _ in drawn.values()), tuple(rows), samples, tuple(measure_bars()))
