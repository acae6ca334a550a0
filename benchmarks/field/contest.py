"""What every entrant of one contest is given, and what it must hand back as one line of JSON."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

Kind = Literal["sketch", "private"]
Answer = list[tuple[int, float]]


@dataclass(frozen=True)
class Contest:
    """One stream in a .npy file, one k, one ε or some budgets of bytes, and CPU seconds for each entrant.

    >>> Contest.from_json(Contest("small", "private", "zipf:…", "s.npy", 1000, 20, 5.0, epsilon=2.0).to_json()).k
    20
    """

    name: str
    kind: Kind
    stream: str
    path: str
    domain_size: int
    k: int
    seconds: float
    epsilon: float = 0.0
    budgets: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if (self.kind == "private") != (self.epsilon > 0) or (self.kind == "sketch") != bool(self.budgets):
            raise ValueError("a private contest has an ε above 0, a contest of sketches has budgets of bytes")
        if min(self.domain_size, self.k) < 1 or self.seconds <= 0:
            raise ValueError("domain_size, k and seconds must be above 0")

    def to_json(self) -> str:
        """One line, for a command line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Contest":
        """What `to_json` wrote."""
        fields = json.loads(text)
        return cls(**fields | {"budgets": tuple(fields["budgets"])})


@dataclass(frozen=True)
class Showing:
    """What one entrant did in one contest. Rates are per second of CPU time; `None` means that it has no such call.

    `answers` holds one ranked answer a round, in a contest of sketches one a budget; `state_bytes` likewise.
    """

    n: int
    rounds: int
    bincount_rate: float
    batch_rate: float | None
    single_rate: float | None
    client_rate: float | None
    server_rate: float | None
    answers: tuple[Answer, ...]
    state_bytes: tuple[int | None, ...]
    measured: str
    upload_bytes: float | None
    version: str

    def __post_init__(self) -> None:
        rates = (self.bincount_rate, self.batch_rate, self.single_rate, self.client_rate, self.server_rate)
        if self.n < 1 or self.rounds < 1 or any(rate is not None and not rate > 0 for rate in rates):
            raise ValueError("n, rounds and rates must be above 0")

    def to_json(self) -> str:
        """One line, for standard output."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Showing":
        """What `to_json` wrote; anything else raises ValueError."""
        try:
            fields: dict[str, Any] = json.loads(text)
            answers = tuple([(int(item), float(count)) for item, count in answer] for answer in fields["answers"])
            return cls(**fields | {"answers": answers, "state_bytes": tuple(fields["state_bytes"])})
        except (KeyError, TypeError) as wrong:
            raise ValueError(f"not a showing: {wrong!r}") from wrong
