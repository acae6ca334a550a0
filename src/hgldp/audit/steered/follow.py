"""The exact law of a client: follow each of its draws over the whole range, piece by piece, and each draw after it."""

from bisect import bisect_right
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Generic, TypeVar

from hgldp.audit.steered.answers import CONTINUATIONS, OTHER_ENTROPY, Answers
from hgldp.audit.steered.pieces import NOT_SIMPLE, NotFollowed, starts_of_pieces
from hgldp.audit.subjects.base import ClientFailed
from hgldp.model.randomness import WORD_BITS, Words

Outcome = TypeVar("Outcome", bound=Hashable)
Law = dict[Outcome, Fraction]
Run = Callable[[Words], Outcome]
Look = tuple[tuple[tuple[int, ...], Outcome], ...]
"""The bounds and the outcome of one run, or of several that go on differently."""
GRIDS = (16, 256, 4_096)
CHECKS = 10_000


@dataclass
class Runs:
    """How many runs were made, and how many may be."""

    most: int
    made: int = 0
    checked: int = 0

    def make(self, run: Run[Outcome], words: Words) -> Outcome:
        """One run of the client."""
        if self.made >= self.most:
            raise NotFollowed(
                f"the client's draws cannot be followed with the {self.most:,} runs that are left: "
                "allow more, or audit it without steering"
            )
        self.made += 1
        return run(words)


@dataclass(frozen=True)
class Fork(Generic[Outcome]):
    """A draw below a bound: where its pieces start, and what follows on each of them, a fork or an outcome."""

    bound: int
    starts: list[int]
    branches: list["Tree[Outcome]"]


@dataclass(frozen=True)
class End(Generic[Outcome]):
    """Nothing more is drawn."""

    outcome: Outcome


Tree = Fork[Outcome] | End[Outcome]


def exact_law(run: Run[Outcome], runs: Runs, *, checks: int = CHECKS) -> Law[Outcome]:
    """Pr[outcome] of a client that draws only from the words it is given.

    What was found must predict `checks` runs with random integers. If it does not, the audit looks again more closely;
    it gives up after the third time.

    >>> law = exact_law(lambda words: words.below(6000) < 1000, Runs(100_000))
    >>> law[True], law[False]
    (Fraction(1, 6), Fraction(5, 6))
    """
    for grid in GRIDS:
        tree = _Follower(run, runs, grid).follow(())
        if _fits(tree, run, runs, checks):
            law: Law[Outcome] = {}
            _add(law, tree, Fraction(1))
            return law
    raise NotFollowed(NOT_SIMPLE)


@dataclass(frozen=True)
class _Follower(Generic[Outcome]):
    run: Run[Outcome]
    runs: Runs
    grid: int

    def follow(self, prefix: tuple[int, ...], known: Look[Outcome] | None = None) -> Tree[Outcome]:
        """What can happen after these integers. A client that was seen here before must do the same again."""
        seen = self._look(prefix)
        if seen != (known or self._look(prefix)):
            raise ClientFailed(OTHER_ENTROPY)
        bounds, outcome = seen[0]
        if not bounds:
            return End(outcome)
        looks: dict[int, Look[Outcome]] = {}

        def look(draw: int) -> Look[Outcome]:
            looks[draw] = self._look((*prefix, draw))
            return looks[draw]

        starts = starts_of_pieces(look, bounds[0], self.grid)
        return Fork(bounds[0], starts, [self.follow((*prefix, start), looks.get(start)) for start in starts])

    def _look(self, prefix: tuple[int, ...]) -> Look[Outcome]:
        """The outcome, or, if more is drawn, bounds and outcomes of some ways to go on: equal ones are one piece."""
        first = self._once(prefix, 0)
        others = range(1, CONTINUATIONS) if first[0] else ()
        return first, *(self._once(prefix, continuation) for continuation in others)

    def _once(self, prefix: tuple[int, ...], continuation: int) -> tuple[tuple[int, ...], Outcome]:
        words = Answers(prefix, continuation)
        outcome = self.runs.make(self.run, words)
        if len(words.bounds) < len(prefix):
            raise ClientFailed(OTHER_ENTROPY)
        return tuple(words.bounds[len(prefix) :]), outcome


@dataclass
class _Predicted(Words, Generic[Outcome]):
    """Random integers, and the place in the tree to which they lead."""

    place: Tree[Outcome] | None
    random: Random
    drawn: list[int] = field(default_factory=list)

    def below(self, bound: int) -> int:
        """A random integer; the place is lost where the tree expects another bound."""
        if bound == 1:
            return 0
        draw = self.random.randrange(bound)
        self.drawn.append(draw)
        fork = self.place if isinstance(self.place, Fork) and self.place.bound == bound else None
        self.place = fork.branches[bisect_right(fork.starts, draw) - 1] if fork else None
        return draw

    def word(self) -> int:
        """Below 2^64."""
        return self.below(1 << WORD_BITS)


def _fits(tree: Tree[Outcome], run: Run[Outcome], runs: Runs, checks: int) -> bool:
    """Whether the tree predicts what random integers lead to."""
    random = Random(runs.made)  # noqa: S311 - a check, not a secret
    for _ in range(checks):
        words = _Predicted(tree, random)
        outcome = runs.make(run, words)
        if not isinstance(words.place, End) or words.place.outcome != outcome:
            if runs.make(run, Answers(words.drawn)) != outcome:
                raise ClientFailed(OTHER_ENTROPY)
            return False
        runs.checked += 1
    return True


def _add(law: Law[Outcome], tree: Tree[Outcome], chance: Fraction) -> None:
    if isinstance(tree, End):
        law[tree.outcome] = law.get(tree.outcome, Fraction(0)) + chance
        return
    for (start, end), branch in zip(pairwise([*tree.starts, tree.bound]), tree.branches, strict=True):
        _add(law, branch, chance * Fraction(end - start, tree.bound))
