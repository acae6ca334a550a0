"""What the rest of the service sees of a task: immutable, replaced as a whole after each commit."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urlsplit

from hgldp.collector.gate import Gate
from hgldp.errors import InvalidField
from hgldp.model.bulletins import AnyBulletin, FrontierBulletin
from hgldp.model.task import Task
from hgldp.model.validate import check_whole

LONGEST_NAME, MOST_ORIGINS = 200, 64
_LARGEST = (1 << 53) - 1


@dataclass(frozen=True)
class TaskTerms:
    """What the server keeps about a task and clients need not agree on; 0 is no such limit.

    >>> TaskTerms("Words of the week").results
    'token'
    """

    name: str
    results: str = "token"
    origins: tuple[str, ...] = ()
    reports_per_second: int = 0
    reports_per_day: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not 1 <= len(self.name) <= LONGEST_NAME or not self.name.isprintable():
            raise InvalidField("name", f"must be 1 … {LONGEST_NAME} printable characters", "another")
        if self.results not in ("public", "token"):
            raise InvalidField("results", "must be public or token", "another")
        object.__setattr__(self, "origins", tuple(self.origins))
        if len(self.origins) > MOST_ORIGINS or not all(_is_origin(each) for each in self.origins):
            raise InvalidField("origins", f"must be at most {MOST_ORIGINS} like https://example.org, or *", "another")
        check_whole("reports_per_second", self.reports_per_second, 0, _LARGEST)
        check_whole("reports_per_day", self.reports_per_day, 0, _LARGEST)

    def as_json(self) -> dict[str, Any]:
        """For the store; the constructor takes it back."""
        return asdict(self)


def _is_origin(text: object) -> bool:
    if not isinstance(text, str) or not text.isascii() or not text.isprintable():
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return text == "*" or (parts.scheme in ("http", "https") and text == f"{parts.scheme}://{parts.netloc}" != "//")


@dataclass(frozen=True)
class NewTask:
    """What creating a task gives, once: key and token are stored only as hashes."""

    id: bytes
    write_key: str = field(repr=False)
    read_token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Line:
    """One item of a top: `low` … `high` is the 95 % interval; `rank_change` is None for a newcomer, 2 for two up."""

    item: int | str
    estimate: float
    standard_error: float
    low: float
    high: float
    tracked_count: float
    tracked_error: float
    since: int
    rank_change: int | None


@dataclass(frozen=True)
class Receipt:
    """The answer to an upload that is durable. A resend gets the same."""

    accepted: int
    duplicate: bool = False


@dataclass(frozen=True)
class PublishedEpoch:
    """What was published when an epoch ended: the bulletin clients had answered, all reports until then, the top."""

    epoch: int
    published: float
    reports: int
    bulletin: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Answer:
    """A top that somebody asked for. Its counts are of the last `covered` reports: a window is made of whole epochs."""

    k: int
    window: int | None
    epoch: int
    reports: int
    covered: int
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class TaskView:
    """A task at one moment. Counters of uploads run since the server started, reports since the task was created.

    `top` is computed now and then: it counts the first `top_reports` reports, the last of them in epoch `top_epoch`.
    `last_epoch_seconds` is how long the last epoch took, 0 before the first one ended.
    """

    id: bytes
    number: int
    task: Task
    terms: TaskTerms
    write_digest: bytes = field(repr=False)
    read_digest: bytes = field(repr=False)
    created: float
    closed: float | None
    bulletin: AnyBulletin
    published: float
    bulletins: tuple[AnyBulletin, ...]
    gates: Mapping[bytes, Gate] = field(repr=False)
    epoch: int
    reports: int
    in_epoch: int
    epoch_length: int
    state_bytes: int
    top: tuple[Line, ...]
    top_epoch: int
    top_reports: int
    accepted: int
    duplicate: int
    refused: int
    last_epoch_seconds: float = 0.0

    @property
    def bulletin_cells(self) -> int:
        """How many cells the bulletin in force has: a frontier that has little left to find asks for fewer."""
        return self.bulletin.cells if isinstance(self.bulletin, FrontierBulletin) else self.task.cells
