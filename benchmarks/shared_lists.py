"""How good hot lists are on a shared store: the sealer decides in which order reports count, and bulletins come later.

The same streams go to one collector with a folder, and to one, two and four collectors on one PostgreSQL. Everybody
sends to a collector drawn by lot, and answers the bulletin that it shows. The collectors are stepped by hand, each in
half of the rounds: more often late than real ones are.
"""

import argparse
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np
import psycopg

from benchmarks.processes import spread
from hgldp.cli.terminal import legend, open_table, page, show
from hgldp.collector.collector import Collector
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.randomness import SeededWords, derive_seed
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.simulation.metrics import exact_top
from hgldp.wire.upload import Upload
from tests.collector.fakes import FakeClock, create, now
from tests.postgres import running

SCHEMES, TEAMS = ("bgr", "dsr", "bdr", "cnr"), (0, 1, 2, 4)
EPSILON, K, ITEMS, SKEW = 2.0, 10, 100, 1.0
UPLOAD_REPORTS, UPLOADS_A_ROUND = 16, 8
COLLECTORS, CLIENTS = range(2)


@dataclass(frozen=True)
class Piece:
    """One stream to one team; a team of 0 is the collector with a folder. `server` is the address of PostgreSQL."""

    scheme: str
    team: int
    seed: int
    reports: int
    server: str

    @property
    def database(self) -> str:
        return f"{self.scheme}_{self.team}_{self.seed}"


@dataclass(frozen=True)
class Found:
    """The share of the true top that was found, and of the reports that answered an older bulletin."""

    found: float
    late: float


def follow(piece: Piece) -> Found:
    """A whole stream."""
    with _collectors(piece) as team:
        return _send(team, piece)


@contextmanager
def _collectors(piece: Piece) -> Iterator[list[Collector]]:
    """By hand, in a folder or a database that is gone afterwards."""
    clock, entropy = FakeClock(), partial(_bytes, random.Random(derive_seed(piece.seed, COLLECTORS)))
    if not piece.team:
        with tempfile.TemporaryDirectory() as folder:
            alone = Collector.open(Path(folder), clock=clock, entropy=entropy, threaded=False)
            yield [alone]
            alone.close()
        return
    with psycopg.connect(f"{piece.server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {piece.database}".encode())
    join = partial(Collector.join, clock=clock, entropy=entropy, threaded=False)
    team = [join(f"{piece.server}/{piece.database}") for _ in range(piece.team)]
    yield team
    for each in team:
        each.close()
    with psycopg.connect(f"{piece.server}/postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {piece.database}".encode())


def _bytes(draw: random.Random, count: int) -> bytes:
    return draw.randbytes(count)


def _send(team: list[Collector], piece: Piece) -> Found:
    draw, words = random.Random(piece.seed), SeededWords(derive_seed(piece.seed, CLIENTS))
    rng = np.random.default_rng(piece.seed)
    shares = 1 / np.arange(1, ITEMS + 1) ** SKEW
    items = rng.permutation(ITEMS)[rng.choice(ITEMS, piece.reports, p=shares / shares.sum())].tolist()
    task = Task(piece.scheme, Budget(EPSILON), RangeDomain(ITEMS), k=K)
    team[0].step()
    view = create(team[0], task)[0]
    for each in team:
        each.step()
    scheme, late, sent = scheme_of(task), 0, 0
    for begin in range(0, len(items), UPLOAD_REPORTS * UPLOADS_A_ROUND):
        offered = []
        for start in range(begin, min(begin + UPLOAD_REPORTS * UPLOADS_A_ROUND, len(items)), UPLOAD_REPORTS):
            collector = draw.choice(team)
            shown = now(collector, view)
            answers = [scheme.randomize(item, shown.bulletin, words) for item in items[start : start + UPLOAD_REPORTS]]
            version, limit = bytes.fromhex(shown.bulletin.version), scheme.symbol_limit(shown.bulletin)
            body = Upload.of(draw.randbytes(16), version, answers, limit).encode()
            offered.append((shown.epoch, len(answers), collector.offer(shown, body)))
        for each in draw.sample(team, len(team)):
            if draw.random() < 0.5:
                each.step()
        newest = max(now(each, view).epoch for each in team)
        late += sum(count for epoch, count, _ in offered if epoch < newest)
        sent += sum(count for _, count, _ in offered)
    for each in team * 4:
        each.step()
    last = now(team[0], view)
    if last.reports != sent:
        raise ValueError(f"{sent:,} reports were sent, and {last.reports:,} were counted")
    truth = np.bincount(items, minlength=ITEMS)
    answered = {line.item for line in team[0].top(view.id, K).top}
    return Found(len(answered & set(exact_top(truth, K))) / K, late / sent)


def mean(values: list[float]) -> str:
    """With its standard error."""
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1) / sqrt(len(values)):.3f}"


LEGEND = (
    ("found", f"the share of the true top {K} that was found at the end: mean and standard error"),
    ("beside the folder", "the difference to the folder with the same streams: mean and standard error"),
    ("late", "the share of reports that answered a bulletin while a newer one was out"),
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=50_000)
    parser.add_argument("--seeds", type=int, default=20)
    typed = parser.parse_args()
    seeds = range(1, typed.seeds + 1)
    found: dict[tuple[str, int, int], Found] = {}
    with running(max_connections="200") as postgres:
        server = postgres.url().removesuffix("/postgres")
        pieces = [Piece(*each, typed.reports, server) for each in product(SCHEMES, TEAMS, seeds)]
        for piece, one in spread(follow, pieces, 2, "Hot lists on a shared store"):
            found[piece.scheme, piece.team, piece.seed] = one
    table = open_table()
    for heading in ("scheme", "collectors", "found", "beside the folder", "late"):
        table.add_column(heading, justify="left" if heading == "scheme" else "right", no_wrap=True)
    for scheme, team in product(SCHEMES, TEAMS):
        runs = [found[scheme, team, seed] for seed in seeds]
        apart = [one.found - found[scheme, 0, seed].found for one, seed in zip(runs, seeds, strict=True)]
        late = f"{np.mean([one.late for one in runs]):.1%}"
        where = f"{team} on PostgreSQL" if team else "one with a folder"
        table.add_row(scheme, where, mean([one.found for one in runs]), mean(apart) if team else "", late)
    title = f"{typed.seeds} streams of {typed.reports:,} reports, {ITEMS:,} items, Zipf {SKEW}, ε = {EPSILON:g}"
    show(page(title, table, legend(LEGEND)))


if __name__ == "__main__":
    main()
