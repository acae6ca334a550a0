"""The lives of trackers that are recorded: a task, its stream, its warm-up, and how its reports arrive."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain, StringDomain, Vocabulary
from hgldp.model.hints import Hints
from hgldp.model.task import Task
from tests.recorded.world import DRINKS

NUMBERS = tuple(range(-5, 195))
FEW = tuple(range(12))
WORDS = Vocabulary(DRINKS)
HINTS = Hints.of([*DRINKS[3:], "green tea", "oolong"])  # the most frequent three are not on the list
STRINGS = (*DRINKS[:10], "a text that is too long", "", "nul\0inside")


@dataclass(frozen=True)
class Life:
    """`batch` reports of one person answer one bulletin; some of them come late when an epoch ends in between.

    With `late`, every fifth batch answers an older bulletin. With `restored`, the tracker is written and read again
    after two thirds of the stream. `varies` names what must differ between its bulletins, or the case shows nothing.
    """

    task: Task
    items: Sequence[object]
    reports: int = 4_000
    warmup: int = 0
    batch: int = 7
    late: bool = False
    restored: bool = False
    varies: str = ""
    seed: int = 1

    @property
    def asked(self) -> list[object]:
        """Items that came often and items that came rarely, as far as they can be asked for."""
        some = [*self.items[:4], *self.items[-2:]]
        return [item for item in some if self.task.domain.encode(item) is not None]


def hot_list(scheme: str, epsilon: float = 2.0, **terms: Any) -> Task:
    """Five of 200 numbers, in short epochs."""
    budget = Budget(epsilon)
    return Task(scheme, budget, RangeDomain(200, -5), k=5, **{"epoch": 150} | terms)


def frontier(epsilon: float = 3.0, **terms: Any) -> Task:
    """The same for pfr, with a memory that holds some of its epochs."""
    chosen: dict[str, Any] = {"cells": 48, "memory": 6_000, "epoch": 300} | terms
    return Task("pfr", Budget(epsilon), RangeDomain(200, -5), k=5, **chosen)


def strings(epsilon: float = 5.0, **terms: Any) -> Task:
    """Two strings that nobody listed."""
    return Task("pfr", Budget(epsilon), StringDomain(12), k=2, **{"cells": 64, "epoch": 400} | terms)


def hot_lists() -> dict[str, Life]:
    """Every scheme cold and warm, with late reports and without; both splits; every term that shapes the list."""
    found: dict[str, Life] = {}
    for scheme in ("bgr", "dsr", "bdr", "cnr"):
        found[f"{scheme}-cold"] = Life(hot_list(scheme), NUMBERS)
        found[f"{scheme}-warm"] = Life(hot_list(scheme), NUMBERS, warmup=200)
        found[f"{scheme}-late"] = Life(hot_list(scheme), NUMBERS, late=True)
        varies = "nominating" if scheme in ("dsr", "bdr") else "hot"
        searching: dict[str, Any] = {"reports": 8_000, "warmup": 60, "batch": 20, "varies": varies}
        found[f"{scheme}-warm-searching"] = Life(hot_list(scheme, 4.0), NUMBERS, **searching)
        found[f"{scheme}-warm-late-restored"] = Life(
            hot_list(scheme, 4.0), NUMBERS, late=True, restored=True, **searching
        )
        found[f"{scheme}-one-by-one"] = Life(hot_list(scheme, 0.7), NUMBERS, reports=2_000, batch=1)
    for scheme in ("bdr", "cnr"):
        printed: dict[str, Any] = {"tight": False}
        found[f"{scheme}-printed-split-cold"] = Life(hot_list(scheme, **printed), NUMBERS)
        found[f"{scheme}-printed-split-warm-late"] = Life(hot_list(scheme, **printed), NUMBERS, warmup=200, late=True)
        by_hand = printed | {"hot_share": Fraction(3, 5), "judge_share": Fraction(1, 2)}
        found[f"{scheme}-printed-split-hot-share"] = Life(hot_list(scheme, **by_hand), NUMBERS, warmup=200)
    shapes: dict[str, dict[str, Any]] = {
        "growing-epochs": {"growth": 0.25},
        "no-light-cells": {"light_cells": 0},
        "three-light-cells": {"light_cells": 3},
        "slow-decay": {"decay_base": 1.5},
        "all-but-one-cell": {"cells": 199},
    }
    found |= {f"dsr-{name}": Life(hot_list("dsr", **terms), NUMBERS) for name, terms in shapes.items()}
    window = Task("dsr", Budget(6.0, "window", 3, division="budget"), WORDS, k=3, cells=6, epoch=150)
    user = Task("bdr", Budget(8.0, "user", 4, division="budget"), WORDS, k=3, epoch=150)
    found["dsr-words-window"] = Life(window, DRINKS, late=True)
    found["bdr-words-user"] = Life(user, DRINKS, batch=4)
    return found


def frontiers() -> dict[str, Life]:
    """A listed domain: cold, warm, forgetting, narrowing, overflowing, late."""
    narrow = Task("pfr", Budget(5.0), RangeDomain(300), k=5, cells=192, memory=20_000, epoch=1_000)
    forgetful = Task("pfr", Budget(5.0), RangeDomain(300), k=5, cells=192, memory=20_000, epoch=1_000, half_life=4_000)
    words = Task("pfr", Budget(4.0), WORDS, k=3, cells=24, memory=3_000, epoch=250)
    return {
        "pfr-cold": Life(frontier(), NUMBERS, reports=6_000),
        "pfr-warm": Life(frontier(), NUMBERS, warmup=200),
        "pfr-late": Life(frontier(), NUMBERS, reports=6_000, late=True),
        "pfr-warm-late-restored": Life(frontier(), NUMBERS, warmup=100, late=True, restored=True),
        "pfr-one-by-one": Life(frontier(1.0), NUMBERS, reports=2_000, batch=1),
        "pfr-half-life": Life(frontier(half_life=1_600), NUMBERS, reports=6_000),
        "pfr-half-life-late": Life(frontier(half_life=1_600), NUMBERS, late=True),
        "pfr-overflowing-memory": Life(frontier(memory=1_500, epoch=100), NUMBERS, reports=12_000, batch=40, late=True),
        "pfr-default-epoch": Life(frontier(epoch=0), NUMBERS),
        "pfr-default-cells": Life(Task("pfr", Budget(2.0), RangeDomain(5_000), k=5), NUMBERS[5:], reports=6_000),
        "pfr-narrowing": Life(narrow, FEW, reports=8_000, batch=40, varies="cells"),
        "pfr-narrowing-late": Life(narrow, FEW, reports=8_000, batch=40, late=True, varies="cells"),
        "pfr-narrowing-warm": Life(narrow, FEW, reports=8_000, warmup=200, batch=40, varies="cells"),
        "pfr-narrowing-half-life": Life(forgetful, FEW, reports=8_000, batch=40, varies="cells", restored=True),
        "pfr-words": Life(words, DRINKS, late=True),
    }


def open_frontiers() -> dict[str, Life]:
    """Strings, some of which have no code."""
    return {
        "strings-cold": Life(strings(), STRINGS, reports=8_000, batch=40),
        "strings-late": Life(strings(), STRINGS, reports=8_000, batch=40, late=True),
        "strings-half-life": Life(strings(half_life=3_000), STRINGS, reports=8_000, batch=40, restored=True),
        "strings-half-life-late": Life(strings(half_life=3_000), STRINGS, reports=8_000, batch=40, late=True),
        "strings-one-by-one": Life(strings(7.0, epoch=200), STRINGS, reports=3_000, batch=1),
        "strings-default-cells": Life(
            Task("pfr", Budget(6.0), StringDomain(), k=5, epoch=1_000), STRINGS, reports=8_000, batch=40
        ),
    }


def hinted_frontiers() -> dict[str, Life]:
    """Strings of which a public list names some: the right ones, late reports, a half-life, and a list of others."""

    def task(epsilon: float = 6.0, hints: Hints = HINTS, **terms: Any) -> Task:
        chosen: dict[str, Any] = {"cells": 96, "epoch": 500} | terms
        return Task("pfr", Budget(epsilon), StringDomain(12, hints), k=3, **chosen)

    busy: dict[str, Any] = {"reports": 8_000, "batch": 40}
    others = Hints.of([f"other {number}" for number in range(30)])
    return {
        "hints-cold": Life(task(), STRINGS, **busy),
        "hints-late-restored": Life(task(), STRINGS, late=True, restored=True, **busy),
        "hints-half-life": Life(task(half_life=3_000), STRINGS, **busy),
        "hints-of-others": Life(task(hints=others), STRINGS, **busy),
    }
