"""What the rest of the service sees of a task: immutable, replaced as a whole after each commit."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from hmac import compare_digest
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hgldp.errors import InvalidField
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.distribution import Distribution
from hgldp.model.estimate import interval_within, is_clear
from hgldp.model.task import Task
from hgldp.model.validate import LARGEST_53, check_whole

if TYPE_CHECKING:
    from hgldp.collector.symbol_format import SymbolFormat

LONGEST_NAME, MOST_ORIGINS, MOST_QUOTA = 200, 64, LARGEST_53
RESULTS = ("public", "token")
A_WEEK, MOST_HOURS, MOST_DAYS = 168, 1_000_000, 36_500


@dataclass(frozen=True)
class TaskTerms:
    """What only the server keeps about a task: clients need not agree on it. 0 means no limit.

    The reports themselves are kept for `reports_kept_hours`, then only what each epoch counted; that, the results and
    the bulletins for `results_kept_days`. Bulletins of tasks that 0.1.0 created are in the order of the ranking; that
    of all others is hidden. `warmup` says how many raw items the task started from.

    >>> TaskTerms("Words of the week").results
    'token'
    """

    name: str
    results: str = "token"
    origins: tuple[str, ...] = ()
    reports_per_second: int = 0
    reports_per_day: int = 0
    reports_kept_hours: int = A_WEEK
    results_kept_days: int = 0
    hides_order: bool = False
    warmup: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise InvalidField("name", "must be a text", type(self.name).__name__)
        if not 1 <= len(self.name) <= LONGEST_NAME:
            raise InvalidField("name", f"must have 1 … {LONGEST_NAME} characters", f"{len(self.name)}")
        if not self.name.isprintable():
            raise InvalidField("name", "must have printable characters only", ascii(self.name))
        if self.results not in RESULTS:
            raise InvalidField("results", f"must be {' or '.join(RESULTS)}", self.results)
        object.__setattr__(self, "origins", tuple(self.origins))
        if len(self.origins) > MOST_ORIGINS:
            raise InvalidField("origins", f"must be at most {MOST_ORIGINS}", len(self.origins))
        for each in self.origins:
            if not _is_origin(each):
                raise InvalidField("origins", "must be like https://example.org, or *", ascii(each))
        check_whole("reports_per_second", self.reports_per_second, 0, MOST_QUOTA)
        check_whole("reports_per_day", self.reports_per_day, 0, MOST_QUOTA)
        check_whole("reports_kept_hours", self.reports_kept_hours, 0, MOST_HOURS)
        check_whole("results_kept_days", self.results_kept_days, 0, MOST_DAYS)
        check_whole("warmup", self.warmup, 0, LARGEST_53)
        if self.results_kept_days and not 0 < self.reports_kept_hours <= 24 * self.results_kept_days:
            rule = f"must be no shorter than reports_kept_hours, {self.reports_kept_hours or 'for ever'}"
            raise InvalidField("results_kept_days", rule, self.results_kept_days)

    def as_json(self) -> dict[str, Any]:
        """As the store keeps it; the constructor takes it back."""
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
    """What the creator of a task is told once: key and token are stored only as hashes."""

    id: bytes
    write_key: str = field(repr=False)
    read_token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CountedItem:
    """How often an item came, over all reports and in the last `since`. `low` … `high` is the 95 % interval."""

    item: int | str
    estimate: float
    standard_error: float
    low: float
    high: float
    tracked_count: float
    tracked_error: float
    since: int

    @property
    def since_low(self) -> float | None:
        """The lower end of the 95 % interval of `tracked_count`; None if nothing was counted for it alone."""
        return interval_within(self.tracked_count, self.tracked_error, self.since)[0] if self.since else None

    @property
    def since_high(self) -> float | None:
        """The upper end of that interval."""
        return interval_within(self.tracked_count, self.tracked_error, self.since)[1] if self.since else None


@dataclass(frozen=True, slots=True)
class RankedItem(CountedItem):
    """One item of a top. `rank_change` is None for a newcomer, and in a window; 2 for two up; 0 if nobody knows.

    `rank_low` and `rank_high` are the best and the worst rank that it is likely to have, None if they are not known.
    `may_be_noise` is None in what was published before that was written down.
    `warmup` is how many raw items of a warm-up are in the estimate.
    """

    rank_change: int | None
    rank_low: int | None = None
    rank_high: int | None = None
    may_be_noise: bool | None = None
    warmup: int = 0


@dataclass(frozen=True, slots=True)
class AskedItem(CountedItem):
    """One item that somebody asked for. It has no rank: the other items were not looked at."""

    may_be_noise: bool
    warmup: int = 0

    def is_unknown(self, counted: int) -> bool:
        """Whether it may be none or all of what was counted: nothing has been learned about it."""
        return self.may_be_noise and self.low <= 0 and self.high >= counted


def clear_top(items: Iterable[RankedItem]) -> bool | None:
    """Whether an item of a top stands out from chance; None if that was not written down.

    >>> said = {True: "may be noise", False: "stands out", None: "not known"}
    >>> [clear_top([RankedItem("tea", *[0.0] * 6, 0, 0, may_be_noise=each)]) for each in said], clear_top([])
    ([False, True, None], False)
    """
    return is_clear(each.may_be_noise for each in items)


@dataclass(frozen=True)
class Receipt:
    """The answer to a durable upload, and to the same upload sent again."""

    accepted: int
    duplicate: bool = False


@dataclass(frozen=True)
class PublishedEpoch:
    """What the end of an epoch published: the bulletin that clients had answered, all reports so far, and the top."""

    epoch: int
    published: float
    reports: int
    bulletin: str
    top: tuple[RankedItem, ...]


@dataclass(frozen=True)
class Answer:
    """A top that a request asked for. It counts the last `covered` reports: a window is made of whole epochs.

    `least_window` is the smallest window that holds one, told if the one that was asked for does not.
    """

    k: int
    window: int | None
    epoch: int
    reports: int
    covered: int
    top: tuple[RankedItem, ...]
    least_window: int | None = None


@dataclass(frozen=True)
class AskedAnswer:
    """Items that a request asked for, in its order. They count the last `covered` reports, as an `Answer` does."""

    window: int | None
    epoch: int
    reports: int
    covered: int
    items: tuple[AskedItem, ...]
    least_window: int | None = None


@dataclass(frozen=True)
class DistributionAnswer:
    """How many items have a share in each decade of the last `covered` reports, as an `Answer` counts them."""

    window: int | None
    epoch: int
    reports: int
    covered: int
    found: Distribution
    least_window: int | None = None


@dataclass
class UploadCounts:
    """How uploads fared since the server started."""

    accepted: int = 0
    duplicate: int = 0
    refused: int = 0


@dataclass(frozen=True)
class TaskView:
    """A task at one moment. Uploads are counted since the server started, reports since the task was created.

    `top` is computed now and then: it counts the first `top_reports` reports, the last of them in epoch `top_epoch`.
    `formats` has the symbol format of each bulletin that is still accepted. `last_epoch_seconds` is how long the last
    epoch took, and 0 before the first one ended. `kept_since` is the time of the oldest report that is kept as it
    came; None if that is not known. `first_epoch` is the first whose result is kept. `epoch_sizes` is how many reports
    each epoch has that a window may count, newest first. Until `old_until`, `old_write_digest` is accepted too.
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
    formats: "Mapping[bytes, SymbolFormat]" = field(repr=False)
    epoch: int
    reports: int
    in_epoch: int
    epoch_length: int
    state_bytes: int
    top: tuple[RankedItem, ...]
    top_epoch: int
    top_reports: int
    accepted: int
    duplicate: int
    refused: int
    last_epoch_seconds: float = 0.0
    kept_since: float | None = None
    first_epoch: int = 0
    epoch_sizes: tuple[int, ...] = ()
    old_write_digest: bytes = field(default=b"", repr=False)
    old_until: float = 0.0

    def takes_key(self, held: bytes, now: float) -> bool:
        """Whether a write key with this hash belongs to the task: the present one, or the one before for a while."""
        old = bool(self.old_write_digest) and now < self.old_until and compare_digest(held, self.old_write_digest)
        return compare_digest(held, self.write_digest) or old

    def before(self, epoch: int) -> "TaskView":
        """The same while the bulletin of this epoch and later ones are not published yet."""
        published = tuple(each for each in self.bulletins if each.epoch < epoch)
        versions = {bytes.fromhex(each.version) for each in published}
        formats = {version: each for version, each in self.formats.items() if version in versions}
        last = published[-1]
        return replace(self, bulletin=last, bulletins=published, formats=formats, epoch=last.epoch)

    def half_life(self, window: int | None = None) -> int:
        """After how many reports one counts half in an answer; 0 if all count alike, as they do in a window."""
        return 0 if window is not None else self.task.rules.fading

    def raw_counted(self, window: int | None = None) -> int:
        """How many raw items of a warm-up the counts include: none in a window, nor once reports make them fade."""
        return 0 if window is not None or (self.reports and self.task.rules.fading) else self.terms.warmup

    @property
    def bulletin_cells(self) -> int:
        """How many cells the current bulletin has: a frontier that has little left to find asks for fewer."""
        return self.bulletin.cell_count
