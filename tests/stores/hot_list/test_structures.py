"""The structures under a hot list against their naive twins; their bytes; and what they must not change."""

import json
from typing import get_args
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField, MalformedState
from hgldp.kernels import structures as kernels
from hgldp.model.budget import Budget
from hgldp.model.bulletins import Bulletin
from hgldp.model.domain import RangeDomain
from hgldp.model.randomness import SeededWords
from hgldp.model.rules import Structure
from hgldp.model.task import Task
from hgldp.schemes.bdr import BDR
from hgldp.schemes.registry import HOT_LISTS
from hgldp.simulation.hot_list import simulate_hot_list
from hgldp.simulation.stepwise import simulate_stepwise
from hgldp.stores.hot_list import HotList, make_rule
from hgldp.stores.hot_list.state import STRUCTURE_FRAME, state_bytes
from hgldp.wire.task import read_task
from tests.naive.hot_list import NaiveCell, NaiveHotList
from tests.naive.structures import NaiveHeavyKeeper, NaiveMisraGries, NaiveSpaceSaving

DOMAIN, CELLS, LIGHT, K = 40, 6, 4, 3
OTHERS: tuple[Structure, ...] = get_args(Structure)[1:]
TWINS: dict[str, type[NaiveHotList]] = dict(
    zip(OTHERS, (NaiveSpaceSaving, NaiveMisraGries, NaiveHeavyKeeper), strict=True)
)
STREAMS = st.lists(st.integers(0, CELLS + DOMAIN), min_size=200, max_size=500)
READING = (
    BDR(DOMAIN, CELLS, 1.5).reading(Bulletin(bytes(32), 0, DOMAIN, tuple(range(CELLS)), nominating=True)).coefficients
)


def started(structure: Structure, seed: int, warmup: list[int], *, always: bool = False) -> HotList:
    rule = make_rule(K, 50, 0.0, 1.08, always_nominating=always, structure=structure)
    return HotList.start(domain_size=DOMAIN, cells=CELLS, light_cells=LIGHT, rule=rule, seed=seed, warmup=warmup)


def twin_of(store: HotList, kind: type[NaiveHotList]) -> NaiveHotList:
    cells = [NaiveCell(int(i), int(p)) for i, p in zip(store.cells.item, store.cells.prior, strict=True)]
    words, warmup = SeededWords(int(store.cells.words[0])), int(store.cells.prior.sum())
    twin = kind(cells, LIGHT, K, store.rule.decay_base, words, warmup, store.rule.always_nominating)
    if isinstance(twin, NaiveHeavyKeeper):
        twin.salt = store.rule.salt
    return twin


def agree(store: HotList, twin: NaiveHotList) -> None:
    """Exactly, but for sums of floats."""
    assert store.items == tuple(cell.item for cell in twin.cells)
    assert store.nominating == twin.nominating
    assert store.light.votes.tolist() == [cell[1] for cell in twin.light]
    held = store.light.votes > 0
    assert store.light.item[held].tolist() == [cell[0] for cell in twin.light if cell[1]]
    np.testing.assert_allclose(store.cells.score, [cell.score for cell in twin.cells], rtol=1e-12, atol=1e-9)
    if store.cells.carried.size:
        np.testing.assert_allclose(store.cells.carried, [cell.carried for cell in twin.cells], rtol=1e-12, atol=1e-9)
    assert int(store.cells.words[0]) == twin.words.state  # type: ignore[attr-defined]


def compare(structure: Structure, kind: type[NaiveHotList], seed: int, symbols: list[int], *, warm: bool) -> None:
    store = started(structure, seed, [1, 1, 1, 2, 2, 5, 5, 5, 9, 3, 4, 4] if warm else [])
    twin = twin_of(store, kind)
    for start in range(0, len(symbols), 50):
        chunk = symbols[start : start + 50]
        store.insert(chunk)
        for symbol in chunk:
            twin.insert(symbol)
        store.seal(READING)
        twin.absorb(READING)
        twin.renew()
        agree(store, twin)


@pytest.mark.parametrize("structure", OTHERS)
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**64 - 1), warm=st.booleans(), symbols=STREAMS)
def test_kernels_equal_their_naive_twins(structure: Structure, seed: int, warm: bool, symbols: list[int]) -> None:
    compare(structure, TWINS[structure], seed, symbols, warm=warm)


class ForgetsWhatItInherits(NaiveSpaceSaving):
    """Planted: the newcomer starts from nothing."""

    def meet_full_list(self, guards: list[float], newcomer: int, votes: int) -> None:
        super().meet_full_list(guards, newcomer, votes)
        for cell in self.cells:
            cell.carried = 0.0


class ReplacesTheLargest(NaiveSpaceSaving):
    """Planted: the wrong end of the list gives way."""

    def meet_full_list(self, guards: list[float], newcomer: int, votes: int) -> None:
        place = guards.index(max(guard for guard in guards if guard < np.inf))
        self.cells[place] = NaiveCell(newcomer, carried=guards[place])
        guards[place] = np.inf


class StartsNomineesAfresh(NaiveSpaceSaving):
    """Planted: a waiting nominee that is replaced leaves nothing to its successor."""

    def meet_full_light(self, name: int, least: list[int]) -> None:
        least[:] = [name, 1]
        self.settle()


class AdmitsWithoutCancelling(NaiveMisraGries):
    """Planted: the newcomer takes a place that it has not paid for."""

    def meet_full_list(self, guards: list[float], newcomer: int, votes: int) -> None:
        place = guards.index(min(guards))
        self.cells[place] = NaiveCell(newcomer)
        guards[place] = np.inf


class WearsDownTheWeakest(NaiveHeavyKeeper):
    """Planted: it is HeavyGuardian after all."""

    def nominate(self, name: int) -> None:
        NaiveHotList.nominate(self, name)


PLANTED: list[tuple[Structure, type[NaiveHotList]]] = [
    ("space-saving", ForgetsWhatItInherits),
    ("space-saving", ReplacesTheLargest),
    ("space-saving", StartsNomineesAfresh),
    ("misra-gries", AdmitsWithoutCancelling),
    ("heavy-keeper", WearsDownTheWeakest),
]


def drawn(seed: int, count: int = 400) -> list[int]:
    words = SeededWords(seed)
    return [words.below(CELLS + DOMAIN + 1) for _ in range(count)]


@pytest.mark.parametrize(("structure", "planted"), PLANTED)
def test_a_wrong_structure_is_refused_by_the_same_comparison(structure: Structure, planted: type[NaiveHotList]) -> None:
    compare(structure, TWINS[structure], 1, drawn(1), warm=False)
    with pytest.raises(AssertionError):
        compare(structure, planted, 1, drawn(1), warm=False)


def nominated(structure: Structure, names: list[int]) -> dict[int, int]:
    """Who waits and with how many votes, after these nominations and nothing else."""
    store = started(structure, 1, [])
    store.insert([CELLS + 1 + name for name in names])
    light = store.light
    return {int(name): int(votes) for name, votes in zip(light.item, light.votes, strict=True) if votes}


NAMES = st.lists(st.integers(0, DOMAIN - 1).map(lambda name: name * name // DOMAIN), max_size=300)


@settings(deadline=None, max_examples=60)
@given(names=NAMES)
def test_votes_of_nominees_keep_the_bounds_of_their_structure(names: list[int]) -> None:
    """Nobody has fewer votes in Space-Saving than it was named, or more than N/L above; in Misra-Gries the reverse."""
    saving, gries = nominated("space-saving", names), nominated("misra-gries", names)
    for name in range(DOMAIN):
        truth = names.count(name)
        if name in saving:
            assert truth <= saving[name] <= truth + len(names) / LIGHT
        assert truth - len(names) / (LIGHT + 1) <= gries.get(name, 0) <= truth
        assert name in saving or truth <= len(names) / LIGHT
    assert sum(saving.values()) == len(names)
    assert all(votes <= names.count(name) for name, votes in nominated("heavy-keeper", names).items())


def test_the_numbers_of_the_kernels_are_the_places_of_the_names() -> None:
    order = [name.replace("-", "_").upper() for name in get_args(Structure)]
    assert [getattr(kernels, name) for name in order] == [0, 1, 2, 3]


@pytest.mark.parametrize("structure", get_args(Structure))
def test_bytes_come_back_as_the_same_store_and_are_as_many_as_stated(structure: Structure) -> None:
    store, symbols = started(structure, 5, [1, 1, 2]), drawn(7, 120)
    for start in range(0, 120, 40):
        store.insert(symbols[start : start + 40])
        store.seal(READING)
    copy = HotList.deserialize(store.serialize())
    assert len(store.serialize()) == state_bytes(CELLS, LIGHT, store.rule.structure)
    assert copy.rule == store.rule
    store.insert(symbols[:30])
    copy.reopen(store.open_epoch())
    for both in (store, copy):
        both.insert(symbols[::-1])
        both.seal(READING)
    assert copy.serialize() == store.serialize()
    assert copy.estimates(K) == store.estimates(K)


def test_the_default_has_the_bytes_that_it_had() -> None:
    """`tests/recorded` compares whole states; here, what could betray the choice."""
    plain, task = started("heavy-guardian", 1, [1, 2]), Task("dsr", Budget(1.0), RangeDomain(50), 5)
    assert plain.serialize()[:4] == b"hgL1"
    assert plain.cells.carried.size == 0
    assert "structure" not in json.loads(task.canonical)
    assert Task("dsr", Budget(1.0), RangeDomain(50), 5, structure="heavy-guardian").id == task.id


def test_another_structure_is_one_more_field_of_the_task_and_another_id() -> None:
    task = Task("dsr", Budget(1.0), RangeDomain(50), 5)
    for structure in OTHERS:
        other = Task("dsr", Budget(1.0), RangeDomain(50), 5, structure=structure)
        assert json.loads(other.canonical) == json.loads(task.canonical) | {"structure": structure}
        assert read_task(other.canonical) == other
        assert other.id != task.id


@pytest.mark.parametrize("scheme", HOT_LISTS)
def test_no_client_does_anything_else_because_of_the_structure(scheme: str) -> None:
    """The same client half, the same channel to the last fraction, the same symbols from the same words."""
    made = [Task(scheme, Budget(1.0), RangeDomain(8), 2, structure=each) for each in get_args(Structure)]
    for task in made[1:]:
        first, other = HOT_LISTS[scheme].of(made[0]), HOT_LISTS[scheme].of(task)
        assert first == other
        for nominating in (True, False):
            bulletins = [Bulletin(each.id, 0, 8, (3, 1, 4, 6), nominating) for each in (made[0], task)]
            assert first.channel(bulletins[0]) == other.channel(bulletins[1])
            words = SeededWords(3), SeededWords(3)
            for item in range(8):
                assert first.randomize(item, bulletins[0], words[0]) == other.randomize(item, bulletins[1], words[1])


@pytest.mark.parametrize("structure", ["space-saving", "misra-gries"])
def test_what_is_carried_is_in_no_number_that_is_published(structure: Structure) -> None:
    store = started(structure, 3, [])
    for start in range(0, 400, 50):
        store.insert(drawn(3)[start : start + 50])
        store.seal(READING)
    before = store.estimates(CELLS)
    assert store.cells.carried.any()
    store.cells.carried[:] = 1e6
    assert store.estimates(CELLS) == before


@pytest.mark.parametrize("scheme", ["bgr", "bdr"])
@pytest.mark.parametrize("structure", OTHERS)
def test_the_fused_kernel_equals_the_step_by_step_objects(scheme: str, structure: Structure) -> None:
    task = Task(scheme, Budget(3.0), RangeDomain(30), 3, cells=6, epoch=40, structure=structure)
    words = SeededWords(4)
    stream = np.array([min(words.below(30), words.below(30)) for _ in range(700)], np.int32)
    fused, stepwise = simulate_hot_list(task, stream, 20, 1), simulate_stepwise(task, stream, 20, 1)
    assert fused.estimates == tuple(stepwise.estimates)
    assert fused.state_bytes == stepwise.state_bytes


@pytest.mark.parametrize(
    ("structure", "place", "value"),
    [("misra-gries", -9, 9), ("misra-gries", -9, 0), ("space-saving", -8, 1), ("heavy-keeper", -1, 255)],
)
def test_a_state_of_an_unknown_structure_is_refused(structure: Structure, place: int, value: int) -> None:
    """The last nine bytes of the header are the structure and the salt."""
    broken = bytearray(started(structure, 1, []).serialize()[:-4])
    broken[STRUCTURE_FRAME.header.size + place] = value
    with pytest.raises(MalformedState, match="structure that is known"):
        HotList.deserialize(bytes(broken) + crc32(broken).to_bytes(4, "little"))


def test_a_state_that_carries_what_is_no_number_is_refused() -> None:
    store = started("space-saving", 1, [])
    store.cells.carried[0] = np.nan
    with pytest.raises(MalformedState):
        HotList.deserialize(store.serialize())


def test_an_unknown_structure_is_refused_by_name() -> None:
    with pytest.raises(InvalidField, match=r"structure must be one of heavy-guardian, .* did you mean space-saving\?"):
        Task("dsr", Budget(1.0), RangeDomain(50), 5, structure="space-savings")
    with pytest.raises(InvalidField, match="structure works with bgr, dsr, bdr, cnr only"):
        Task("pfr", Budget(1.0), RangeDomain(500), 5, structure="space-saving")
    with pytest.raises(InvalidField, match="structure must be one of"):
        make_rule(1, 10, 0.0, 1.08, always_nominating=False, structure="count-min")  # type: ignore[arg-type]
