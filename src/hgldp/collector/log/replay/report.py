"""What a replay found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """The first place where the log and what was published disagree: the entry (0: before the first) and the task."""

    position: int
    task: str
    what: str

    def __str__(self) -> str:
        return f"entry {self.position}, task {self.task or '-'}: {self.what}"


@dataclass
class ReplayReport:
    """How much was derived again. `unwritten` rows follow from the log, but a crash came before they were written.

    `folded` epochs were derived from what is kept of them, since their reports are gone. `earlier` reports were counted
    in epochs of which nothing is kept, `taken_over` ones by a version of another era.
    """

    tasks: int = 0
    entries: int = 0
    reports: int = 0
    bulletins: int = 0
    epochs: int = 0
    folded: int = 0
    earlier: int = 0
    taken_over: int = 0
    unwritten: int = 0
    difference: Difference | None = None

    @property
    def agrees(self) -> bool:
        """Whether everything that was published follows from the log."""
        return self.difference is None
