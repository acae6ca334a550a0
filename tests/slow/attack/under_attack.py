"""What an attack does to an honest client, and the bars that every attack must stay below.

That nothing acknowledged is lost, and the memory, are judged always; latencies only by `make test-attack`, which gives
each attack more time. Attacker, honest client and server share the cores of this machine (two where the figures were
made), so a part of what the honest client sees is the attacker's own work, not the server's. Attackers run at a lower
priority (`NICE`), because they would have machines of their own.
"""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from tests.slow.attack.attacked_server import JUDGED, AttackedServer
from tests.slow.attack.honest_client import PATIENCE, PER_SECOND, Diary, honest_client

_SECONDS = (3.0, 6.0, 10.0, 2.0, 5.0) if JUDGED else (0.2, 0.8, 3.0, 0.2, 0.8)
WARM_SECONDS, QUIET_SECONDS, ATTACK_SECONDS, SETTLE_SECONDS, AFTER_SECONDS = _SECONDS
TIMES_QUIET, MOST_MEGABYTES, NICE, TRIES = 10.0, 600.0, 10, 3 if JUDGED else 1
BACK_TIMES, BACK_SECONDS = 3.0, 0.010  # the machine may be shared with other tests


@dataclass(frozen=True)
class Phase:
    """Latencies of honest uploads in seconds."""

    p50: float
    p99: float
    uploads: int

    @classmethod
    def of(cls, seconds: list[float]) -> "Phase":
        """From sorted latencies; the p99 of a hundred is the last but one."""
        assert seconds, "no honest upload was due in this phase"
        return cls(seconds[len(seconds) // 2], seconds[min(len(seconds) - 1, int(0.99 * len(seconds)))], len(seconds))

    def __str__(self) -> str:
        return f"{1000 * self.p50:8.1f} {1000 * self.p99:8.1f}"


@dataclass(frozen=True)
class Outcome:
    """What the honest client and the server went through."""

    attack: str
    quiet: Phase
    attacked: Phase
    after: Phase
    peak_megabytes: float
    diary: Diary
    counted: int

    def __str__(self) -> str:
        return (
            f"{self.attack:<44} quiet p50/p99 {self.quiet}   attacked {self.attacked}   after {self.after} ms   "
            f"peak {self.peak_megabytes:.0f} MB   {self.diary.acknowledged} acknowledged"
        )

    def check(self, judge_speed: bool = JUDGED) -> None:
        """Everything sent was acknowledged and counted once, in bounded memory; and honest uploads were quick."""
        assert self.diary.acknowledged == self.diary.sent == self.counted, f"{self.counted} counted; {self}"
        assert self.peak_megabytes <= MOST_MEGABYTES, str(self)
        assert self.is_quick or not judge_speed, f"{self.diary.failures}; {self}"

    @property
    def is_quick(self) -> bool:
        """Whether the two bars of time hold."""
        back = self.after.p50 <= BACK_TIMES * self.quiet.p50 + BACK_SECONDS
        return back and self.attacked.p99 <= TIMES_QUIET * self.quiet.p99 and self.attacked.p99 < PATIENCE


Attack = Callable[[AttackedServer], AbstractContextManager[Any]]


def under_attack(
    server: AttackedServer, name: str, attack: Attack, seconds: float = ATTACK_SECONDS, per_second: int = PER_SECOND
) -> Outcome:
    """Measure before, during and after, print one line, and give the outcome: call its `check`.

    The attack begins when its block is entered and ends when it is left.
    """
    with honest_client(server, per_second) as diary:
        time.sleep(WARM_SECONDS)
        marks = [time.monotonic()]
        time.sleep(QUIET_SECONDS)
        marks.append(time.monotonic())
        with attack(server):
            time.sleep(seconds)
            marks.append(time.monotonic())
        time.sleep(SETTLE_SECONDS)
        marks.append(time.monotonic())
        time.sleep(AFTER_SECONDS)
        marks.append(time.monotonic())
    quiet, attacked, after = (Phase.of(diary.between(marks[a], marks[b])) for a, b in ((0, 1), (1, 2), (3, 4)))
    peak, counted = server.megabytes("VmHWM"), server.reports(diary.task_id)
    outcome = Outcome(name, quiet, attacked, after, peak, diary, counted)
    print(f"\n{outcome}")
    return outcome


def _nicely(attack: Callable[..., None], *arguments: Any) -> None:
    os.nice(NICE)
    attack(*arguments)


def withstand(server: AttackedServer, name: str, attack: Attack, **more: Any) -> Outcome:
    """All bars, in up to `TRIES` attempts: other work on the machine makes latencies worse, never better.

    That reports are counted once, and the memory, must be right in every attempt.
    """
    for _ in range(TRIES - 1):
        outcome = under_attack(server, name, attack, **more)
        if outcome.is_quick:
            break
        replace(outcome, attacked=outcome.quiet, after=outcome.quiet).check()
    else:
        outcome = under_attack(server, name, attack, **more)
    outcome.check()
    return outcome


@contextmanager
def in_processes(attack: Callable[..., None], *arguments: Any, number: int = 1) -> Iterator[None]:
    """An attack in processes of its own: a function of a module, which may run for ever. They are killed at the end."""
    spawn = multiprocessing.get_context("spawn")
    crowd = [spawn.Process(target=_nicely, args=(attack, *arguments), daemon=True) for _ in range(number)]
    for each in crowd:
        each.start()
    try:
        yield
    finally:
        for each in crowd:
            each.kill()
        for each in crowd:
            each.join(10)
