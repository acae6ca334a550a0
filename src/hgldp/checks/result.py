"""What the checks found out about one mechanism or scheme at one ε."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CheckResult:
    """One line of `hgldp check`.

    `exact_epsilon` is the ln of the exact worst ratio over every case, infinite if some report is possible for one
    input and impossible for another. The flags say which parts of the contract hold; each broken one has its sentences
    in `failures`. `kernel_equal` and `memory_constant` are None where they do not apply, or without the extra `track`.
    """

    name: str
    epsilon: float
    exact_epsilon: float
    normalised: bool
    private: bool
    unbiased: bool
    sampler_exact: bool
    sampler_fits: bool
    deterministic: bool
    kernel_equal: bool | None = None
    memory_constant: bool | None = None
    failures: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the whole contract holds."""
        return not self.failures


@dataclass(frozen=True)
class StreamFindings:
    """What a stream showed, in sentences; None where that could not be looked at."""

    kernel_equal: list[str] | None = None
    memory_constant: list[str] | None = None
