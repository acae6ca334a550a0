"""The life of a collector: seven tasks, thousands of reports, late ones, resends, seals, a restart, closed tasks."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hgldp.collector.collector import Collector
from hgldp.collector.problems import Refused
from hgldp.collector.views import Receipt, TaskTerms, TaskView
from hgldp.model.budget import Budget
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.domain import RangeDomain, StringDomain, Vocabulary
from hgldp.model.task import Task
from tests.recorded.crowd import Crowd
from tests.recorded.world import DRINKS, FakeClock, steady_entropy

Start = Callable[[FakeClock, Callable[[int], bytes]], Collector]
NUMBERS, STRINGS = tuple(range(10, 110)), DRINKS[:9]
ROUNDS, UPLOADS, REPORTS, SECONDS = 20, 5, 36, 2.5
SEALED_AT, RESTARTED_AT, CLOSED_AT = 5, 9, 15
PAGES, WORDS = RangeDomain(100, 10), Vocabulary(DRINKS)
TASKS = {
    "bgr": Task("bgr", Budget(2.0), PAGES, k=4, epoch=170),
    "dsr": Task("dsr", Budget(2.0), PAGES, k=4, epoch=170, growth=0.02),
    "bdr": Task("bdr", Budget(2.0), WORDS, k=3, epoch=200, tight=False),
    "cnr": Task("cnr", Budget(3.0), PAGES, k=4, epoch=250, light_cells=6),
    "range": Task("pfr", Budget(3.0), PAGES, k=4, cells=32, memory=4_096, epoch=250, half_life=3_000),
    "words": Task("pfr", Budget(4.0), WORDS, k=3, cells=20, memory=3_000, epoch=1_000, epoch_seconds=6),
    "strings": Task("pfr", Budget(6.0), StringDomain(8), k=2, cells=64, epoch=300),
}
ITEMS = {"bdr": DRINKS, "words": DRINKS, "strings": STRINGS}
TERMS = {
    "cnr": TaskTerms("cnr", reports_per_day=3_300),
    "range": TaskTerms("Pages", results="public", origins=("https://example.org",)),
}


@dataclass
class FolderLife:
    """A collector that is stepped by hand, and the receipts of all uploads in the order of the offers."""

    start: Start
    seed: int = 31
    label: str = "folder"
    clock: FakeClock = field(default_factory=FakeClock)
    receipts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        events = ROUNDS * UPLOADS * REPORTS
        self.crowds = {
            name: Crowd(task, ITEMS.get(name, NUMBERS), events, seed)
            for seed, (name, task) in enumerate(TASKS.items(), start=self.seed)
        }
        self._entropy = steady_entropy(self.label)
        self._before: dict[str, bytes] = {}
        self.open()

    def open(self) -> None:
        """Start, or start again."""
        self.collector = self.start(self.clock, self._entropy)

    def run(self) -> None:
        """From the first task to the last round; the collector stays open."""
        for name, task in TASKS.items():
            self.collector.create_task(task, TERMS.get(name, TaskTerms(name)))
        for number in range(ROUNDS):
            self.round()
            if number == SEALED_AT:
                self.collector.seal(TASKS["bgr"].id)
                self.collector.seal(TASKS["strings"].id)
            elif number == RESTARTED_AT:
                self.collector.close()
                self.open()
            elif number == CLOSED_AT:
                self.collector.close_task(TASKS["bdr"].id)
        self.collector.close_task(TASKS["strings"].id)

    def round(self) -> None:
        """Every task gets some uploads, an old one and two resends among them; then the writer takes them all."""
        waiting = []
        for name, crowd in self.crowds.items():
            view = self.view(name)
            bodies = [crowd.upload(_answered(view, number), REPORTS) for number in range(UPLOADS)]
            again = [self._before[name]] if name in self._before else []
            self._before[name] = bodies[0]
            waiting += [(name, self._offer(view, body)) for body in (*bodies, bodies[1], *again)]
        self.collector.step()
        self.receipts += [f"{name} {_told(arrival)}" for name, arrival in waiting]
        self.clock.advance(SECONDS)

    def view(self, name: str) -> TaskView:
        """A task as it is now."""
        found = self.collector.view(TASKS[name].id)
        assert found is not None
        return found

    def _offer(self, view: TaskView, body: bytes) -> object:
        try:
            return self.collector.offer(view, body)
        except Refused as refused:
            return refused


def _answered(view: TaskView, number: int) -> AnyBulletin:
    """The last upload but one of a round is two bulletins late."""
    bulletins = view.bulletins
    return bulletins[max(0, len(bulletins) - 3)] if number == UPLOADS - 2 else view.bulletin


def _told(arrival: object) -> str:
    outcome = getattr(arrival, "outcome", arrival)
    if isinstance(outcome, Receipt):
        return f"accepted {outcome.accepted}{' again' if outcome.duplicate else ''}"
    assert isinstance(outcome, Refused)
    return outcome.problem.slug
