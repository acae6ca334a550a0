"""The hot list: what the server of BGR, DSR, BDR and CNR keeps, and what it publishes from it."""

import sys
from collections.abc import Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.kernels import hot_list as kernels
from hgldp.kernels.decay import decay_thresholds
from hgldp.kernels.hot_list import Cells, Rule
from hgldp.kernels.index import blank_index, fill, read_names
from hgldp.kernels.light import Light, count_symbols, empty_light
from hgldp.kernels.structures import HEAVY_KEEPER
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import WORD_MASK, SeededWords, derive_seed
from hgldp.model.reports import Tally
from hgldp.model.rules import HotListRules, Structure
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.stores.hot_list.answer import publish
from hgldp.stores.hot_list.state import pack, pack_open, unpack, unpack_open
from hgldp.stores.integers import Frequent, Integers, most_frequent, whole_numbers

MAX_LIGHT_CELLS = (1 << 16) - 1
STRUCTURES: tuple[Structure, ...] = get_args(Structure)
SALT = 1
COLD = Frequent(np.zeros(0, np.int64), np.zeros(0, np.int64), total=0, others=0)


def make_rule(
    k: int,
    first_epoch: int,
    growth: float,
    decay_base: float,
    *,
    always_nominating: bool,
    structure: Structure = "heavy-guardian",
) -> Rule:
    """When an epoch ends and who stays, validated."""
    check_whole("k", k, 1)
    check_whole("epoch", first_epoch, 1)
    if not 0 <= growth < 1:
        raise InvalidField("growth", "must lie in [0, 1)", growth)
    if not 1 < decay_base <= 4:
        raise InvalidField("decay_base", "must lie in (1, 4]", decay_base)
    if structure not in STRUCTURES:
        raise InvalidField("structure", f"must be one of {', '.join(STRUCTURES)}", structure)
    kind = STRUCTURES.index(structure)
    return Rule(k, first_epoch, float(growth), float(decay_base), bool(always_nominating), kind)


def _coefficients(reading: Sequence[float]) -> NDArray[np.float64]:
    found = np.array(reading, np.float64)
    if found.shape != (kernels.COEFFICIENTS,):
        raise InvalidField("reading", f"must be {kernels.COEFFICIENTS} coefficients", found.shape)
    return found


def _filled(chosen: list[int], cells: int, domain_size: int, words: SeededWords) -> list[int]:
    """The chosen items and random others, without repeats."""
    taken = set(chosen)
    if 2 * cells > domain_size:
        rest = [item for item in range(domain_size) if item not in taken]
        return chosen + [rest.pop(words.below(len(rest))) for _ in range(cells - len(chosen))]
    while len(taken) < cells:
        item = words.below(domain_size)
        if item not in taken:
            taken.add(item)
            chosen.append(item)
    return chosen


class HotList:
    """Cells that count since their item was admitted, a light part of nominees, and the rule for replacing an item.

    >>> rule, warmup = make_rule(2, 1000, 0.0025, 1.08, always_nominating=False), [7, 7, 7, 8, 8, 9]
    >>> store = HotList.start(domain_size=100, cells=3, light_cells=2, rule=rule, seed=1, warmup=warmup)
    >>> store.items, [round(line.count) for line in store.estimates(2)]
    ((7, 8, 9), [3, 2])
    """

    def __init__(self, cells: Cells, light: Light, rule: Rule, domain_size: int) -> None:
        self.cells = cells
        self.light = light
        self.rule = rule
        self.domain_size = domain_size
        self.decay = decay_thresholds(rule.decay_base)
        self._leverage = 0.0

    @classmethod
    def of(cls, task: Task, *, always_nominating: bool, seed: int, warmup: Integers | None = None) -> "HotList":
        """The store that a task asks for."""
        rules = task.rules_as(HotListRules)
        given = (task.k, rules.epoch, rules.growth, rules.decay_base)
        rule = make_rule(*given, always_nominating=always_nominating, structure=rules.structure)
        size, cells, light = task.domain_size, rules.cells, rules.light_cells
        return cls.start(domain_size=size, cells=cells, light_cells=light, rule=rule, seed=seed, warmup=warmup)

    @classmethod
    def start(
        cls,
        *,
        domain_size: int,
        cells: int,
        light_cells: int,
        rule: Rule,
        seed: int,
        warmup: Integers | None = None,
    ) -> "HotList":
        """Count a warm-up exactly and keep its most frequent items; fill the other cells with random items."""
        check_whole("cells", cells, rule.k, domain_size)
        check_whole("light_cells", light_cells, 0, MAX_LIGHT_CELLS)
        check_whole("seed", seed, 0, WORD_MASK)
        if rule.structure == HEAVY_KEEPER:
            rule = rule._replace(salt=derive_seed(seed, SALT) >> 1)
        store = cls(kernels.empty_cells(cells, seed, rule.structure), empty_light(light_cells), rule, domain_size)
        warm = COLD if warmup is None else most_frequent("warmup", warmup, cells, domain_size)
        words = SeededWords(seed)
        chosen = _filled(warm.items.tolist(), cells, domain_size, words)
        store.cells.words[0] = words.state
        store.cells.item[:] = chosen
        store.cells.prior[: warm.items.size] = warm.counts
        counter = store.cells.counter
        counter[kernels.WARMUP] = warm.total
        counter[kernels.EPOCH_LENGTH] = rule.first_epoch
        counter[kernels.NOMINATING] = rule.always_nominating
        return store

    @property
    def items(self) -> tuple[int, ...]:
        """The hot list, slot by slot."""
        return tuple(self.cells.item.tolist())

    @property
    def nominating(self) -> bool:
        """Whether clients should name cold items in the next epoch."""
        return bool(self.cells.counter[kernels.NOMINATING])

    @property
    def epoch(self) -> int:
        """How many epochs have been sealed."""
        return int(self.cells.counter[kernels.EPOCH])

    @property
    def reports(self) -> int:
        """How many reports have been counted, the open epoch's among them."""
        return int(self.cells.counter[kernels.REPORTS] + self.cells.counter[kernels.IN_EPOCH])

    @property
    def named_reports(self) -> int:
        """How many of the sealed reports answered a nominating bulletin."""
        return int(self.cells.counter[kernels.NAMED])

    @property
    def resident_bytes(self) -> int:
        """What the store holds in memory, array headers included; the decay table is shared by all stores."""
        without = 0 if self.cells.carried.size else sys.getsizeof(self.cells.carried)
        return sum(sys.getsizeof(array) for array in (*self.cells, *self.light)) - without

    @property
    def epoch_is_full(self) -> bool:
        """Whether it is time to seal."""
        return bool(self.cells.counter[kernels.IN_EPOCH] >= self.cells.counter[kernels.EPOCH_LENGTH])

    @property
    def epoch_room(self) -> int:
        """How many reports the open epoch still takes."""
        return max(0, int(self.cells.counter[kernels.EPOCH_LENGTH] - self.cells.counter[kernels.IN_EPOCH]))

    def hit(self, slot: int) -> None:
        """Count a report on a hot slot."""
        self.insert([slot])

    def miss(self) -> None:
        """Count a report that names nothing."""
        self.insert([self.cells.item.size])

    def nominate(self, item: int) -> None:
        """Count a report that names a cold item."""
        self.insert([self.cells.item.size + 1 + item])

    def insert(self, symbols: Integers) -> None:
        """Count many symbols in order of arrival."""
        arrived = whole_numbers("symbols", symbols)
        if arrived.size and arrived.max() > self.cells.item.size + self.domain_size:
            limit = self.cells.item.size + self.domain_size
            raise InvalidField("symbols", f"must lie in 0 … {limit}", int(arrived.max()))
        self.insert_checked(arrived.astype(np.int64, copy=False))

    def insert_checked(self, arrived: NDArray[np.int64]) -> None:
        """The same for symbols that were read by a `HotIndex`, and so are legal."""
        hot = self._count(arrived)
        self.cells.counter[kernels.ON_HOT_SIDE] += hot
        self.cells.counter[kernels.IN_EPOCH] += arrived.size

    def insert_late(self, late: Tally, reading: Sequence[float], stayed: Sequence[bool]) -> None:
        """Count a tally of an earlier bulletin in its own regime, for the cells that have stayed since."""
        cells, hits = self.cells, np.array(late.hits, np.int64)
        kernels.add_tally(cells, hits, late.reports, late.on_hot_side, _coefficients(reading), np.array(stayed))
        cells.counter[kernels.REPORTS] += late.reports
        if late.names:
            cells.counter[kernels.NAMED] += late.reports
            names = np.array(late.names, np.int64)
            self._count(names + cells.item.size + 1)

    def _count(self, arrived: NDArray[np.int64]) -> int:
        kind = self.rule.structure, self.rule.salt
        return count_symbols(self.cells.hits, self.light, self.cells.words, self.decay, arrived, *kind)

    def seal(self, reading: Sequence[float]) -> None:
        """End the epoch: add its tally to the estimates, then renew the list. The only randomness is in the state."""
        self.flush(reading)
        kernels.renew(self.cells, self.light, self.rule)

    def flush(self, reading: Sequence[float]) -> None:
        """Add the open tally to the estimates but leave the list as it is, for an answer in mid-epoch."""
        coefficients = _coefficients(reading)
        kernels.absorb(self.cells, coefficients)
        per_hot, per_report, gain = coefficients[:3].tolist()
        self._leverage = (1 - per_hot - per_report) / gain

    def absorbed(self, reading: Sequence[float]) -> "HotList":
        """A copy in which the open tally counts too, and the list is as it was."""
        copy = HotList(kernels.copy_cells(self.cells), self.light, self.rule, self.domain_size)
        copy.flush(reading)
        return copy

    def estimates(self, k: int) -> tuple[Estimate, ...]:
        """The best k of all sealed epochs, in the order of their counts."""
        return publish(self.cells, self.domain_size, k, self._leverage)

    def serialize(self) -> bytes:
        """The state after a seal, in fixed-width fields: its length depends on the numbers of cells alone."""
        return pack(self.cells, self.light, self.rule, self.domain_size)

    def open_epoch(self) -> bytes:
        """All that changed since the last seal: counting in order of arrival leaves nothing else."""
        return pack_open(self.cells, self.light)

    def reopen(self, data: bytes) -> None:
        """For a store right after a seal: what `open_epoch` wrote."""
        unpack_open(data, self.cells, self.light, self.rule, self.domain_size)

    @classmethod
    def deserialize(cls, data: bytes) -> "HotList":
        """The store that `serialize` wrote."""
        return cls(*unpack(data))


class HotIndex:
    """Reads many symbols at once against one bulletin's hot list, in memory that does not grow with the domain.

    >>> HotIndex((7, 2)).read([0, 2, 3 + 5, 3 + 7], first_name=3, hot_is_hit=False, below=3 + 10).tolist()
    [0, 2, 8, 2]
    """

    def __init__(self, hot: Sequence[int]) -> None:
        self._cells, self._index = len(hot), blank_index(len(hot))
        fill(self._index, np.array(hot, np.int32))

    def read(self, symbols: Integers, *, first_name: int, hot_is_hit: bool, below: int) -> NDArray[np.int64]:
        """Symbols as slots, ⊥ and names of cold items. If one of them is illegal, all are refused."""
        arrived = whole_numbers("symbols", symbols)
        if arrived.size and arrived.max() >= below:
            raise InvalidField("symbols", f"must lie in 0 … {below - 1}", int(arrived[arrived >= below][0]))
        read = arrived.astype(np.int64)
        read_names(self._index, self._cells, first_name, hot_is_hit, read)
        return read
