"""Many audits: of all that is planted, of every real scheme, and of real schemes that spend more than they claim."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from benchmarks.audit.fast import FastClients
from benchmarks.audit.planted import Planted, every_planted, honest_client
from hgldp.audit import AuditResult, OwnClient, audit, expected_ratios, made_bulletins, pairs_of
from hgldp.model.bulletins import AnyBulletin, Bulletin
from hgldp.model.randomness import SeededWords, derive_seed
from hgldp.model.task import Task

ERROR = 1e-3
DRAWS, UPLOADED, RUNS = 1_000_000, 4_000, 100
FAST, WHOLE, OVER = "fast", "whole", "over"
SPENT, CLAIMED = 1.1, 1.0
HOT_LISTS = ("bgr", "dsr", "bdr", "cnr")


def every_task(epsilon: float, *, small: bool = False) -> dict[str, Task]:
    """One task a scheme, pfr with and without a list. Small ones need fewer draws to show an excess."""
    size, k, cells = (8, 2, 3) if small else (1_000, 10, 20)
    found = {name: Task(name, epsilon=epsilon, domain=range(size), k=k, cells=cells) for name in HOT_LISTS}
    found["pfr listed"] = Task("pfr", epsilon=epsilon, domain=range(1_000), k=10)
    return found | {"pfr strings": Task("pfr", epsilon=epsilon, domain=64, k=10)}


def every_case(epsilon: float, *, small: bool = False) -> Iterator[tuple[str, Task, AnyBulletin]]:
    """Each task with each kind of bulletin."""
    for name, task in every_task(epsilon, small=small).items():
        bulletins = made_bulletins(task)
        for bulletin in bulletins:
            naming = isinstance(bulletin, Bulletin) and bulletin.nominating
            yield f"{name}, {'naming' if naming else 'quiet'}" if len(bulletins) > 1 else name, task, bulletin


@dataclass(frozen=True)
class Piece:
    """One audit."""

    kind: str
    name: str
    seed: int
    draws: int


def real_pieces(kind: str, runs: int, draws: int) -> list[Piece]:
    """Every case with every seed."""
    names = [name for name, _, _ in every_case(CLAIMED)]
    return [Piece(kind, name, seed, draws) for seed, name in product(range(1, runs + 1), names)]


def audit_real(piece: Piece) -> AuditResult:
    """A real scheme with items of its domain; strings that are too long have a symbol, so they are compared too."""
    over = piece.kind == OVER
    cases = {name: (task, shown) for name, task, shown in every_case(SPENT if over else CLAIMED, small=over)}
    task, bulletin = cases[piece.name]
    seed = derive_seed(piece.seed, *piece.name.encode())
    pairs = pairs_of(task, bulletin, outside=task.domain.size is None and not over)
    whole = piece.kind == WHOLE
    subject = OwnClient(task, bulletin, SeededWords(seed)) if whole else FastClients(task, bulletin, seed)
    known = expected_ratios(task, bulletin)
    return audit(subject, pairs, CLAIMED, draws=piece.draws, error=ERROR, seed=piece.seed, expected=known)


def planted_pieces(draws: int) -> list[Piece]:
    """Everything that is planted, and the honest client beside it."""
    return [Piece("planted", each.name, 1, draws) for each in planted(1).values()]


def planted(seed: int) -> dict[str, Planted]:
    """By name."""
    return {each.name: each for each in (*every_planted(seed), honest_client(seed))}


def audit_planted(piece: Piece) -> AuditResult:
    """One planted mistake."""
    found = planted(piece.seed)[piece.name]
    return audit(found.subject, found.pairs, found.claim, draws=piece.draws, error=ERROR, seed=piece.seed)
