"""A task at its creation: its secrets, its seed, and its first state."""

from collections.abc import Callable

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.storage import TaskRow
from hgldp.collector.task_state import TaskState
from hgldp.collector.tokens import digest, kept, new_token
from hgldp.collector.views import NewTask, TaskTerms
from hgldp.errors import HgldpError
from hgldp.model.task import FRONTIER, Task

SEED_BYTES = 8


def new_task(
    number: int, task: Task, terms: TaskTerms, now: float, entropy: Callable[[int], bytes]
) -> tuple[NewTask, TaskState]:
    """What its creator is told, and what is stored: of the key and the token only hashes.

    Some tasks turn out to be illegal only when they start, such as one whose memory does not hold two epochs.
    """
    key, token = new_token(entropy), new_token(entropy)
    seed = int.from_bytes(entropy(SEED_BYTES), "big")
    row = TaskRow(number, task.id, task.canonical, seed, terms, now, digest(key), kept(token))
    try:
        return NewTask(task.id, key, token), TaskState.start(row, task)
    except HgldpError as wrong:
        raise Refused(Problem.MALFORMED_TASK, str(wrong)) from None


def how_to_ask_again(task: Task) -> str:
    """For whoever wants a second task that asks the same: its id is the hash of its terms, and names are no term."""
    harmless = f"memory, now {task.memory}" if task.scheme == FRONTIER else f"epoch, now {task.epoch}"
    return f"use {task.id.hex()}, open or closed as it is, or change a term a little: {harmless}, by one is enough"
