"""What an epoch ends from, as one small file: the task, the bulletins that are read, and what the tracker kept."""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np

from hgldp.errors import HgldpError, InvalidField, MalformedBytes, MalformedState
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.tallies.tally import Tally
from hgldp.tracker import Tracker
from hgldp.tracker.family import family_for
from hgldp.tracker.frontier import Adding
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.strict_json import read_json
from hgldp.wire.task import MOST_BYTES as MOST_TASK_BYTES
from hgldp.wire.task import read_task

COUNT_ALL = "count all that ever answered, or leave --total out if all of these are new"
FORMAT, LATER = "hgldp state 1", re.compile(r"hgldp state [1-9][0-9]{0,3}")
MOST_BYTES = MOST_TASK_BYTES + (1 << 25)


@dataclass(frozen=True)
class SealState:
    """A task right after a seal, or at its start. `bulletins` are those whose reports are still read, the newest last.

    `tracker` is what `Tracker.serialize` wrote, `top` the items of the last result in their order. `counted` is what
    was counted of each of the bulletins so far; one that was sealed and is missing there was counted elsewhere.
    """

    task: Task
    bulletins: tuple[AnyBulletin, ...]
    tracker: bytes = field(repr=False)
    top: tuple[int | str, ...] = field(default=(), repr=False)
    counted: Tally = field(default_factory=Tally)

    @classmethod
    def start(cls, task: Task, seed: int, warmup: Iterable[object] = (), *, hides_order: bool = True) -> "SealState":
        """A new task. The seed is for the server's own choices: nobody who sends reports should be able to guess it.

        >>> state = SealState.start(Task("pfr", epsilon=2.0, domain=range(50), k=3), seed=1)
        >>> state.bulletin.epoch, SealState.read(state.write()) == state
        (0, True)
        """
        check_adds_up(task)
        tracker = Tracker(task, seed, warmup, hides_order=hides_order)
        return cls(task, tracker.bulletins, tracker.serialize())

    @property
    def bulletin(self) -> AnyBulletin:
        """What clients answer now."""
        return self.bulletins[-1]

    @cached_property
    def epoch_length(self) -> int:
        """How many reports the epoch of the bulletin in force should have."""
        return Tracker.restore(self.task, self.tracker, self.bulletins[:-1]).epoch_length

    @cached_property
    def symbol_limits(self) -> dict[str, int]:
        """The first symbol that no client may send, for each bulletin."""
        scheme = scheme_of(self.task)
        return {each.version: scheme.symbol_limit(each) for each in self.bulletins}

    def new_of(self, total: Tally) -> Tally:
        """What is new in a tally of everything that ever answered these bulletins: it without what was counted."""
        found, none = {}, np.zeros(0, np.int64)
        for version in sorted({*total.counts, *self.counted.counts}):
            histogram, before = total.counts.get(version, none), self.counted.counts.get(version, none)
            if not before.size and version != self.bulletin.version and version in self.symbol_limits:
                rule = f"must hold new reports only where they answer {version}"
                raise InvalidField("tally", rule, "all of them, while the state does not say which were counted")
            if before.size > histogram.size or (histogram[: before.size] < before).any():
                rule = f"must hold all {int(before.sum()):,} reports of {version} that were counted already"
                there = total.answering(version)
                found_there = f"{there:,} that are not all of them" if there else "none of them"
                raise InvalidField("tally", rule, found_there, f": {COUNT_ALL}")
            found[version] = histogram.copy()
            found[version][: before.size] -= before
        return Tally(found)

    def write(self) -> bytes:
        """The file: sorted JSON, with a hash of all of it."""
        fields = {
            "bulletins": [each.canonical.hex() for each in self.bulletins],
            "counted": {version: counts.tolist() for version, counts in self.counted.counts.items()},
            "format": FORMAT,
            "task": json.loads(self.task.canonical),
            "top": list(self.top),
            "tracker": b64encode(self.tracker).decode(),
        }
        return _dumped(fields | {"sha256": sha256(_dumped(fields)).hexdigest()}) + b"\n"

    @classmethod
    def read(cls, data: bytes) -> "SealState":
        """What `write` wrote; anything else is refused."""
        if len(data) > MOST_BYTES:
            raise MalformedState(f"state must be at most {MOST_BYTES} bytes, got {len(data)}")
        fields = _fields(data)
        try:
            state = _built(fields)
        except MalformedState:
            raise
        except (KeyError, TypeError, ValueError, HgldpError) as wrong:
            reason = str(wrong) if isinstance(wrong, HgldpError) else "a field is missing or of another kind"
            raise MalformedState(f"state must be legal: {reason}") from None
        if state.write() != data:
            raise MalformedState("state must be in its canonical form, with every field and no other")
        return state


def check_adds_up(task: Task) -> None:
    """Refuse a scheme that decides in the order in which reports arrive: a tally has no order."""
    if not issubclass(family_for(task), Adding):
        rule = "must be pfr, whose reports add up in any order; hot lists decide in order of arrival"
        raise InvalidField("scheme", rule, task.scheme)
    if task.hints is not None:
        rule = (
            "must be left out of a task whose epochs end outside a collector: a file names the list without holding it"
        )
        raise InvalidField("hints", rule, task.hints.digest)


def read_task_file(data: bytes) -> Task:
    """A task document, as a collector serves it; spaces and the order of its fields do not matter here."""
    try:
        fields = read_json(data, MOST_TASK_BYTES)
    except MalformedBytes:
        return read_task(data)
    return read_task(_dumped(fields))


def _fields(data: bytes) -> dict[str, Any]:
    try:
        read = read_json(data)
    except MalformedBytes as wrong:
        raise MalformedState(f"state must be legal: {wrong}") from None
    found: dict[str, Any] = read if isinstance(read, dict) else {}
    form = found.get("format")
    if form != FORMAT and isinstance(form, str) and LATER.fullmatch(form):
        raise MalformedState(f'state must have the format "{FORMAT}", but a later version wrote it as "{form}"')
    if form != FORMAT:
        raise MalformedState(f'state must be JSON whose format is "{FORMAT}"{_looks_like(found)}')
    if found.pop("sha256", None) != sha256(_dumped(found)).hexdigest():
        raise MalformedState("state must hold the hash of its other fields: it was changed or damaged")
    return found


def _looks_like(fields: dict[str, Any]) -> str:
    if {"scheme", "domain"} <= set(fields):
        return ": this looks like a task; hgldp seal --new begins with it"
    return ": this looks like a result" if "top" in fields else ""


def _built(fields: dict[str, Any]) -> SealState:
    task = read_task(_dumped(fields["task"]))
    check_adds_up(task)
    bulletins: Sequence[AnyBulletin] = [read_bulletin(bytes.fromhex(each)) for each in fields["bulletins"]]
    if not bulletins or any(each.task != task.id for each in bulletins):
        raise MalformedState("state must hold bulletins of its task")
    if any(later.epoch <= earlier.epoch for earlier, later in pairwise(bulletins)):
        raise MalformedState("state must hold its bulletins in their order")
    tracker = b64decode(fields["tracker"], validate=True)
    restored = Tracker.restore(task, tracker, bulletins[:-1])
    if [each.version for each in restored.bulletins] != [each.version for each in bulletins]:
        raise MalformedState("state must end with the bulletin that follows from its tracker")
    top = fields["top"]
    if not all(type(each) in (int, str) for each in top):
        raise MalformedState("state must hold a top of items")
    state = SealState(task, tuple(bulletins), tracker, tuple(top), Tally(fields["counted"]))
    if any(
        version not in state.symbol_limits or counts.size > state.symbol_limits[version]
        for version, counts in state.counted.counts.items()
    ):
        raise MalformedState("state must have counted what its bulletins allow")
    return state


def _dumped(fields: object) -> bytes:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
