"""All measurements over all cores: nothing twice, each result kept as soon as it is there."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

from hgldp.experiments.cache import Cache
from hgldp.experiments.costs import cost
from hgldp.experiments.hiring import cores, hired
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.results import Results, Row
from hgldp.experiments.streams import Library
from hgldp.experiments.worker import Group

Advance = Callable[[float, float], None]
DIED = "the process that measured it died"


@dataclass(frozen=True)
class Workload:
    """What is wanted, what of it is known, and what is left, by stream and seed, the costliest first."""

    wanted: tuple[Measurement, ...]
    known: dict[Measurement, Row]
    groups: tuple[Group, ...]
    seconds: float

    @classmethod
    def of(cls, measurements: Sequence[Measurement], cache: Cache, library: Library) -> "Workload":
        """Each measurement once, whatever number of figures asks for it."""
        wanted = tuple(dict.fromkeys(measurements))
        known = cache.find(wanted)
        gathered: dict[tuple[str, int], Group] = {}
        for one in wanted:
            if one not in known:
                gathered.setdefault((one.stream, one.seed), []).append(one)
        costs = {place: sum(cost(one, library) for one in group) for place, group in gathered.items()}
        order = sorted(gathered, key=lambda place: -costs[place])
        return cls(wanted, known, tuple(gathered[place] for place in order), sum(costs.values()))

    @property
    def left(self) -> int:
        """How many measurements there are to make."""
        return sum(len(group) for group in self.groups)


def work(load: Workload, cache: Cache, library: Library, advance: Advance) -> Results:
    """Make what is left; `advance` hears (seconds of work done, seconds in all), by what each was thought to cost."""
    found, done = dict(load.known), 0.0
    for row in _answers(load.groups, library.folder):
        cache.add(row)
        found[row.measurement] = row
        done += cost(row.measurement, library)
        advance(done, load.seconds)
    return Results.of(found[one] for one in load.wanted)


def _answers(groups: Sequence[Group], folder: Path | None) -> Iterator[Row]:
    """Every row of every group, as it comes; one that nobody is left to make is a failure."""
    waiting = list(reversed(groups))
    with hired(min(cores(), len(groups)), folder) as lines:
        serving: dict[Connection, Group] = {}
        for number, line in enumerate(lines):
            _order(line, waiting, serving, backwards=number % 2 == 1)
        while serving:
            ready = wait(list(serving))
            for line in [one for one in serving if one in ready]:
                try:
                    row: Row | None = line.recv()
                except (EOFError, ConnectionResetError):
                    yield from (Row(one, failure=DIED) for one in serving.pop(line))
                    continue
                if row is not None:
                    serving[line].remove(row.measurement)
                    yield row
                else:
                    del serving[line]
                    _order(line, waiting, serving)
        yield from (Row(one, failure=DIED) for group in waiting for one in group)


def _order(
    line: Connection, waiting: list[Group], serving: dict[Connection, Group], *, backwards: bool = False
) -> None:
    """The next group; at first every other process works backwards, so that no two compile the same kernels."""
    if waiting:
        group = waiting.pop()
        serving[line] = list(group)
        line.send(group[::-1] if backwards else group)
