"""Who runs on which streams, and one run of everybody."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hgldp.experiments.measurement import COLD, Measurement, Settings
from hgldp.experiments.measuring.measure import measure
from hgldp.experiments.measuring.streams import Library
from hgldp.simulation.drift import DRIFTS
from hgldp.simulation.generators import EXAMPLES

K = 20
EPSILONS = (1.0, 2.0, 4.0, 8.0)
NORMAL = "normal:n=100000,d=1000,sigma=5"
MADE_STEADY = (NORMAL, "zipf:n=100000,d=1000,s=1.2")
MADE_DRIFTING = tuple(text for text in EXAMPLES if text.partition(":")[0] in DRIFTS)
REAL = ("retail", "kosarak-first100k", "NASA-Jul95-sessions", "online-retail")
STREAMS = (*MADE_STEADY, *MADE_DRIFTING, *REAL)
STEADY = (*MADE_STEADY, "NASA-Jul95-sessions")
DRIFTING = (*MADE_DRIFTING, "online-retail")
LARGE = "zipf:n=8000000,d=5260000,s=1.1"
SMALL_MEMORY, LARGE_MEMORY = 16_384, 49_152
METRICS = ("precision", "ndcg", "aae", "seconds")


@dataclass(frozen=True)
class Contestant:
    """A scheme on its terms; `warmup` is the share of the stream that is given raw."""

    title: str
    scheme: str
    settings: Settings = ()
    warmup: float = 0.0

    def measurement(self, stream: str, epsilon: float, seed: int) -> Measurement:
        """On one stream."""
        start = f"{100 * self.warmup:g}%" if self.warmup else COLD
        return Measurement(stream, self.scheme, epsilon, seed, K, start, self.settings)


SMALL = Contestant("pfr, 16 kB", "pfr", (("memory", SMALL_MEMORY),))
BIG = Contestant("pfr, 48 kB", "pfr", (("memory", LARGE_MEMORY),))
OLH = Contestant("olh, unlimited", "olh")
HR = Contestant("hr, unlimited", "hr")
WIDE = Contestant("pfr, 512 cells, 32 kB", "pfr", (("cells", 512), ("memory", 2 * SMALL_MEMORY)))


def warmed(contestant: Contestant, share: float) -> Contestant:
    """The same after a raw warm-up.

    >>> warmed(SMALL, 0.01).title
    'pfr, 16 kB, 1 % raw'
    """
    return Contestant(f"{contestant.title}, {100 * share:g} % raw", contestant.scheme, contestant.settings, share)


@dataclass(frozen=True)
class Piece:
    """Everybody on one stream of one seed, which is drawn once."""

    stream: str
    seed: int
    contestants: tuple[Contestant, ...]
    epsilons: tuple[float, ...] = EPSILONS
    folder: Path | None = None

    @cached_property
    def measurements(self) -> tuple[tuple[str, Measurement], ...]:
        """With the title of whose it is."""
        return tuple(
            (one.title, one.measurement(self.stream, epsilon, self.seed))
            for epsilon in self.epsilons
            for one in self.contestants
        )


Run = tuple[str, str, float, int, dict[str, float]]


def run_piece(piece: Piece) -> list[Run]:
    """(stream, contestant, ε, seed, its metrics) of everybody."""
    drawn = Library(piece.folder).draw(piece.stream, piece.seed)
    runs = []
    for title, one in piece.measurements:
        values = measure(one, drawn)
        runs.append((piece.stream, title, one.epsilon, piece.seed, {name: values[name] for name in METRICS}))
    return runs


def pieces(
    streams: tuple[str, ...], epsilons: tuple[float, ...], repeats: int, warmup: float, library: Library
) -> Iterator[Piece]:
    """Seed by seed, so that what there is after a while says something about every stream."""
    everybody = (SMALL, BIG, OLH, HR) + ((warmed(SMALL, warmup), warmed(BIG, warmup)) if warmup else ())
    for seed in range(1, repeats + 1):
        for stream in streams:
            yield Piece(stream, seed, (WIDE,) if stream == LARGE else everybody, epsilons, library.folder)
