"""Servers under attack: honest reports in bulk, and the forged ones that serve a target best at this moment."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hgldp.experiments.measuring.over_time import UntilFull
from hgldp.kernels import streams
from hgldp.kernels.clients import blank_board, post
from hgldp.model.bulletins import Bulletin
from hgldp.model.estimate import Estimate
from hgldp.model.frontier_size import default_memory
from hgldp.model.randomness import derive_seed
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.simulation.hot_list import CLIENTS, SERVER, fused, readings
from hgldp.simulation.run import Plan
from hgldp.stores.hot_list import HotList
from hgldp.tracker.hot_list import hot_list_scheme

NOTHING = np.zeros(0, np.int32)
Items = NDArray[np.int32]


class Victim(Protocol):
    """A server, its honest clients, and what an attacker can do to it."""

    worth: float
    """What the scheme states: so many honest reports a forged one adds at most to a published count."""

    counts_untracked: bool
    """Whether reports about an item that is not tracked count for it."""

    @property
    def room(self) -> int:
        """How many reports the open epoch still takes."""

    def honest(self, items: Items) -> None:
        """Reports of honest clients."""

    def tracks(self, target: int) -> bool:
        """Whether reports can count for the target itself now."""

    def forge(self, target: int, reports: int) -> int:
        """Send so many reports that serve the target; how many could be sent."""

    def answer(self, k: int) -> tuple[Estimate, ...]:
        """What is published."""


class HotListVictim:
    """bgr, dsr, bdr and cnr. Names where they are asked for, hits as soon as the target has a cell."""

    counts_untracked = False

    def __init__(self, scheme: str, epsilon: float, k: int, domain_size: int, seed: int) -> None:
        task = Plan(scheme, epsilon, k).task(domain_size, NOTHING)
        self.scheme = hot_list_scheme(task)
        always = self.scheme.always_nominating
        self.store = HotList.of(task, always_nominating=always, seed=derive_seed(seed, SERVER))
        self.readings = readings(self.scheme)
        self.run, self.weights = fused(self.scheme)
        self.board = blank_board(self.scheme.cells, domain_size)
        self.words = np.array([derive_seed(seed, CLIENTS)], np.uint64)
        post(self.board, self.store.cells.item)
        self.worth = self.scheme.worth_of_forgery(self.bulletin)

    @property
    def bulletin(self) -> Bulletin:
        """What all can see."""
        return Bulletin(bytes(32), self.store.epoch, self.store.domain_size, self.store.items, self.store.nominating)

    @property
    def room(self) -> int:
        """How many reports the open epoch still takes."""
        return self.store.epoch_room

    def honest(self, items: Items) -> None:
        """Draw and count in the fused kernel, which seals full epochs."""
        store = self.store
        server = streams.Server(store.cells, store.light, store.rule, self.readings, store.decay)
        self.run(server, self.board, self.words, self.weights, items)

    def tracks(self, target: int) -> bool:
        """Whether it is on the hot list."""
        return target in self.store.items

    def forge(self, target: int, reports: int) -> int:
        """Hits if it is on the list, else names if anybody asks for names."""
        store, cells = self.store, self.scheme.cells
        if self.tracks(target):
            symbol = store.items.index(target)
        elif store.nominating:
            symbol = cells + 1 + target
        else:
            return 0
        sent = min(reports, store.epoch_room)
        store.insert(np.full(sent, symbol))
        if store.epoch_is_full:
            store.seal(self.readings[int(store.nominating)])
            post(self.board, store.cells.item)
        return sent

    def answer(self, k: int) -> tuple[Estimate, ...]:
        """With the open epoch."""
        return self.scheme.respond(self.store.absorbed(self.readings[int(self.store.nominating)]), k)


class FrontierVictim:
    """pfr: residues that support the cell in which the target lies."""

    counts_untracked = True

    def __init__(self, scheme: str, epsilon: float, k: int, domain_size: int, seed: int) -> None:
        self.scheme = Plan(scheme, epsilon, k).frontier(domain_size)
        memory = default_memory(self.scheme.cells)
        self.store = UntilFull(self.scheme, memory=memory, seed=derive_seed(seed, SERVER))
        self.seed, self.parts, self.liar = seed, 0, np.random.default_rng([seed, 5])
        self.worth = 0.0
        self._state_worth()

    def _state_worth(self) -> None:
        """The worst of all bulletins so far."""
        self.worth = max(self.worth, self.scheme.worth_of_forgery(self.store.bulletin))

    @property
    def room(self) -> int:
        """How many reports the open epoch still takes."""
        return max(0, self.store.epoch_length - self.store.in_epoch)

    def honest(self, items: Items) -> None:
        """Draw and count; a full epoch is sealed."""
        self.parts += 1
        follow(self.scheme, self.store, items, derive_seed(self.seed, self.parts + 10))
        self._state_worth()

    def tracks(self, target: int) -> bool:
        """Whether it has a cell of its own."""
        return target in self.store.bulletin.leaves

    def forge(self, target: int, reports: int) -> int:
        """Any of the residues that count for the target's cell."""
        mechanism = self.scheme.mechanism_over(self.store.bulletin.cells)
        cell, sent = self.store.bulletin.symbol(target), min(reports, self.room)
        useful = [each for each in range(mechanism.modulus) if mechanism.support(each, cell)]
        self.store.insert(self.liar.choice(useful, sent).astype(np.int64))
        self.store.seal()
        self._state_worth()
        return sent

    def answer(self, k: int) -> tuple[Estimate, ...]:
        """With the open epoch."""
        return self.store.absorbed().estimates(k)


def victim_of(scheme: str, epsilon: float, k: int, domain_size: int, seed: int) -> Victim:
    """A cold server of the scheme."""
    kind = FrontierVictim if scheme == PFR.name else HotListVictim
    return kind(scheme, epsilon, k, domain_size, seed)
