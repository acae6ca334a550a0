"""The client's timings and bounds."""

from dataclasses import dataclass, fields
from math import isfinite

from hgldp.errors import InvalidField


@dataclass(frozen=True)
class Pace:
    """How often and how long, in seconds; the three whole numbers count.

    `gather`: uploads leave at ticks so many seconds apart, and the first tick is drawn by lot, so the time of an upload
    does not tell the time of an event. `renew`: how often the bulletin is renewed; 0 means twice within the age that
    the server grants it, but no more often than every `least_renew`. `most_age`: how old a bulletin may get, whatever
    the server grants. `doubt`: how long the server must stand by a bulletin that contradicts an earlier one.
    `timeout`: the longest wait for the network; `deadline`: the longest request. `first_retry` and `longest_retry`: the
    waits after a failure. `keep`: how long an upload waits to be sent. `repeat`: how long it is sent again after it
    first left; later the collector may have forgotten it, and would count it twice. `most_waiting`: events in memory.
    `take_over`: how long a reporter that starts waits for another process to leave its folder, as a development server
    does when it reloads. `most_uploads`: uploads in the queue. `most_listed`: uploads in the list of what was sent.
    """

    gather: float = 60.0
    renew: float = 0.0
    least_renew: float = 1.0
    most_age: float = 86_400.0
    doubt: float = 3_600.0
    timeout: float = 10.0
    deadline: float = 30.0
    first_retry: float = 1.0
    longest_retry: float = 300.0
    keep: float = 7 * 86_400.0
    repeat: float = 86_400.0
    take_over: float = 3.0
    most_waiting: int = 1_000
    most_uploads: int = 1_000
    most_listed: int = 1_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value, whole = getattr(self, field.name), field.name in ("most_waiting", "most_uploads", "most_listed")
            if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or not isfinite(value):
                raise InvalidField(field.name, "must be a whole number" if whole else "must be finite", value)
            least = 0 if field.name in ("gather", "renew", "take_over") else 1 if whole else 1e-3
            if value < least:
                raise InvalidField(field.name, f"must be at least {least}", value)

    def retry_after(self, failures: int, chance: float) -> float:
        """The wait after this many failures: it doubles each time, and varies so that clients do not return together.

        >>> [Pace().retry_after(failures, 1.0) for failures in (1, 2, 3, 50)]
        [1.0, 2.0, 4.0, 300.0]
        """
        longest = min(self.longest_retry, self.first_retry * 2.0 ** min(failures - 1, 60))
        return longest * (0.5 + chance / 2)
