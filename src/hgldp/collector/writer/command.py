"""What an operator asks of the writer: a new task, a change of one, or its end."""

import threading
from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from hgldp.collector.donation import NOTHING_GIVEN, Donation
from hgldp.collector.log.entry import CLOSE, SEAL
from hgldp.collector.log.storage import TaskRow
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.tokens import digest, kept, new_token
from hgldp.collector.views import NewTask, TaskTerms, TaskView
from hgldp.errors import HgldpError
from hgldp.model.task import Task

DELETE = -1
SEED_BYTES = 8


@dataclass
class Command:
    """Something that an operator asked for. It waits its turn among the uploads.

    A `created` task; or new values for the row of a task; or the end of an epoch or a task, where `kind` is SEAL or
    CLOSE as in the log, or DELETE. `after` is called in the writer's thread when the views show it. `request` is its
    number in a store that several collectors share.
    """

    created: TaskState | None = None
    changes: Mapping[str, object] = field(default_factory=dict)
    task: int = 0
    kind: int = 0
    request: int = 0
    failure: Exception | None = None
    after: Callable[[], None] | None = None
    done: threading.Event = field(default_factory=threading.Event)


def of_known_tasks(commands: Sequence[Command], states: Container[int]) -> list[Command]:
    """Those that can be done so far; one of an unknown task gets its failure here."""
    for command in commands:
        if command.created is None and command.task not in states:
            command.failure = Refused(Problem.UNKNOWN_TASK)
    return [command for command in commands if command.failure is None]


def endings(
    commands: Sequence[Command], by_clock: Set[int], states: Mapping[int, TaskState], now: float
) -> list[tuple[int, int]]:
    """Task and SEAL or CLOSE: of what the commands end, and of the epochs that the clock ends.

    Several operators may have asked for the end of an epoch at once. Where keys stay, the first of them has ended it.
    """
    closing = {each.task for each in commands if each.kind == CLOSE}
    asked = {each.task for each in commands if each.kind == SEAL and not seconds_to_stay(states[each.task], now)}
    ends = [(task, SEAL) for task in sorted(asked | closing | by_clock)]
    ends += [(task, CLOSE) for task in sorted(closing)]
    return [(task, kind) for task, kind in ends if states[task].closed is None]


def seconds_to_stay(shown: TaskState | TaskView, now: float) -> float:
    """For how long an operator may not end the epoch, because the task's keys stay; 0 if it may end now."""
    stays = shown.task.bulletin_seconds
    return max(0.0, shown.published + stays - now) if stays else 0.0


def changed_rows(commands: Iterable[Command], states: Mapping[int, TaskState]) -> list[TaskRow]:
    """The rows of tasks that the commands change, each once."""
    rows: dict[int, TaskRow] = {}
    for each in commands:
        if each.changes:
            row = rows.get(each.task, states[each.task].row)
            rows[each.task] = replace(row, **each.changes)  # type: ignore[arg-type]
    return list(rows.values())


def new_task(
    number: int,
    task: Task,
    terms: TaskTerms,
    now: float,
    entropy: Callable[[int], bytes],
    secret: bytes,
    given: Donation = NOTHING_GIVEN,
) -> tuple[NewTask, TaskState]:
    """What the creator of a task is told, and its first state, which holds only hashes of the key and the token.

    Some tasks turn out to be illegal only when they start, such as one whose memory does not hold two epochs.
    """
    key, token = new_token(entropy), new_token(entropy)
    seed = int.from_bytes(entropy(SEED_BYTES), "big")
    terms = replace(terms, warmup=given.size)
    digests = digest(key), kept(token)
    row = TaskRow(number, task.id, task.canonical, seed, terms, now, *digests, hints=task.hints)
    try:
        state = TaskState.start(row, task, secret, given)
    except HgldpError as wrong:
        raise Refused(Problem.MALFORMED_TASK, str(wrong)) from None
    if given.counts:
        state.derived.warmups[number] = given
    return NewTask(task.id, key, token), state


def how_to_run_twice(task: Task) -> str:
    """The id is the hash of the settings, so two tasks cannot have the same ones."""
    memory, epoch = task.rules.memory_limit, task.rules.epoch
    setting, value = ("memory", memory) if memory else ("epoch", epoch)
    return (
        f"it is {task.id.hex()}, and it may be closed. A name or a warm-up does not make another task. To run it "
        f"twice, change a setting that barely matters, such as {setting} from {value} to {value + 1}"
    )
