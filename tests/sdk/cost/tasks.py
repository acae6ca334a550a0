"""The tasks that a page reports to, each with the largest bulletin that it is measured with."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from json import dumps
from typing import Any

from hgldp.model.bulletins import AnyBulletin, Bulletin, Cell, FrontierBulletin, OpenBulletin
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin_with_set import with_set
from hgldp.wire.task import read_task
from tests.collector.live_service import Made
from tests.sdk.recorder import Answered, Asked, Recorder
from tests.sdk.visit import Visit

OPEN_TO_ALL = {"access-control-allow-origin": "*"}
REPORTS_AT = 55
ADDRESS = "https://shop.example/en/" + "catalogue/" * 17
LETTERS = "abcdefghijklmnopqrstuvwxyz012345"


def full_frontier(task: Task, epoch: int) -> FrontierBulletin:
    """All cells but eight hold one item each."""
    leaves = tuple(range(0, 3 * (task.rules.cells - 8), 3))
    return FrontierBulletin(task.id, epoch, task.domain_size, task.rules.cells, 7, leaves)


def long_prefixes(task: Task, epoch: int) -> OpenBulletin:
    """1,023 addresses that differ in bytes 195 and 196 of 255: an item has to be compared with nearly all of them."""
    starts = [(ADDRESS + one + two).encode() for one in LETTERS for two in LETTERS]
    return OpenBulletin(task.id, epoch, task.rules.cells, tuple(Cell(each, 0, 255) for each in sorted(starts)[:-1]))


def full_hot_list(task: Task, epoch: int) -> Bulletin:
    """As many hot items as the task has cells, far from each other."""
    hot = tuple(range(0, 3 * task.rules.cells, 3))
    return Bulletin(task.id, epoch, task.domain_size, hot, nominating=True)


@dataclass(frozen=True)
class Kind:
    """A task, what is reported to it, and how its largest bulletin is made; without that, its collector's are shown."""

    name: str
    fields: dict[str, Any]
    items: list[Any]
    largest: Callable[[Task, int], AnyBulletin] | None = None


NUMBERS = {"range": [0, 1_000_000]}
HOT = {"epsilon": 2.0, "k": 10, "domain": NUMBERS, "cells": 4096}
WORDS = [f"dish {number}" for number in range(50)]
KINDS = [
    Kind("pfr, 50 words", {"scheme": "pfr", "epsilon": 2.0, "k": 10, "domain": {"words": WORDS}}, WORDS),
    Kind("pfr, 4,096 cells", {"scheme": "pfr"} | HOT, [9, 10, 999_999], full_frontier),
    Kind(
        "pfr, long strings",
        {"scheme": "pfr", "epsilon": 4.0, "k": 10, "domain": {"strings": 255}, "cells": 1024},
        [ADDRESS + "55 is the last one", ADDRESS + "ab is the first one"],
        long_prefixes,
    ),
    *(
        Kind(f"{name}, 4,096 hot", {"scheme": name} | HOT, [9, 10], full_hot_list)
        for name in ("bgr", "dsr", "bdr", "cnr")
    ),
]


@dataclass
class Shown:
    """What a page is shown of a made-up task: every `next()` is a new bulletin, and every upload is taken."""

    recorder: Recorder
    largest: Callable[[Task, int], AnyBulletin]
    task: Task
    id: str
    bulletin: AnyBulletin = field(init=False)

    def __post_init__(self) -> None:
        self.epoch = 0
        self.next()
        self.recorder.meddle = self.answer

    def next(self) -> None:
        self.epoch += 1
        self.bulletin = self.largest(self.task, self.epoch)

    def answer(self, asked: Asked, really: Callable[[], Answered]) -> Answered:
        if asked.method == "POST":
            return Answered(
                200, OPEN_TO_ALL, dumps({"accepted": asked.body[REPORTS_AT]}, separators=(",", ":")).encode()
            )
        body = self.bulletin.canonical
        version = sha256(body).hexdigest()
        if asked.method == "GET" and asked.path.endswith("/bulletin"):
            notice = {"task": self.id, "bulletin": version, "epoch": self.bulletin.epoch, "max_age": 86_400}
            return Answered(200, OPEN_TO_ALL, dumps(notice).encode())
        if asked.method == "GET" and version in asked.path:
            return Answered(200, OPEN_TO_ALL, with_set(self.bulletin, scheme_of(self.task)))
        return really()


def create(visit: Visit, kind: Kind) -> tuple[Made, Shown | None]:
    """The task on the collector, and what the page is shown instead of its bulletins if that is made up."""
    more = {} if "cells" in kind.fields else {"cells": 64}
    made = visit.create(
        **{"name": kind.name, "level": "event", "epoch": 1_000_000, "origins": ["*"]} | more | kind.fields
    )
    key = {"authorization": f"Bearer {made.key}"}
    task = read_task(visit.service.http.get(f"{made.path}/document", headers=key).content)
    return made, Shown(visit.recorder, kind.largest, task, made.id) if kind.largest else None
