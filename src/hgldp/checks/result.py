"""What the checks found out about one mechanism or scheme at one ε."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CheckResult:
    """One line of `hgldp check`.

    `exact_epsilon` is the ln of the exact worst ratio over every case, infinite if some report is possible for one
    input and impossible for another. The flags say which parts of the contract hold; each broken one has its sentences
    in `failures`.
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
    failures: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the whole contract holds."""
        return not self.failures
