"""The slow obvious twins of the other structures under a hot list: what a nominee does when it meets a full list."""

from abc import ABC, abstractmethod
from math import inf

from hgldp.model.randomness import GOLDEN, WORD_MASK, mix
from tests.naive.hot_list import NaiveCell, NaiveHotList


class NaiveLeastFirst(NaiveHotList, ABC):
    """Space-Saving and Misra-Gries: nominees meet the list, the most nominated first."""

    all_at_once = True

    def guard(self, cell: NaiveCell) -> float:
        covered = cell.seen + (self.warmup if cell.prior else 0)
        return self.standing(cell)[0] * covered + cell.carried if covered else inf

    def renew(self) -> None:
        guards = [self.guard(cell) for cell in self.cells]
        for _ in range(self.light_cells if self.all_at_once else 1):
            newcomer, votes = self.take_best() if min(guards) < inf else (None, 0)
            if newcomer is None:
                break
            self.meet_full_list(guards, newcomer, votes)
        self.nominating = self.always_nominating or not any(cell[1] for cell in self.light)

    @abstractmethod
    def meet_full_list(self, guards: list[float], newcomer: int, votes: int) -> None:
        """What a nominee and its votes do to a full list."""


class NaiveSpaceSaving(NaiveLeastFirst):
    """The newcomer takes the place of the least and inherits its count."""

    all_at_once = False

    def meet_full_light(self, name: int, least: list[int]) -> None:
        least[:] = [name, least[1] + 1]
        self.settle()

    def meet_full_list(self, guards: list[float], newcomer: int, votes: int) -> None:
        place = guards.index(min(guards))
        self.cells[place] = NaiveCell(newcomer, carried=guards[place])
        guards[place] = inf


class NaiveMisraGries(NaiveLeastFirst):
    """The newcomer and the same of everybody cancel out; who has nothing left gives way."""

    def meet_full_light(self, name: int, least: list[int]) -> None:
        for cell in self.light:
            cell[1] -= 1
        self.settle()

    def meet_full_list(self, guards: list[float], newcomer: int, votes: int) -> None:
        place = guards.index(min(guards))
        taken = min(votes, max(guards[place], 0.0))
        for each, cell in enumerate(self.cells):
            guards[each] -= taken
            cell.carried -= taken
        if guards[place] <= 0:
            self.cells[place] = NaiveCell(newcomer, carried=votes - taken)
            guards[place] = inf


class NaiveHeavyKeeper(NaiveHotList):
    """A nominee has two places among those that wait, and wears down the smaller count that it finds there."""

    salt = 0

    def places(self, name: int) -> list[int]:
        words = [mix((name * GOLDEN + self.salt + row) & WORD_MASK) for row in (1, 2)]
        return [(word * self.light_cells) >> 64 for word in words]

    def nominate(self, name: int) -> None:
        found = [self.light[place] for place in self.places(name)]
        for cell in found:
            if cell[0] == name and cell[1] > 0:
                cell[1] += 1
                return
        weaker = min(found, key=lambda cell: cell[1])
        if weaker[1] > 0 and self.words.word() < int(2**64 * self.decay_base ** -weaker[1]):
            weaker[1] -= 1
        if weaker[1] == 0:
            weaker[:] = [name, 1]
