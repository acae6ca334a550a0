"""Many audits: of all that is planted, of every real scheme, and of real schemes that spend more than they claim."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from benchmarks.audit.fast import FastClients
from benchmarks.audit.planted import STEERED, Planted, every_planted, honest_client
from hgldp.audit import (
    AuditResult,
    OwnClient,
    SteeredResult,
    audit,
    expected_ratios,
    made_bulletins,
    pairs_of,
    steered_audit,
)
from hgldp.model.bulletins import AnyBulletin, Bulletin
from hgldp.model.randomness import SeededWords, derive_seed
from hgldp.model.task import Task

ERROR = 1e-3
DRAWS, UPLOADED, RUNS = 1_000_000, 4_000, 100
FAST, WHOLE, OVER = "fast", "whole", "over"
SPENT, CLAIMED = 1.1, 1.0
HOT_LISTS = ("bgr", "dsr", "bdr", "cnr")
PRINTED = ("bdr", "cnr")


def every_task(epsilon: float, *, small: bool = False, items: int = 1_000) -> dict[str, Task]:
    """One task a scheme, pfr with and without a list. Small ones need fewer draws to show an excess."""
    size, k, cells = (8, 2, 3) if small else (items, 10, 20)
    found = {name: Task(name, epsilon=epsilon, domain=range(size), k=k, cells=cells) for name in HOT_LISTS}
    found["pfr listed"] = Task("pfr", epsilon=epsilon, domain=range(items), k=10)
    return found | {"pfr strings": Task("pfr", epsilon=epsilon, domain=64, k=10)}


def every_case(epsilon: float, *, small: bool = False) -> Iterator[tuple[str, Task, AnyBulletin]]:
    """Each task with each kind of bulletin."""
    return _with_bulletins(every_task(epsilon, small=small))


def _with_bulletins(tasks: dict[str, Task]) -> Iterator[tuple[str, Task, AnyBulletin]]:
    for name, task in tasks.items():
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


def steered_pieces(draws: int) -> list[Piece]:
    """Every case once, and the printed splits: there is no seed that could make a difference."""
    return [Piece(STEERED, name, 1, draws) for name in steered_cases()]


def steered_cases(items: int = 1_000) -> dict[str, tuple[Task, AnyBulletin]]:
    """Every task with every kind of bulletin, those of `bdr` and `cnr` also as the paper prints them."""
    tasks = every_task(CLAIMED, items=items)
    for name in PRINTED:
        tasks[f"{name} as printed"] = Task(name, epsilon=CLAIMED, domain=range(items), k=10, cells=20, tight=False)
    return {name: (task, bulletin) for name, task, bulletin in _with_bulletins(tasks)}


def audit_steered(piece: Piece) -> SteeredResult:
    """An honest client of a real scheme, with every draw chosen by the audit."""
    task, bulletin = steered_cases()[piece.name]
    pairs = pairs_of(task, bulletin, outside=task.domain.size is None)
    return steered_audit(OwnClient(task, bulletin), pairs, task.budget.per_report, draws=piece.draws)


def planted_pieces(draws: int) -> list[Piece]:
    """Everything that is planted, and the honest client beside it."""
    return [Piece("planted", each.name, 1, draws) for each in planted(1).values()]


def planted(seed: int) -> dict[str, Planted]:
    """By name."""
    return {each.name: each for each in (*every_planted(seed), honest_client(seed))}


def audit_planted(piece: Piece) -> AuditResult | SteeredResult:
    """One planted mistake."""
    found = planted(piece.seed)[piece.name]
    if found.how == STEERED:
        return steered_audit(found.subject, found.pairs, found.claim, draws=piece.draws)
    return audit(found.subject, found.pairs, found.claim, draws=piece.draws, error=ERROR, seed=piece.seed)
